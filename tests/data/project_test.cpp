#include "data/store/project.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "data/errors.h"
#include "data/store/trace_columns.h"
#include "tests/data/temporary_folder.h"

namespace weir::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A trace of more than one chunk with every field in use.
Trace sample_trace(std::size_t requests) {
  Trace trace;
  trace.name = "chat \xE5\x80\xBC.csv";
  trace.format = "plain-csv";
  trace.class_names = {"interactive", "batch"};
  trace.origin = "2026-03-02T09:00:00Z";
  trace.rejected = {{3, "no tokens"}, {9, "repeated \"header\""}};
  trace.warnings = {"columns not used: note"};
  std::mt19937_64 engine(7);
  std::int64_t arrival = 0;
  for (std::size_t i = 0; i < requests; ++i) {
    Request request;
    arrival += static_cast<std::int64_t>(engine() % 1'000'000'000);
    request.arrival_ns = i == 0 ? 0 : arrival;
    request.input_tokens = static_cast<std::int32_t>(engine() % 100'000'000);
    request.output_tokens = static_cast<std::int32_t>(engine() % 5000);
    request.items = static_cast<std::int32_t>(engine() % 17);
    request.class_index = static_cast<std::int16_t>(static_cast<int>(engine() % 3) - 1);
    request.status = static_cast<RequestStatus>(engine() % 7);
    if (engine() % 2 == 0) request.client = static_cast<std::int32_t>(engine() % 5);
    if (engine() % 4 != 0) {
      Prompt prompt;
      prompt.first_hash = static_cast<std::int64_t>(trace.hashes.size());
      prompt.hash_count = static_cast<std::int32_t>(engine() % 4);
      for (int k = 0; k < prompt.hash_count; ++k) trace.hashes.push_back(engine());
      prompt.session = static_cast<std::int32_t>(engine() % 100) - 1;
      prompt.turn = static_cast<std::int32_t>(engine() % 10) - 1;
      request.prompt = static_cast<std::int32_t>(trace.prompts.size());
      trace.prompts.push_back(prompt);
    }
    trace.requests.push_back(request);
  }
  trace.tokens_per_hash = 512;
  trace.rows = {static_cast<std::int64_t>(requests) + 3, static_cast<std::int64_t>(requests), 2, 1};
  return trace;
}

Prompt prompt_of(const Trace& trace, const Request& request) {
  return request.prompt < 0 ? Prompt{} : trace.prompts.at(static_cast<std::size_t>(request.prompt));
}

void expect_equal(const Trace& a, const Trace& b) {
  EXPECT_EQ(a.tokens_per_hash, b.tokens_per_hash);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.format, b.format);
  EXPECT_EQ(a.class_names, b.class_names);
  EXPECT_EQ(a.origin, b.origin);
  EXPECT_EQ(a.warnings, b.warnings);
  EXPECT_EQ(a.rows.read, b.rows.read);
  EXPECT_EQ(a.rows.imported, b.rows.imported);
  EXPECT_EQ(a.rows.rejected, b.rows.rejected);
  EXPECT_EQ(a.rows.blank, b.rows.blank);
  ASSERT_EQ(a.rejected.size(), b.rejected.size());
  for (std::size_t i = 0; i < a.rejected.size(); ++i) {
    EXPECT_EQ(a.rejected[i].line, b.rejected[i].line);
    EXPECT_EQ(a.rejected[i].reason, b.rejected[i].reason);
  }
  ASSERT_EQ(a.requests.size(), b.requests.size());
  for (std::size_t i = 0; i < a.requests.size(); ++i) {
    const Request &x = a.requests[i], &y = b.requests[i];
    ASSERT_TRUE(x.arrival_ns == y.arrival_ns && x.input_tokens == y.input_tokens &&
                x.output_tokens == y.output_tokens && x.items == y.items && x.class_index == y.class_index &&
                x.status == y.status && x.client == y.client)
        << "request " << i;
    const Prompt p = prompt_of(a, x), q = prompt_of(b, y);
    ASSERT_TRUE(p.session == q.session && p.turn == q.turn) << "request " << i;
    const auto h = a.hashes_of(x), k = b.hashes_of(y);
    ASSERT_TRUE(std::equal(h.begin(), h.end(), k.begin(), k.end())) << "request " << i;
  }
}

