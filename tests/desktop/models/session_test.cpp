#include "app/desktop/models/session.h"

#include <QRandomGenerator>
#include <nlohmann/json.hpp>

#include "data/json_io.h"
#include "data/store/project.h"
#include "reports/decide.h"
#include "tests/desktop/models/fixture.h"

namespace weir::desktop {
namespace {

std::string text_of(const Session& session) { return data::dump(data::to_json(session.scenario())); }

void set_growth(Session& session, double growth, const QString& key = {}) {
  session.edit(QStringLiteral("Change growth"), key,
               [growth](data::Scenario& s) { s.workloads.front().growth_per_year = growth; });
}

std::filesystem::path path_of(const QString& file) { return file.toStdString(); }

}  // namespace

class SessionTest : public QObject {
  Q_OBJECT

 private slots:
  void begins_empty();
  void a_template_is_edited_undone_saved_and_read_again();
  void edits_of_one_key_merge();
  void a_refused_edit_changes_nothing();
  void a_change_to_the_same_is_no_step();
  void random_edits_undone_give_the_original();
  void a_trace_and_a_calibration_are_steps_and_travel_with_the_file();
  void an_undone_trace_does_not_travel();
  void a_remembered_result_comes_back_with_undo();
  void a_late_result_of_former_inputs_is_kept_for_the_way_back();
  void files_that_are_no_project_leave_the_session_as_it_was();
  void another_program_on_the_same_file_is_noticed();
  void the_command_line_finds_what_it_needs();
  void a_new_name_leaves_no_second_scenario();
};

void SessionTest::begins_empty() {
  const Folder folder;
  Session session;
  QVERIFY(!session.is_open());
  QVERIFY(!session.is_modified());
  QVERIFY(!session.result());
  QVERIFY(session.scenario().workloads.empty());
  session.close();
}

void SessionTest::a_template_is_edited_undone_saved_and_read_again() {
  const Folder folder;
  Session session;
  QSignalSpy modified(&session, &Session::modified_changed);
  session.new_from_template(QStringLiteral("llm-chat"));
  const std::string original = text_of(session);
  QVERIFY(session.is_open());
  QVERIFY(!session.is_modified());
  QVERIFY(session.file().isEmpty());

  set_growth(session, 0.5);
  QVERIFY(session.is_modified());
  QCOMPARE(session.undo_stack().undoText(), QStringLiteral("Change growth"));
  const std::string edited = text_of(session);
  QVERIFY(edited != original);
  session.undo_stack().undo();
  QCOMPARE(text_of(session), original);
  QVERIFY(!session.is_modified());
  session.undo_stack().redo();
  QCOMPARE(text_of(session), edited);

  const QString file = folder.file(QStringLiteral("chat.weir"));
  session.save_as(file);
  QVERIFY(!session.is_modified());
  QCOMPARE(session.file(), file);
  QCOMPARE(modified.count(), 4);
  session.undo_stack().undo();
  QVERIFY(session.is_modified());  // the file has the edit

  Session other;
  other.open(file);
  QCOMPARE(text_of(other), edited);
  QCOMPARE(other.scenario().workloads.front().growth_per_year, 0.5);
  QVERIFY(!other.is_modified());
  QCOMPARE(other.display_name(), QStringLiteral("chat.weir"));
}

void SessionTest::edits_of_one_key_merge() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  const std::string original = text_of(session);
  for (const double growth : {0.31, 0.4, 0.5}) set_growth(session, growth, QStringLiteral("growth"));
  QCOMPARE(session.undo_stack().count(), 1);
  session.edit(QStringLiteral("horizon"), QStringLiteral("horizon"),
               [](data::Scenario& s) { s.cost.horizon_months = 48; });
  set_growth(session, 0.6, QStringLiteral("growth"));  // not in a row any more
  QCOMPARE(session.undo_stack().count(), 3);
  session.undo_stack().undo();
  session.undo_stack().undo();
  session.undo_stack().undo();
  QCOMPARE(text_of(session), original);

  // Back to where the row of edits began: the step disappears.
  set_growth(session, 0.9, QStringLiteral("growth"));
  set_growth(session, 0.3, QStringLiteral("growth"));
  QCOMPARE(text_of(session), original);
  QCOMPARE(session.undo_stack().count(), 0);
}

