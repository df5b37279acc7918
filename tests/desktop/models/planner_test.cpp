#include "app/desktop/models/planner.h"

#include <QCoreApplication>
#include <QProcess>
#include <QThread>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "app/desktop/models/command_line.h"
#include "data/json_io.h"
#include "reports/decide.h"
#include "sim/plan/capacity_cache.h"
#include "tests/desktop/models/fixture.h"

namespace weir::desktop {
namespace {

constexpr int kLong_ms = 120'000;  // nothing here takes as long, except on a machine that does ten other things

QByteArray json_of(const Session& session) {
  return QByteArray::fromStdString(data::dump(reports::to_json(*session.result())));
}

/// What the program prints for the command the window offers.
QByteArray printed_by(const QString& command) {
  QStringList words = QProcess::splitCommand(command);
  words.removeFirst();
  QProcess weir;
  weir.start(QStringLiteral(WEIR_BINARY_DIR "/bin/weir"),
             words + QStringList{QStringLiteral("--json"), QStringLiteral("-"), QStringLiteral("--quiet")});
  if (!weir.waitForFinished(kLong_ms)) return "did not end";
  return weir.readAllStandardOutput();
}

}  // namespace

class PlannerTest : public QObject {
  Q_OBJECT

 private slots:
  void gives_the_bytes_of_the_command_line();
  void gives_the_bytes_of_the_command_line_for_a_trace_of_the_project();
  void cancel_keeps_the_old_result();
  void the_newest_edit_wins();
  void undo_needs_no_new_plan();
  void a_plan_that_cannot_be_made_is_one_line();
  void the_cache_changes_no_digit();
  void closing_ends_the_work();
  void only_workers_call_the_engine();
};

void PlannerTest::gives_the_bytes_of_the_command_line() {
  const Folder folder;
  Session session;
  Planner planner(session);
  QSignalSpy started(&planner, &Planner::started), finished(&planner, &Planner::finished);
  session.new_from_template(QStringLiteral("bert-text-classification"));
  session.edit(QStringLiteral("small"), {}, [](data::Scenario& s) {
    s.candidates.accelerators = {"t4", "l4"};
    s.cost.overrides["pue"] = 1.4;
  });
  QVERIFY(!session.result_is_current());
  QVERIFY(finished.wait(kLong_ms));
  QCOMPARE(started.count(), 1);  // template and edit came within the delay
  QVERIFY(session.result_is_current());
  QVERIFY(!planner.is_running());
  session.save_as(folder.file(QStringLiteral("bert.weir")));
  QCOMPARE(plan_command(session), QStringLiteral("weir plan bert-text-classification --project ") + session.file());
  const QByteArray printed = printed_by(plan_command(session));
  QVERIFY(printed.contains("\"weir.plan/1\""));
  QCOMPARE(printed, json_of(session));
}

void PlannerTest::gives_the_bytes_of_the_command_line_for_a_trace_of_the_project() {
  const Folder folder;
  Session session;
  Planner planner(session);
  QSignalSpy finished(&planner, &Planner::finished);
  make_small(session);
  QVERIFY(finished.wait(kLong_ms));
  session.save_as(folder.file(QStringLiteral("a project's.weir")));
  QVERIFY(plan_command(session).endsWith(QStringLiteral("a project'\\''s.weir' --trace tiny.csv")));
  const QByteArray before = json_of(session);
  // Not through splitCommand, which is no shell.
  QProcess weir;
  weir.start(QStringLiteral(WEIR_BINARY_DIR "/bin/weir"),
             {QStringLiteral("plan"), QStringLiteral("llm-chat"), QStringLiteral("--project"), session.file(),
              QStringLiteral("--trace"), QStringLiteral("tiny.csv"), QStringLiteral("--json"), QStringLiteral("-")});
  QVERIFY(weir.waitForFinished(kLong_ms));
  QCOMPARE(weir.readAllStandardOutput(), before);

  // What the command line wrote over it opens again with the same digits.
  Session other;
  Planner again(other);
  QSignalSpy ended(&again, &Planner::finished);
  other.open(session.file());
  QVERIFY(ended.wait(kLong_ms));
  QCOMPARE(json_of(other), before);
}

void PlannerTest::cancel_keeps_the_old_result() {
  const Folder folder;
  Session session;
  Planner planner(session);
  QSignalSpy finished(&planner, &Planner::finished), cancelled(&planner, &Planner::cancelled),
      progress(&planner, &Planner::progress);
  make_small(session);
  QVERIFY(finished.wait(kLong_ms));
  const auto old = session.result();
  planner.set_automatic(false);
  session.edit(QStringLiteral("all hardware"), {},
               [](data::Scenario& s) { s.candidates = data::find_scenario("llm-chat").candidates; });
  session.set_trace(nullptr);
  progress.clear();
  planner.run();
  QVERIFY(planner.is_running());
  QVERIFY(progress.wait(kLong_ms));
  const double fraction = progress.front().at(0).toDouble();
  QVERIFY(fraction >= 0 && fraction <= 1);
  planner.cancel();
  QVERIFY(cancelled.wait(kLong_ms));
  QCOMPARE(cancelled.count(), 1);
  QCOMPARE(finished.count(), 1);
  QVERIFY(!planner.is_running());
  QCOMPARE(session.result(), old);
  QVERIFY(!session.result_is_current());
}

void PlannerTest::the_newest_edit_wins() {
  const Folder folder;
  Session session;
  Planner planner(session);
  QSignalSpy finished(&planner, &Planner::finished), cancelled(&planner, &Planner::cancelled);
  session.new_from_template(QStringLiteral("llm-chat"));
  QSignalSpy started(&planner, &Planner::started);
  QVERIFY(started.wait(kLong_ms));  // the plan of the whole template, which takes seconds
  make_small(session);
  QVERIFY(finished.wait(kLong_ms));
  QCOMPARE(finished.count(), 1);
  QCOMPARE(cancelled.count(), 0);  // for the window the work went on
  QVERIFY(session.result_is_current());
  QCOMPARE(session.result()->plan.trace_name, std::string("tiny.csv"));
  QCOMPARE(session.result()->plan.scenario.candidates.accelerators.size(), std::size_t{2});
}

void PlannerTest::undo_needs_no_new_plan() {
  const Folder folder;
  Session session;
  Planner planner(session);
  QSignalSpy started(&planner, &Planner::started), finished(&planner, &Planner::finished);
  make_small(session);
  QVERIFY(finished.wait(kLong_ms));
  const auto first = session.result();
  session.edit(QStringLiteral("price"), {}, [](data::Scenario& s) { s.cost.overrides["server_price_usd.l4"] = 9e4; });
  QVERIFY(finished.wait(kLong_ms));
  QVERIFY(session.result() != first);
  session.undo_stack().undo();
  QCOMPARE(session.result(), first);
  QVERIFY(session.result_is_current());
  QTest::qWait(400);
  QCOMPARE(started.count(), 2);
}

void PlannerTest::a_plan_that_cannot_be_made_is_one_line() {
  const Folder folder;
  Session session;
  Planner planner(session);
  QSignalSpy finished(&planner, &Planner::finished), failed(&planner, &Planner::failed);
  make_small(session);
  QVERIFY(finished.wait(kLong_ms));
  session.edit(QStringLiteral("no targets"), {}, [](data::Scenario& s) {
    for (data::RequestClass& c : s.workloads.front().classes) c.slo = data::Slo();
  });
  QVERIFY(failed.wait(kLong_ms));
  const QString message = failed.front().front().toString();
  QVERIFY2(message.contains(QStringLiteral("a plan needs a target to meet")), qPrintable(message));
  QVERIFY(!message.contains(QLatin1Char('\n')));
  QVERIFY(session.result());
  QVERIFY(!session.result_is_current());
}

/// Edits of the kind a user makes, planned with one cache, against each planned anew.
void PlannerTest::the_cache_changes_no_digit() {
  const data::Trace trace = tiny_trace("tiny.csv", 300);
  data::Scenario scenario = data::find_scenario("llm-chat");
  scenario.candidates.accelerators = {"a100-sxm4-80gb", "l4", "t4"};
  scenario.candidates.precisions = {data::Precision::fp16};
  scenario.candidates.tensor_parallel = {1, 2};
  const std::vector<std::function<void(data::Scenario&)>> edits = {
      [](data::Scenario&) {},
      [](data::Scenario& s) { s.cost.overrides["server_price_usd.l4"] = 12345; },
      [](data::Scenario& s) { s.cost.horizon_months = 60; },
      [](data::Scenario& s) { s.workloads.front().growth_per_year = 1.1; },
      [](data::Scenario& s) { s.cost.horizon_months = 12; },
      [](data::Scenario& s) { s.workloads.front().classes.front().slo.ttft_s["p99"] = 0.2; },
      [](data::Scenario& s) { s.cost.overrides["gpu_power_a"] = 0.7; },  // the fleet's energy depends on it
      [](data::Scenario& s) { s.serving.max_batch = 8; },
      [](data::Scenario& s) { s.candidates.accelerators.push_back("a10"); },
      [](data::Scenario& s) { s.workloads.front().growth_per_year = 0; },
      [](data::Scenario& s) { s.seed = 7; },
      [](data::Scenario& s) { s.workloads.front().classes.front().slo.ttft_s["p99"] = 1.0; }};
  sim::CapacityCache cache, tiny_cache(1);
  for (std::size_t i = 0; i < edits.size(); ++i) {
    edits[i](scenario);
    reports::DecisionInputs inputs{.scenario = scenario, .trace = &trace, .seed = scenario.seed, .threads = 2};
    const auto text = [&] { return data::dump(reports::to_json(reports::decide(inputs, "test"))); };
    const std::string anew = text();
    inputs.cache = &cache;
    QVERIFY2(text() == anew, qPrintable(QString::number(i)));
    QVERIFY2(text() == anew, qPrintable(QString::number(i)));  // and from a warm cache
    inputs.cache = &tiny_cache;
    QVERIFY2(text() == anew, qPrintable(QString::number(i)));
  }
  QVERIFY(tiny_cache.size() <= 1);
}

void PlannerTest::closing_ends_the_work() {
  const Folder folder;
  Session session;
  auto planner = std::make_unique<Planner>(session);
  QSignalSpy started(planner.get(), &Planner::started), cancelled(planner.get(), &Planner::cancelled);
  session.new_from_template(QStringLiteral("llm-chat"));
  QVERIFY(started.wait(kLong_ms));
  session.close();
  QVERIFY(cancelled.wait(kLong_ms));
  QVERIFY(!session.result());
  session.new_from_template(QStringLiteral("llm-chat"));
  QVERIFY(started.wait(kLong_ms));
  planner.reset();  // while it runs
}

/// The engine, the importer, the probes and the writers of reports stand behind workers: their headers are included
/// nowhere else, and Job::start is what runs them.
void PlannerTest::only_workers_call_the_engine() {
  const std::set<std::string> workers = {"planner.cpp", "import_job.cpp", "machine_jobs.cpp", "export_job.cpp"};
  const std::regex heavy(
      "#include \"(sim/plan/|sim/fleet/|sim/workload/|data/import/|probes/client/|reports/paper\\.h|reports/csv\\.h)");
  const std::regex decides("\\bdecide\\(|check_layers\\(|decision_html\\(");
  const std::filesystem::path root(WEIR_SOURCE_DIR "/app/desktop");
  int files = 0, found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    ++files;
    std::ifstream stream(entry.path());
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    const bool uses = std::regex_search(text, heavy) || std::regex_search(text, decides);
    if (workers.contains(name)) {
      found += uses ? 1 : 0;
      QVERIFY2(text.find("require_worker_thread()") != std::string::npos, name.c_str());
    } else {
      QVERIFY2(!uses, name.c_str());
    }
  }
  QCOMPARE(found, static_cast<int>(workers.size()));
  QVERIFY(files > 20);
}

}  // namespace weir::desktop

QTEST_GUILESS_MAIN(weir::desktop::PlannerTest)
#include "planner_test.moc"
