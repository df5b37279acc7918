#include "app/desktop/models/working_copy.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QProcess>
#include <QRandomGenerator>
#include <cstdio>
#include <cstring>

#include "data/store/project.h"
#include "tests/desktop/models/fixture.h"

namespace weir::desktop {
namespace {

constexpr double kStep = 1e-4;  // of the growth, from one saved state to the next

std::filesystem::path path_of(const QString& file) { return file.toStdString(); }

int state_of(const Session& session) {
  return static_cast<int>(std::lround(session.scenario().workloads.front().growth_per_year / kStep));
}

/// The child of the kill test: edits and saves for ever and says what it has done.
int save_for_ever(const QString& file) {
  Session session;
  session.open(file);
  for (int state = state_of(session) + 1;; ++state) {
    session.edit(QStringLiteral("next"), {},
                 [state](data::Scenario& s) { s.workloads.front().growth_per_year = state * kStep; });
    std::printf("edited %d\n", state);
    std::fflush(stdout);
    session.save();
    std::printf("saved %d\n", state);
    std::fflush(stdout);
  }
}

/// Another living window on a copy: it edits, says so and waits to be killed.
int edit_and_wait(const QString& file) {
  Session session;
  session.open(file);
  session.edit(QStringLiteral("edit"), {}, [](data::Scenario& s) { s.workloads.front().growth_per_year = 0.75; });
  QTimer::singleShot(600, [] {  // past the autosave
    std::printf("ready\n");
    std::fflush(stdout);
  });
  return QCoreApplication::exec();
}

/// Starts this program as one of its children.
void start(QProcess& child, const QString& what, const QString& file) {
  child.start(QCoreApplication::applicationFilePath(), {what, file});
  QVERIFY(child.waitForStarted());
}

void kill_now(QProcess& child) {
  ::kill(static_cast<pid_t>(child.processId()), SIGKILL);
  child.waitForFinished();
}

int last_number(const QByteArray& output, const QByteArray& word) {
  const qsizetype end = output.lastIndexOf('\n');
  const qsizetype at = output.left(end + 1).lastIndexOf(QByteArray(word + " "));
  return at < 0 ? -1 : output.mid(at + word.size() + 1, output.indexOf('\n', at) - at - word.size() - 1).toInt();
}

QString new_project(const Folder& folder) {
  const QString file = folder.file(QStringLiteral("project.weir"));
  Session session;
  session.new_from_template(QStringLiteral("llm-chat"));
  session.edit(QStringLiteral("zero"), {}, [](data::Scenario& s) { s.workloads.front().growth_per_year = 0; });
  session.set_trace(std::make_shared<const data::Trace>(tiny_trace("some.csv", 20'000)));  // so that a save takes time
  session.save_as(file);
  return file;
}

}  // namespace

class WorkingCopyTest : public QObject {
  Q_OBJECT

 private slots:
  void edits_do_not_touch_the_file_until_it_is_saved();
  void a_closed_copy_leaves_nothing();
  void a_copy_without_changes_is_not_offered();
  void the_copy_of_a_living_program_is_not_offered();
  void a_discarded_copy_is_gone();
  void permissions_and_links_of_the_target_stay();
  void a_target_that_cannot_be_written_is_one_line();
  void killed_at_any_moment_the_file_opens_with_a_saved_state();
};

void WorkingCopyTest::edits_do_not_touch_the_file_until_it_is_saved() {
  const Folder folder;
  const QString file = folder.file(QStringLiteral("p.weir"));
  data::Project::open(path_of(file), data::Project::Mode::create).put_document("run", "a", "1");
  const auto copy = WorkingCopy::create(file);
  copy->project().put_document("run", "a", "2");
  const auto in_file = [&] {
    return *data::Project::open(path_of(file), data::Project::Mode::read_only).document("run", "a");
  };
  QCOMPARE(in_file(), std::string("1"));
  copy->save_to(file);
  QCOMPARE(in_file(), std::string("2"));
  QCOMPARE(QDir(folder.file({})).entryList({QStringLiteral("*p.weir*")}, QDir::Files | QDir::Hidden),
           QStringList{QStringLiteral("p.weir")});
}

void WorkingCopyTest::a_closed_copy_leaves_nothing() {
  const Folder folder;
  WorkingCopy::create()->project().put_document("run", "a", "1");
  const QDir open(WorkingCopy::state_folder() + QStringLiteral("/open"));
  QVERIFY(open.exists());
  QVERIFY(open.entryList(QDir::Files | QDir::Hidden).isEmpty());
}

void WorkingCopyTest::a_copy_without_changes_is_not_offered() {
  const Folder folder;
  const QString file = new_project(folder);
  QProcess child;
  start(child, QStringLiteral("--save-for-ever"), file);
  QVERIFY(child.waitForReadyRead());
  kill_now(child);
  for (const RecoverableCopy& copy : WorkingCopy::recoverable()) WorkingCopy::discard(copy);
  const QDir open(WorkingCopy::state_folder() + QStringLiteral("/open"));
  QVERIFY(open.entryList(QDir::Files | QDir::Hidden).isEmpty());
}

void WorkingCopyTest::the_copy_of_a_living_program_is_not_offered() {
  const Folder folder;
  const QString file = new_project(folder);
  QProcess child;
  start(child, QStringLiteral("--edit-and-wait"), file);
  QVERIFY(child.waitForReadyRead());
  QVERIFY(WorkingCopy::recoverable().empty());
  kill_now(child);

  const auto offered = WorkingCopy::recoverable();
  QCOMPARE(offered.size(), std::size_t{1});
  QCOMPARE(offered.front().original, file);
  Session session;
  session.recover(offered.front());
  QCOMPARE(session.scenario().workloads.front().growth_per_year, 0.75);
  QCOMPARE(session.file(), file);
  QVERIFY(session.is_modified());
  QVERIFY(WorkingCopy::recoverable().empty());  // it has a window again
  QVERIFY(message_of<data::SystemError>([&] {
            WorkingCopy::adopt(offered.front());
          }).contains(QStringLiteral("open in another window")));
  session.save();
  QVERIFY(!session.is_modified());
  Session other;
  other.open(file);
  QCOMPARE(other.scenario().workloads.front().growth_per_year, 0.75);
  QCOMPARE(other.trace()->requests.size(), std::size_t{20'000});
}

void WorkingCopyTest::a_discarded_copy_is_gone() {
  const Folder folder;
  const QString file = new_project(folder);
  QProcess child;
  start(child, QStringLiteral("--edit-and-wait"), file);
  QVERIFY(child.waitForReadyRead());
  kill_now(child);
  WorkingCopy::discard(WorkingCopy::recoverable().front());
  QVERIFY(WorkingCopy::recoverable().empty());
}

void WorkingCopyTest::permissions_and_links_of_the_target_stay() {
  const Folder folder;
  const QString file = new_project(folder);
  QVERIFY(::chmod(qPrintable(file), 0640) == 0);
  const QString link = folder.file(QStringLiteral("link.weir"));
  QVERIFY(QFile::link(file, link));
  const auto copy = WorkingCopy::create(link);
  copy->project().put_document("run", "a", "1");
  copy->save_to(link);
  struct stat now {};
  QVERIFY(::stat(qPrintable(file), &now) == 0);
  QCOMPARE(static_cast<int>(now.st_mode & 07777), 0640);
  QVERIFY(QFileInfo(link).isSymLink());
  QVERIFY(data::Project::open(path_of(file), data::Project::Mode::read_only).document("run", "a"));
}

void WorkingCopyTest::a_target_that_cannot_be_written_is_one_line() {
  const Folder folder;
  const auto copy = WorkingCopy::create();
  const auto refused = [&](const QString& target) {
    return message_of<data::SystemError>([&] { copy->save_to(target); });
  };
  QCOMPARE(refused(folder.file({})), folder.file({}) + QStringLiteral(": is a folder, not a file"));
  const QString nowhere = folder.file(QStringLiteral("no/p.weir"));
  QVERIFY(refused(nowhere).startsWith(nowhere + QStringLiteral(": there is no folder")));
  QVERIFY(!refused(QStringLiteral("/proc/p.weir")).contains(QLatin1Char('\n')));
  QVERIFY(refused(QStringLiteral("/proc/p.weir")).contains(QStringLiteral("/proc/p.weir: cannot be written")));
}

void WorkingCopyTest::killed_at_any_moment_the_file_opens_with_a_saved_state() {
  const Folder folder;
  const QString file = new_project(folder);
  QRandomGenerator random(3);
  constexpr int kKills = 60;
  int offered_copies = 0, states_seen = 0, before = 0;
  for (int i = 0; i < kKills; ++i) {
    QProcess child;
    start(child, QStringLiteral("--save-for-ever"), file);
    QVERIFY(child.waitForReadyRead());
    QTest::qSleep(random.bounded(120));
    kill_now(child);
    QCOMPARE(child.exitStatus(), QProcess::CrashExit);
    const QByteArray output = child.readAllStandardOutput();
    const int confirmed = last_number(output, "saved"), begun = last_number(output, "edited");

    Session session;
    session.open(file);
    const int state = state_of(session);
    QVERIFY2(state >= std::max(confirmed, before), qPrintable(QString::number(state)));
    QVERIFY2(state <= begun, qPrintable(QString::number(state)));
    QCOMPARE(session.trace()->requests.size(), std::size_t{20'000});
    states_seen += state != before ? 1 : 0;
    before = state;
    session.close();

    const auto offered = WorkingCopy::recoverable();
    QVERIFY(offered.size() <= 1);
    if (offered.empty()) continue;  // the kill fell between a save and the next edit
    ++offered_copies;
    QCOMPARE(offered.front().original, file);
    Session recovered;
    recovered.recover(offered.front());
    QVERIFY(state_of(recovered) >= state);
    QVERIFY(state_of(recovered) <= begun);
  }
  QVERIFY2(states_seen > kKills / 2, qPrintable(QString::number(states_seen)));
  QVERIFY2(offered_copies > kKills / 4, qPrintable(QString::number(offered_copies)));
}

}  // namespace weir::desktop

int main(int argc, char** argv) {
  QCoreApplication application(argc, argv);
  if (argc == 3 && std::strcmp(argv[1], "--save-for-ever") == 0) {
    return weir::desktop::save_for_ever(QString::fromLocal8Bit(argv[2]));
  }
  if (argc == 3 && std::strcmp(argv[1], "--edit-and-wait") == 0) {
    return weir::desktop::edit_and_wait(QString::fromLocal8Bit(argv[2]));
  }
  weir::desktop::WorkingCopyTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "working_copy_test.moc"