void SessionTest::a_refused_edit_changes_nothing() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  const std::string original = text_of(session);
  QSignalSpy changed(&session, &Session::inputs_changed);
  const quint64 revision = session.revision();
  const QString growth = message_of<data::InputError>([&] { set_growth(session, -3); });
  QVERIFY2(growth.contains(QStringLiteral("/workloads/0/growth_per_year")), qPrintable(growth));
  QVERIFY2(growth.contains(QStringLiteral("-3")), qPrintable(growth));
  const QString hardware = message_of<data::InputError>(
      [&] { session.edit(QStringLiteral("x"), {}, [](data::Scenario& s) { s.candidates.accelerators = {"a1000"}; }); });
  QVERIFY2(hardware.contains(QStringLiteral("a1000")), qPrintable(hardware));
  const QString nan = message_of<data::InputError>([&] { set_growth(session, std::nan("")); });
  QVERIFY2(nan.contains(QStringLiteral("finite")), qPrintable(nan));
  QCOMPARE(text_of(session), original);
  QCOMPARE(session.undo_stack().count(), 0);
  QCOMPARE(session.revision(), revision);
  QCOMPARE(changed.count(), 0);
}

void SessionTest::a_change_to_the_same_is_no_step() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  set_growth(session, session.scenario().workloads.front().growth_per_year);
  QCOMPARE(session.undo_stack().count(), 0);
  QVERIFY(!session.is_modified());
}

void SessionTest::random_edits_undone_give_the_original() {
  const Folder folder;
  QRandomGenerator random(20261130);
  const auto trace = std::make_shared<const data::Trace>(tiny_trace("a.csv", 5));
  for (int round = 0; round < 20; ++round) {
    Session session;
    session.new_from_template(round % 2 == 0 ? QStringLiteral("llm-chat") : QStringLiteral("bert-text-classification"));
    const std::string original = text_of(session);
    std::vector<std::string> states{original};
    for (int i = 0; i < 30; ++i) {
      const double value = random.bounded(1.0);
      const int which = random.bounded(6);
      const QString key = random.bounded(2) == 0 ? QString() : QStringLiteral("key %1").arg(which);
      try {
        if (which == 5) {
          session.set_trace(random.bounded(2) == 0 ? trace : nullptr);
        } else {
          session.edit(QStringLiteral("edit"), key, [&](data::Scenario& s) {
            if (which == 0) s.workloads.front().growth_per_year = value * 3 - 1.5;  // below -1 is refused
            if (which == 1) s.cost.horizon_months = random.bounded(1, 120);
            if (which == 2) s.cost.overrides["pue"] = value * 2;
            if (which == 3) s.serving.max_batch = random.bounded(-2, 300);  // below 1 is refused
            if (which == 4) s.workloads.front().classes.front().slo.attainment = value;
          });
        }
      } catch (const data::InputError&) {
        QCOMPARE(text_of(session), states.back());
      }
      if (text_of(session) != states.back()) states.push_back(text_of(session));
      if (random.bounded(8) == 0 && session.undo_stack().canUndo()) {
        const std::string here = text_of(session);
        session.undo_stack().undo();
        session.undo_stack().redo();
        QCOMPARE(text_of(session), here);
      }
    }
    const std::string last = text_of(session);
    while (session.undo_stack().canUndo()) session.undo_stack().undo();
    QCOMPARE(text_of(session), original);
    QVERIFY(!session.trace());
    QVERIFY(!session.is_modified());
    while (session.undo_stack().canRedo()) session.undo_stack().redo();
    QCOMPARE(text_of(session), last);
  }
}

