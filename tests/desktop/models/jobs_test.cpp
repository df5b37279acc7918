#include <QCoreApplication>
#include <QThread>
#include <nlohmann/json.hpp>

#include "app/desktop/models/export_job.h"
#include "app/desktop/models/import_job.h"
#include "app/desktop/models/machine_jobs.h"
#include "app/desktop/models/planner.h"
#include "app/desktop/models/rejected_rows_model.h"
#include "data/json_io.h"
#include "reports/csv.h"
#include "tests/desktop/models/fixture.h"

namespace weir::desktop {
namespace {

constexpr int kLong_ms = 120'000;

QString write(const QString& file, const QByteArray& text) {
  QFile out(file);
  if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size()) qFatal("cannot write the test's file");
  return file;
}

QByteArray read(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

QByteArray csv_of(int rows) {
  QByteArray text = "arrival_s,input_tokens,output_tokens,class,colour\n";
  for (int i = 0; i < rows; ++i) {
    text += QByteArray::number(i * 0.5) + ',' + QByteArray::number(100 + i % 50) + ",20,interactive,blue\n";
  }
  return text;
}

/// A job whose work is the test's.
class TestJob : public Job {
 public:
  using Job::Job;
  using Job::start;
  using Job::Take;
};

}  // namespace

class JobsTest : public QObject {
  Q_OBJECT

 private slots:
  void a_job_runs_elsewhere_and_reports_here();
  void a_job_fails_with_one_line_and_can_be_started_again();
  void a_destroyed_job_ends_its_work();
  void a_cancelled_job_gives_no_result();
  void an_import_is_shown_before_anything_is_taken();
  void a_file_that_is_no_trace_is_refused();
  void an_import_is_cancelled();
  void the_demand_of_a_scenario_is_summed_up();
  void exports_are_the_files_of_the_command_line();
  void an_export_that_cannot_be_written_fails();
  void the_doctor_finds_this_machine();
  void a_probe_is_cancelled();
};

void JobsTest::a_job_runs_elsewhere_and_reports_here() {
  TestJob job;
  QSignalSpy started(&job, &Job::started), finished(&job, &Job::finished), progress(&job, &Job::progress);
  QThread* worked_in = nullptr;
  int taken = 0;
  QThread* taken_in = nullptr;
  job.start([&](const data::Progress& report) -> TestJob::Take {
    worked_in = QThread::currentThread();
    require_worker_thread();
    for (int i = 0; i <= 10'000; ++i) {
      if (!report(i / 1e4, "counting")) throw data::Cancelled();
    }
    return [&] {
      ++taken;
      taken_in = QThread::currentThread();
    };
  });
  QCOMPARE(started.count(), 1);
  QVERIFY(job.is_running());
  QVERIFY_EXCEPTION_THROWN(job.start([](const data::Progress&) -> TestJob::Take { return {}; }), std::logic_error);
  QVERIFY(finished.wait(kLong_ms));
  QVERIFY(!job.is_running());
  QCOMPARE(taken, 1);
  QVERIFY(worked_in != thread());
  QCOMPARE(taken_in, thread());
  QVERIFY(progress.count() >= 1);
  QVERIFY(progress.count() < 200);  // not ten thousand
  QCOMPARE(progress.front().at(1).toString(), QStringLiteral("counting"));
}

void JobsTest::a_job_fails_with_one_line_and_can_be_started_again() {
  TestJob job;
  QSignalSpy failed(&job, &Job::failed), finished(&job, &Job::finished);
  job.start([](const data::Progress&) -> TestJob::Take { throw data::InputError("f", "line 3", "x", "expected y"); });
  QVERIFY(failed.wait(kLong_ms));
  QCOMPARE(failed.front().front().toString(), QStringLiteral("f: line 3: x is not allowed: expected y"));
  job.start([](const data::Progress&) -> TestJob::Take { return {}; });
  QVERIFY(finished.wait(kLong_ms));
  QCOMPARE(failed.count(), 1);
}

void JobsTest::a_destroyed_job_ends_its_work() {
  auto ended = std::make_shared<bool>(false);
  {
    TestJob job;
    job.start([ended](const data::Progress& report) -> TestJob::Take {
      while (report(0.5, "waiting")) QThread::msleep(1);
      *ended = true;
      return [] { qFatal("nobody is there to take this"); };
    });
  }
  QVERIFY(*ended);
  QCoreApplication::processEvents();
}

void JobsTest::a_cancelled_job_gives_no_result() {
  TestJob job;
  QSignalSpy cancelled(&job, &Job::cancelled), finished(&job, &Job::finished), progress(&job, &Job::progress);
  bool taken = false;
  job.start([&](const data::Progress& report) -> TestJob::Take {
    while (report(-1, "waiting")) QThread::msleep(1);
    return [&] { taken = true; };
  });
  QVERIFY(progress.wait(kLong_ms));
  job.cancel();
  QVERIFY(cancelled.wait(kLong_ms));
  QVERIFY(!taken);
  QCOMPARE(finished.count(), 0);
}

void JobsTest::an_import_is_shown_before_anything_is_taken() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  QByteArray text = csv_of(4);
  text += "2.0,abc,20,interactive,blue\n\n3.0,7,5,background,red\n";  // line 6 is refused, line 7 is blank
  ImportJob job;
  QSignalSpy finished(&job, &Job::finished);
  job.start(write(folder.file(QStringLiteral("mine.csv")), text));
  QVERIFY(finished.wait(kLong_ms));
  const ImportPreview* preview = job.preview();
  QVERIFY(preview);
  QVERIFY(!session.trace());
  QCOMPARE(preview->columns.size(), std::size_t{5});
  QCOMPARE(preview->columns[0].name, QStringLiteral("arrival_s"));
  QCOMPARE(preview->columns[0].meaning, QStringLiteral("arrival time"));
  QCOMPARE(preview->columns[1].meaning, QStringLiteral("input tokens"));
  QCOMPARE(preview->columns[3].meaning, QStringLiteral("class"));
  QVERIFY(preview->columns[4].meaning.isEmpty());
  QCOMPARE(preview->columns[1].first_values,
           QStringList({QStringLiteral("100"), QStringLiteral("101"), QStringLiteral("102"), QStringLiteral("103"),
                        QStringLiteral("abc")}));
  QCOMPARE(preview->trace->rows.read, std::int64_t{7});
  QCOMPARE(preview->trace->rows.imported, std::int64_t{5});
  QCOMPARE(preview->trace->rows.rejected, std::int64_t{1});
  QCOMPARE(preview->trace->rows.blank, std::int64_t{1});
  QCOMPARE(preview->summary.requests, std::int64_t{5});
  QCOMPARE(preview->summary.span_s, 3.0);
  QCOMPARE(preview->summary.input.max, 103.0);
  QCOMPARE(preview->summary.bin_s, 1.0);
  QCOMPARE(preview->summary.requests_per_s, (std::vector<double>{2, 2, 0, 1}));
  double shares = 0;
  for (const double percent : preview->summary.input_tokens.percent) shares += percent;
  QVERIFY(std::abs(shares - 100) < 1e-9);