template <typename Error, typename Work>
std::string message_of(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error of this kind";
}

class ProjectFile : public ::testing::Test {
 protected:
  Project create() const { return Project::open(file_, Project::Mode::create); }
  Project writable() const { return Project::open(file_, Project::Mode::read_write); }
  Project readable() const { return Project::open(file_, Project::Mode::read_only); }
  void change(const std::string& sql) const { SQLite::Database(file_.string(), SQLite::OPEN_READWRITE).exec(sql); }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "a project #1%?.weir";
};

TEST_F(ProjectFile, DocumentsRoundTrip) {
  {
    Project project = create();
    project.put_document("scenario", "b", "{\"x\": 1}");
    project.put_document("scenario", "a", "{}");
    project.put_document("run", "a", "[]");
    project.put_document("scenario", "b", "{\"x\": 2, \"t\": \"\xE5\x80\xBC\"}");
  }
  const Project project = readable();
  EXPECT_THAT(project.document_names("scenario"), ElementsAre("a", "b"));
  EXPECT_EQ(project.document("scenario", "b").value_or(""), "{\"x\": 2, \"t\": \"\xE5\x80\xBC\"}");
  EXPECT_EQ(project.document("run", "a").value_or(""), "[]");
  EXPECT_FALSE(project.document("plan", "a"));
  EXPECT_TRUE(project.document_names("plan").empty());
}

TEST_F(ProjectFile, TracesRoundTripOverChunks) {
  for (const std::size_t requests : {std::size_t{1}, kChunkRequests, kChunkRequests + 17}) {
    const Trace trace = sample_trace(requests);
    create().put_trace(trace);  // also replaces the one of the same name
    const Project project = readable();
    EXPECT_THAT(project.trace_names(), ElementsAre(trace.name));
    const auto found = project.trace(trace.name);
    ASSERT_TRUE(found);
    expect_equal(*found, trace);
    EXPECT_FALSE(project.trace("other"));
  }
}