void SessionTest::a_trace_and_a_calibration_are_steps_and_travel_with_the_file() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  session.set_trace(std::make_shared<const data::Trace>(tiny_trace("mine.csv", 12)));
  auto calibration = std::make_shared<data::Calibration>();
  calibration->device_id = "this-machine";
  calibration->device_name = "A machine";
  calibration->device_kind = "cpu";
  calibration->memory_bytes = 8e9;
  calibration->kernel_set = "weir-0.1";
  calibration->source = "test";
  calibration->date = "2026-11-30";
  session.set_calibration(calibration);
  QCOMPARE(session.undo_stack().count(), 2);
  QVERIFY(session.undo_stack().text(0).contains(QStringLiteral("mine.csv")));
  const QString file = folder.file(QStringLiteral("with.weir"));
  session.save_as(file);
  session.undo_stack().undo();
  QVERIFY(!session.calibration());

  Session other;
  other.open(file);
  QVERIFY(other.trace());
  QCOMPARE(other.trace()->name, std::string("mine.csv"));
  QCOMPARE(other.trace()->requests.size(), std::size_t{12});
  QVERIFY(other.calibration());
  QCOMPARE(other.calibration()->device_name, std::string("A machine"));
  other.set_trace(nullptr);
  other.save();
  Session third;
  third.open(file);
  QVERIFY(!third.trace());
  QVERIFY(third.calibration());
}

void SessionTest::an_undone_trace_does_not_travel() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  const QString file = folder.file(QStringLiteral("a.weir"));
  session.set_trace(std::make_shared<const data::Trace>(tiny_trace("big.csv", 50)));
  session.save_as(file);
  QCOMPARE(data::Project::open(path_of(file), data::Project::Mode::read_only).trace_names().size(), std::size_t{1});
  session.undo_stack().undo();
  session.save();
  QVERIFY(data::Project::open(path_of(file), data::Project::Mode::read_only).trace_names().empty());
  session.undo_stack().redo();
  session.save();
  QCOMPARE(data::Project::open(path_of(file), data::Project::Mode::read_only).trace("big.csv")->requests.size(),
           std::size_t{50});
}

std::shared_ptr<const reports::Decision> decision_named(const Session& session, const char* version) {
  auto decision = std::make_shared<reports::Decision>();
  decision->plan.scenario = session.scenario();
  decision->weir_version = version;
  return decision;
}

void SessionTest::a_remembered_result_comes_back_with_undo() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  const auto first = decision_named(session, "first");
  session.set_result(first, session.revision());
  QVERIFY(session.result_is_current());
  set_growth(session, 0.5);
  QVERIFY(!session.result_is_current());
  QCOMPARE(session.result(), first);  // shown, greyed
  const auto second = decision_named(session, "second");
  session.set_result(second, session.revision());
  QVERIFY(session.result_is_current());
  session.undo_stack().undo();
  QVERIFY(session.result_is_current());
  QCOMPARE(session.result(), first);
  session.undo_stack().redo();
  QCOMPARE(session.result(), second);

  // The stored plan is always that of the stored inputs.
  const QString file = folder.file(QStringLiteral("r.weir"));
  session.save_as(file);
  const auto stored = [&] {
    return data::Project::open(path_of(file), data::Project::Mode::read_only).document("plan", "llm-chat");
  };
  QCOMPARE(*stored(), reports::plan_document(*second).json);
  set_growth(session, 0.7);
  session.save();
  QVERIFY(!stored());
  session.undo_stack().undo();
  session.save();
  QCOMPARE(*stored(), reports::plan_document(*second).json);
}

void SessionTest::a_late_result_of_former_inputs_is_kept_for_the_way_back() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  const quint64 before = session.revision();
  const auto late = decision_named(session, "late");
  set_growth(session, 0.5);
  session.set_result(late, before);
  QVERIFY(!session.result_is_current());
  QVERIFY(!session.result());
  session.undo_stack().undo();
  QVERIFY(session.result_is_current());
  QCOMPARE(session.result(), late);
  session.set_result(decision_named(session, "unknown"), 12345);
  QCOMPARE(session.result(), late);
}