  RejectedRowsModel rejected;
  rejected.set_trace(preview->trace);
  QCOMPARE(rejected.rowCount(), 1);
  QCOMPARE(rejected.index(0, RejectedRowsModel::Line).data().toString(), QStringLiteral("6"));
  QVERIFY(!rejected.index(0, RejectedRowsModel::Reason).data().toString().isEmpty());

  job.accept(session);
  QCOMPARE(session.trace()->name, std::string("mine.csv"));
  QVERIFY(!job.preview());
  session.undo_stack().undo();
  QVERIFY(!session.trace());
}

void JobsTest::a_file_that_is_no_trace_is_refused() {
  const Folder folder;
  ImportJob job;
  QSignalSpy failed(&job, &Job::failed);
  job.start(write(folder.file(QStringLiteral("x.csv")), "a,b\n1,2\n"));
  QVERIFY(failed.wait(kLong_ms));
  QVERIFY(failed.front().front().toString().contains(QStringLiteral("x.csv")));
  QVERIFY(!failed.front().front().toString().contains(QLatin1Char('\n')));
  QVERIFY(!job.preview());
}

void JobsTest::an_import_is_cancelled() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  ImportJob job;
  QSignalSpy cancelled(&job, &Job::cancelled), finished(&job, &Job::finished), progress(&job, &Job::progress);
  job.start(write(folder.file(QStringLiteral("large.csv")), csv_of(1'500'000)));
  QVERIFY(progress.wait(kLong_ms));
  job.cancel();
  QVERIFY(cancelled.wait(kLong_ms));
  QCOMPARE(finished.count(), 0);
  QVERIFY(!job.preview());
  job.accept(session);
  QVERIFY(!session.trace());
  QVERIFY(!session.is_modified());
}