TEST_F(ProjectFile, IsOneFileWithItsMarks) {
  create().put_trace(sample_trace(10));
  SQLite::Database database(file_.string());
  EXPECT_EQ(database.execAndGet("PRAGMA application_id").getInt(), 0x57656972);
  EXPECT_EQ(database.execAndGet("PRAGMA user_version").getInt(), 2);
  EXPECT_EQ(database.execAndGet("PRAGMA journal_mode").getString(), "delete");
  EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(ProjectFile, CreateOpensWhatIsThere) {
  create().put_document("run", "kept", "1");
  EXPECT_EQ(create().document("run", "kept").value_or(""), "1");
}

TEST_F(ProjectFile, ForeignFilesAreRefused) {
  EXPECT_THAT(message_of<InputError>([&] { readable(); }), HasSubstr("there is no such file"));
  EXPECT_THAT(message_of<InputError>([&] { Project::open(folder_.path(), Project::Mode::read_only); }),
              HasSubstr("is a folder"));
  std::string bytes(100'000, '\0');
  std::mt19937 engine(3);
  for (char& c : bytes) c = static_cast<char>(engine());
  const auto noise = folder_.write("noise.weir", bytes);
  for (const auto mode : {Project::Mode::read_only, Project::Mode::read_write, Project::Mode::create}) {
    EXPECT_THAT(message_of<InputError>([&] { Project::open(noise, mode); }), HasSubstr("is not a Weir project"));
  }
  EXPECT_EQ(read_text(noise), bytes);
  const auto half = folder_.write("half.weir", std::string("SQLite format 3\0", 16) + bytes);
  EXPECT_THAT(message_of<InputError>([&] { Project::open(half, Project::Mode::read_only); }),
              HasSubstr("Weir project"));
  const auto empty = folder_.write("empty.weir", "");
  EXPECT_THAT(message_of<InputError>([&] { Project::open(empty, Project::Mode::read_only); }), HasSubstr("is empty"));
  EXPECT_NO_THROW(Project::open(empty, Project::Mode::create));
}

TEST_F(ProjectFile, OtherDatabasesAndNewerVersionsAreRefused) {
  create();
  change("PRAGMA user_version=3");
  const std::string before = read_text(file_);
  for (const auto mode : {Project::Mode::read_only, Project::Mode::read_write, Project::Mode::create}) {
    EXPECT_THAT(message_of<InputError>([&] { Project::open(file_, mode); }),
                HasSubstr("newer version of Weir (project version 3; this one reads up to 2)"));
  }
  EXPECT_EQ(read_text(file_), before);
  change("PRAGMA user_version=2; PRAGMA application_id=5");
  EXPECT_THAT(message_of<InputError>([&] { create(); }), HasSubstr("another program"));
}

/// A file as version 1 wrote it.
TEST_F(ProjectFile, VersionOneIsReadAndMigratedByTheNextWrite) {
  Trace trace = sample_trace(100);
  trace.prompts.clear();
  trace.hashes.clear();
  trace.tokens_per_hash = 0;
  for (Request& request : trace.requests) request.prompt = request.client = -1;
  create().put_trace(trace);
  change("DROP TABLE trace_prompts; ALTER TABLE traces DROP COLUMN tokens_per_hash; PRAGMA user_version=1");
  expect_equal(readable().trace(trace.name).value(), trace);
  Trace other = sample_trace(50);
  other.name = "other.jsonl";
  writable().put_trace(other);
  expect_equal(readable().trace(trace.name).value(), trace);
  expect_equal(readable().trace(other.name).value(), other);
  EXPECT_EQ(SQLite::Database(file_.string()).execAndGet("PRAGMA user_version").getInt(), 2);
}

TEST_F(ProjectFile, DamagedPromptsAreNamed) {
  const std::string name = sample_trace(1).name;
  for (const char* damage : {"UPDATE trace_prompts SET hashes = x'00'", "UPDATE trace_prompts SET session = x'00'",
                             "UPDATE trace_prompts SET hash_count = session", "UPDATE trace_prompts SET chunk = 7",
                             "UPDATE traces SET tokens_per_hash = 0"}) {
    create().put_trace(sample_trace(100));
    change(damage);
    EXPECT_THAT(message_of<InputError>([&] { readable().trace(name); }),
                HasSubstr("damaged: the requests of the trace"))
        << damage;
  }
}

TEST_F(ProjectFile, PromptsTakeNoRoomWhereThereAreNone) {
  Trace trace = sample_trace(10);
  for (Request& request : trace.requests) request.prompt = request.client = -1;
  create().put_trace(trace);
  EXPECT_EQ(SQLite::Database(file_.string()).execAndGet("SELECT count(*) FROM trace_prompts").getInt(), 0);
}

TEST_F(ProjectFile, DamageIsNamed) {
  create().put_trace(sample_trace(100));
  const std::string name = sample_trace(1).name;
  change("UPDATE trace_chunks SET input_tokens = x'00'");
  EXPECT_THAT(message_of<InputError>([&] { readable().trace(name); }), HasSubstr("damaged: the requests of the trace"));
  change("UPDATE traces SET warnings = '{'");
  EXPECT_THAT(message_of<InputError>([&] { readable().trace(name); }), HasSubstr("damaged: the description"));
  change("DROP TABLE documents");
  EXPECT_THAT(message_of<InputError>([&] { readable().document("run", "x"); }), HasSubstr("damaged"));
}

TEST_F(ProjectFile, ReadOnlyModeRefusesToWrite) {
  create().put_document("run", "a", "1");
  Project project = readable();
  EXPECT_THAT(message_of<SystemError>([&] { project.put_document("run", "a", "2"); }), HasSubstr("reading only"));
  EXPECT_EQ(project.document("run", "a").value_or(""), "1");
}

TEST_F(ProjectFile, DocumentsAreWrittenTogetherAndRemoved) {
  Project project = create();
  project.put_documents({{"scenario", "a", "1"}, {"scenario", "b", "2"}, {"plan", "a", "3"}});
  EXPECT_THAT(project.document_names("scenario"), ElementsAre("a", "b"));
  project.remove_document("scenario", "a");
  project.remove_document("scenario", "never there");
  EXPECT_THAT(project.document_names("scenario"), ElementsAre("b"));
  EXPECT_EQ(project.document("plan", "a").value_or(""), "3");
  project.put_trace(sample_trace(10));
  project.remove_trace(sample_trace(10).name);
  EXPECT_TRUE(project.trace_names().empty());
  EXPECT_EQ(SQLite::Database(file_.string()).execAndGet("SELECT count(*) FROM trace_chunks").getInt(), 0);
  EXPECT_EQ(SQLite::Database(file_.string()).execAndGet("SELECT count(*) FROM trace_prompts").getInt(), 0);
}

TEST_F(ProjectFile, ACopyIsAWholeProject) {
  const Trace trace = sample_trace(kChunkRequests + 5);
  Project project = create();
  project.put_trace(trace);
  project.put_document("run", "a", "1");
  const auto target = folder_.path() / "copy of it.weir";
  project.save_copy_to(target);
  project.put_document("run", "a", "2");
  const Project copy = Project::open(target, Project::Mode::read_only);
  EXPECT_EQ(copy.document("run", "a").value_or(""), "1");
  expect_equal(copy.trace(trace.name).value(), trace);
  SQLite::Database database(target.string());
  EXPECT_EQ(database.execAndGet("PRAGMA journal_mode").getString(), "delete");
  EXPECT_EQ(database.execAndGet("PRAGMA application_id").getInt(), 0x57656972);
  EXPECT_EQ(database.execAndGet("PRAGMA user_version").getInt(), 2);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 2);
}

TEST_F(ProjectFile, ACopyOverALockedFileIsRefused) {
  create().put_document("run", "a", "old");
  const auto source = folder_.path() / "source.weir";
  Project project = Project::open(source, Project::Mode::create);
  project.put_document("run", "a", "new");
  {
    SQLite::Database other(file_.string(), SQLite::OPEN_READWRITE);
    other.exec("BEGIN IMMEDIATE");
    EXPECT_THAT(message_of<SystemError>([&] { project.save_copy_to(file_); }),
                HasSubstr("is locked by another program; nothing was written"));
  }
  EXPECT_EQ(readable().document("run", "a").value_or(""), "old");
  project.save_copy_to(file_);
  EXPECT_EQ(readable().document("run", "a").value_or(""), "new");
}

TEST_F(ProjectFile, AJournalOfAFileThatIsGoneDoesNotSpoilTheCopy) {
  const auto source = folder_.path() / "source.weir";
  Project project = Project::open(source, Project::Mode::create);
  project.put_document("run", "a", "new");
  folder_.write(file_.filename().string() + "-journal", std::string(4096, 'x'));
  folder_.write("." + file_.filename().string() + ".saving", std::string(100'000, 'x'));  // of a killed program
  project.save_copy_to(file_);
  EXPECT_EQ(readable().document("run", "a").value_or(""), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 2);
}

TEST_F(ProjectFile, ALockedFileIsReadAndNotWritten) {
  create().put_document("run", "a", "1");
  for (const char* lock : {"BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"}) {
    SQLite::Database other(file_.string(), SQLite::OPEN_READWRITE);
    other.exec(lock);
    EXPECT_EQ(readable().document("run", "a").value_or(""), "1") << lock;
    Project project = writable();
    EXPECT_EQ(project.document("run", "a").value_or(""), "1") << lock;
    const std::string message = message_of<SystemError>([&] { project.put_document("run", "a", "2"); });
    EXPECT_THAT(message, HasSubstr("is locked by another program; nothing was written")) << lock;
    other.exec("ROLLBACK");
    EXPECT_EQ(project.document("run", "a").value_or(""), "1");
    project.put_document("run", "a", "1");  // free again
  }
}

TEST_F(ProjectFile, AWriteThatFailsHalfwayLeavesNothing) {
  const Trace trace = sample_trace(kChunkRequests + 1);
  create().put_trace(trace);
  change("CREATE TRIGGER stop BEFORE INSERT ON trace_chunks WHEN NEW.chunk = 1 BEGIN SELECT RAISE(ABORT, 'no'); END");
  Trace other = trace;
  other.format = "vidur";
  EXPECT_THROW(writable().put_trace(other), InputError);
  expect_equal(readable().trace(trace.name).value(), trace);
}

/// Runs work in a child process that is killed after `delay_us`, or ends by itself. True when it was killed.
template <typename Work>
bool run_and_kill(Work work, int delay_us) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      work();
    } catch (...) {
      ::_exit(3);
    }
    ::_exit(0);
  }
  ::usleep(static_cast<useconds_t>(delay_us));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

TEST_F(ProjectFile, SurvivesAKillAtAnyPointOfAWrite) {
  const Trace old_trace = sample_trace(20'000);
  create().put_trace(old_trace);
  Trace new_trace = old_trace;
  new_trace.format = "vidur";
  int killed = 0;
  // A write takes some tens of milliseconds and the child repeats it, so the kills fall on every part of it.
  for (int delay_us = 0; delay_us < 160'000; delay_us += 8'000) {
    killed += run_and_kill(
                  [&] {
                    Project project = writable();
                    for (;;) {
                      project.put_trace(new_trace);
                      project.put_trace(old_trace);
                    }
                  },
                  delay_us)
                  ? 1
                  : 0;
    // A reader alone finds one state or the other, whole, even when a journal was left behind.
    const auto found = readable().trace(old_trace.name);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->requests.size(), old_trace.requests.size());
    ASSERT_TRUE(found->format == "vidur" || found->format == "plain-csv");
  }
  EXPECT_EQ(killed, 20);
  EXPECT_EQ(SQLite::Database(file_.string()).execAndGet("PRAGMA integrity_check").getString(), "ok");
}

TEST_F(ProjectFile, AJournalLeftBehindIsRolledBackForAReader) {
  create().put_document("run", "a", "1");
  // A child that dies inside a transaction whose pages were already spilled into the file leaves a hot journal.
  const pid_t child = ::fork();
  if (child == 0) {
    SQLite::Database database(file_.string(), SQLite::OPEN_READWRITE);
    database.exec("PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN IMMEDIATE; UPDATE documents SET json = 'torn';");
    SQLite::Statement insert(database, "INSERT INTO documents VALUES ('run', ?, ?)");
    for (int i = 0; i < 200; ++i) {
      insert.reset();
      insert.bind(1, "x" + std::to_string(i));
      insert.bind(2, std::string(8000, 'x'));
      insert.exec();
    }
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_TRUE(std::filesystem::exists(file_.string() + "-journal"));
  const Project project = readable();
  EXPECT_EQ(project.document("run", "a").value_or(""), "1");
  EXPECT_THAT(project.document_names("run"), ElementsAre("a"));
}

TEST_F(ProjectFile, CreationSurvivesAKill) {
  for (int delay_us = 0; delay_us < 20'000; delay_us += 1'000) {
    run_and_kill([&] { create().put_document("run", "a", "1"); }, delay_us);
    Project project = create();  // whatever was left is a project or becomes one
    project.put_document("run", "b", "2");
    EXPECT_EQ(readable().document("run", "b").value_or(""), "2");
    std::filesystem::remove(file_);
  }
}

/// Runs work as a user without rights over the folder; the child's exit code.
template <typename Work>
int as_nobody(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::seteuid(65534) != 0) ::_exit(99);
    int code = 1;
    try {
      code = work();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(ProjectFile, AFolderThatRefusesWritingIsReadable) {
  create().put_document("run", "a", "1");
  ::chmod(file_.c_str(), 0666);
  ::chmod(folder_.path().c_str(), 0555);
  const int code = as_nobody([&] {
    if (readable().document("run", "a") != "1") return 2;
    Project project = writable();
    if (project.document("run", "a") != "1") return 3;
    const std::string message = message_of<SystemError>([&] { project.put_document("run", "a", "2"); });
    if (message.find("cannot be written") == std::string::npos) return 4;
    const std::string made =
        message_of<SystemError>([&] { Project::open(folder_.path() / "new.weir", Project::Mode::create); });
    return made.find("cannot be written") == std::string::npos ? 5 : 0;
  });
  ::chmod(file_.c_str(), 0444);
  const int file_code = as_nobody([&] {
    Project project = writable();
    if (project.document("run", "a") != "1") return 6;
    const std::string message = message_of<SystemError>([&] { project.put_document("run", "a", "2"); });
    return message.find("write-protected") == std::string::npos ? 7 : 0;
  });
  ::chmod(folder_.path().c_str(), 0755);
  EXPECT_EQ(code, 0);
  EXPECT_EQ(file_code, 0);
  EXPECT_EQ(readable().document("run", "a").value_or(""), "1");
}

}  // namespace
}  // namespace weir::data