void SessionTest::files_that_are_no_project_leave_the_session_as_it_was() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  set_growth(session, 0.5);
  const std::string before = text_of(session);
  const auto refused = [&](const QString& file) {
    const QString message = message_of<data::InputError>([&] { session.open(file); });
    return message.contains(QLatin1Char('\n')) ? QStringLiteral("more than a line") : message;
  };
  QVERIFY(refused(folder.file(QStringLiteral("none.weir"))).contains(QStringLiteral("there is no such file")));
  QFile text(folder.file(QStringLiteral("text.weir")));
  QVERIFY(text.open(QIODevice::WriteOnly));
  text.write("hello, this is no database at all");
  text.close();
  QVERIFY(refused(text.fileName()).contains(QStringLiteral("is not a Weir project")));

  const QString good = folder.file(QStringLiteral("good.weir"));
  session.save_as(good);
  const auto spoilt = [&](const QString& name, qint64 at, const QByteArray& bytes) {
    const QString copy = folder.file(name);
    QFile::copy(good, copy);
    QFile file(copy);
    if (!file.open(QIODevice::ReadWrite) || !file.seek(at)) return QStringLiteral("cannot spoil");
    file.write(bytes);
    file.close();
    return refused(copy);
  };
  // user_version stands at byte 60 of the header, big-endian.
  const QString newer = spoilt(QStringLiteral("newer.weir"), 60, QByteArray("\0\0\0\x7f", 4));
  QVERIFY2(newer.contains(QStringLiteral("newer version of Weir")), qPrintable(newer));
  const QString torn = spoilt(QStringLiteral("torn.weir"), 4096, QByteArray(3000, '\xff'));
  QVERIFY2(torn.contains(QStringLiteral("damaged")), qPrintable(torn));
  data::Project::open(path_of(folder.file(QStringLiteral("empty.weir"))), data::Project::Mode::create);
  QVERIFY(refused(folder.file(QStringLiteral("empty.weir"))).contains(QStringLiteral("has no scenario")));
  QCOMPARE(text_of(session), before);
  QVERIFY(session.is_open());
  QCOMPARE(session.file(), good);

  QVERIFY(message_of<data::SystemError>([&] {
            session.save_as(QStringLiteral("/nowhere/at/all.weir"));
          }).contains(QStringLiteral("there is no folder")));
  QCOMPARE(session.file(), good);
}

void SessionTest::another_program_on_the_same_file_is_noticed() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  QVERIFY(!session.changed_on_disk());
  const QString file = folder.file(QStringLiteral("shared.weir"));
  session.save_as(file);
  QVERIFY(!session.changed_on_disk());
  data::Project::open(path_of(file), data::Project::Mode::read_write).put_document("run", "x", std::string(9000, ' '));
  QVERIFY(session.changed_on_disk());
  session.save();
  QVERIFY(!session.changed_on_disk());
}

/// What `weir plan NAME --project F` and `weir report --project F` look for.
void SessionTest::the_command_line_finds_what_it_needs() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  session.set_trace(std::make_shared<const data::Trace>(tiny_trace("mine.csv", 12)));
  const QString file = folder.file(QStringLiteral("cli.weir"));
  session.save_as(file);
  const auto project = data::Project::open(path_of(file), data::Project::Mode::read_only);
  QCOMPARE(*project.document("scenario", "llm-chat"), text_of(session));
  QCOMPARE(project.trace_names(), std::vector<std::string>{"mine.csv"});
  const auto stored = reports::stored_scenario(project, "llm-chat");
  QVERIFY(stored);
  QVERIFY(stored->folder.empty());

  // The other way round: what the command line wrote, with its plan's trace.
  const QString other = folder.file(QStringLiteral("from_cli.weir"));
  {
    auto written = data::Project::open(path_of(other), data::Project::Mode::create);
    data::Scenario scenario = data::find_scenario("llm-chat");
    scenario.folder = "/somewhere";
    written.put_documents(reports::scenario_documents(scenario));
    written.put_trace(tiny_trace("theirs.csv", 7));
    written.put_document("plan", "llm-chat", "{\"schema\": \"weir.plan/1\", \"seed\": 1, \"trace\": \"theirs.csv\"}");
  }
  session.open(other);
  QVERIFY(session.trace());
  QCOMPARE(session.trace()->requests.size(), std::size_t{7});
  QCOMPARE(session.scenario().folder.string(), std::string("/somewhere"));
  set_growth(session, 0.5);
  QCOMPARE(session.scenario().folder.string(), std::string("/somewhere"));
}

void SessionTest::a_new_name_leaves_no_second_scenario() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  const QString file = folder.file(QStringLiteral("n.weir"));
  session.save_as(file);
  session.edit(QStringLiteral("rename"), {}, [](data::Scenario& s) { s.name = "mine"; });
  session.save();
  const auto names = data::Project::open(path_of(file), data::Project::Mode::read_only).document_names("scenario");
  QCOMPARE(names, std::vector<std::string>{"mine"});
}

}  // namespace weir::desktop

QTEST_GUILESS_MAIN(weir::desktop::SessionTest)
#include "session_test.moc"