void JobsTest::the_demand_of_a_scenario_is_summed_up() {
  const Folder folder;
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  DemandJob job;
  QSignalSpy finished(&job, &Job::finished);
  job.start(session);
  QVERIFY(finished.wait(kLong_ms));
  QVERIFY(job.summary());
  QVERIFY(job.name().endsWith(QStringLiteral("sample-chat.csv")));
  QVERIFY(job.summary()->requests > 1000);
  session.set_trace(std::make_shared<const data::Trace>(tiny_trace("mine.csv", 12)));
  job.start(session);
  QVERIFY(finished.wait(kLong_ms));
  QCOMPARE(job.name(), QStringLiteral("mine.csv"));
  QCOMPARE(job.summary()->requests, std::int64_t{12});
}

void JobsTest::exports_are_the_files_of_the_command_line() {
  const Folder folder;
  Session session;
  Planner planner(session);
  QSignalSpy planned(&planner, &Planner::finished);
  make_small(session);
  QVERIFY(planned.wait(kLong_ms));
  ExportJob job;
  QSignalSpy finished(&job, &Job::finished);
  const auto exported = [&](ExportFormat format, const QString& name) {
    const QString target = folder.file(name);
    job.start(format, target, session.result(), reports::Language::zh_CN);
    if (!finished.wait(kLong_ms)) return QByteArray("not finished");
    return format == ExportFormat::csv_tables ? read(target + QStringLiteral("/options.csv")) : read(target);
  };
  const QByteArray table = QByteArray::fromStdString(reports::option_table_csv(*session.result()));
  QCOMPARE(exported(ExportFormat::json, QStringLiteral("d.json")),
           QByteArray::fromStdString(data::dump(reports::to_json(*session.result()))));
  QCOMPARE(exported(ExportFormat::csv_table, QStringLiteral("d.csv")), table);
  QCOMPARE(exported(ExportFormat::csv_tables, QStringLiteral("tables/of/it")), table);
  QVERIFY(exported(ExportFormat::html, QStringLiteral("d.html")).contains("</html>"));
  if (can_export(ExportFormat::pdf)) {
    QVERIFY(exported(ExportFormat::pdf, QStringLiteral("d.pdf")).startsWith("%PDF-"));
  }
  if (can_export(ExportFormat::xlsx)) {
    QVERIFY(exported(ExportFormat::xlsx, QStringLiteral("d.xlsx")).startsWith("PK"));
  }
}

void JobsTest::an_export_that_cannot_be_written_fails() {
  ExportJob job;
  QSignalSpy failed(&job, &Job::failed);
  job.start(ExportFormat::json, QStringLiteral("/nowhere/d.json"), std::make_shared<const reports::Decision>(),
            reports::Language::en);
  QVERIFY(failed.wait(kLong_ms));
  QVERIFY(failed.front().front().toString().contains(QStringLiteral("/nowhere/d.json")));
}

void JobsTest::the_doctor_finds_this_machine() {
  qputenv("WEIR_PROBE", WEIR_BINARY_DIR "/bin/weir-probe");
  DoctorJob job;
  QSignalSpy finished(&job, &Job::finished);
  job.start();
  QVERIFY(finished.wait(kLong_ms));
  QVERIFY(job.findings().size() > 3);
  QVERIFY(!job.findings().front().value.isEmpty());
  QVERIFY(job.warnings() <= static_cast<int>(job.findings().size()));
}

/// A whole probe takes a minute; its lines and its end are what matters here.
void JobsTest::a_probe_is_cancelled() {
  qputenv("WEIR_PROBE", WEIR_BINARY_DIR "/bin/weir-probe");
  ProbeJob job;
  QSignalSpy progress(&job, &Job::progress), cancelled(&job, &Job::cancelled), failed(&job, &Job::failed);
  job.start();
  QVERIFY(progress.wait(kLong_ms));
  QVERIFY(!progress.front().at(1).toString().isEmpty());
  job.cancel();
  QVERIFY(cancelled.wait(kLong_ms));
  QCOMPARE(failed.count(), 0);
  QVERIFY(!job.calibration());

  qputenv("WEIR_PROBE", "/nowhere/weir-probe");
  job.start();
  QVERIFY(failed.wait(kLong_ms));
  QVERIFY(!failed.front().front().toString().contains(QLatin1Char('\n')));
}

}  // namespace weir::desktop

QTEST_MAIN(weir::desktop::JobsTest)
#include "jobs_test.moc"
