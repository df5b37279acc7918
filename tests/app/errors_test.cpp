#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "run_weir.h"

namespace weir::cli::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Errors : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file(scratch_ / "small.csv", small_trace());
    write_file(scratch_ / "small.json", small_scenario());
  }

  /// One clear line on stderr that names what is wrong, nothing on stdout.
  void expect_error(const std::vector<std::string>& arguments, int code, const std::vector<std::string>& names) {
    const Outcome outcome = weir(scratch_, arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith("weir: "));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    for (const std::string& name : names) EXPECT_THAT(outcome.err, HasSubstr(name));
  }

  Scratch scratch_;
};

TEST_F(Errors, WrongUsageIsTwo) {
  expect_error({"plan"}, 2, {"SCENARIO", "weir plan --help"});
  expect_error({"plan", "llm-chat", "--no-such-option"}, 2, {"--no-such-option"});
  expect_error({"plan", "llm-chat", "--threads", "0"}, 2, {"--threads"});
  expect_error({"no-such-command"}, 2, {"no-such-command"});
}

TEST_F(Errors, MissingFiles) {
  expect_error({"import", "nowhere.csv"}, 3, {"nowhere.csv"});
  expect_error({"plan", "nowhere.json"}, 3, {"nowhere.json"});
  expect_error({"plan", "small.json", "--trace", "nowhere.csv"}, 3, {"nowhere.csv"});
  expect_error({"plan", "small.json", "--calibration", "nowhere.json"}, 3, {"nowhere.json"});
}

TEST_F(Errors, NoUsableRow) {
  write_file(scratch_ / "bad.csv", "arrival_s,input_tokens,output_tokens\nx,y,z\n");
  expect_error({"import", "bad.csv"}, 3, {"bad.csv"});
}

TEST_F(Errors, UnknownModelNamesTheNearest) {
  std::string scenario = small_scenario();
  scenario.replace(scenario.find("llama-3.1-8b"), 12, "llama-3.1-9b");
  write_file(scratch_ / "bad.json", scenario);
  expect_error({"plan", "bad.json"}, 3, {"llama-3.1-9b", "llama-3.1-8b"});
}

TEST_F(Errors, NegativePriceOverride) {
  write_file(scratch_ / "bad.json", small_scenario(R"(,"cost":{"overrides":{"server_price_usd.l4":-5}})"));
  expect_error({"plan", "bad.json"}, 3, {"server_price_usd.l4", "-5"});
}

TEST_F(Errors, TargetOfZero) {
  write_file(scratch_ / "bad.json", small_scenario("", R"({"ttft_s":{"p99":0}})"));
  expect_error({"plan", "bad.json"}, 3, {"bad.json", "ttft_s", "p99"});
}

TEST_F(Errors, ProjectOfANewerVersion) {
  ASSERT_EQ(weir(scratch_, {"import", "small.csv", "--project", "p.weir"}).code, 0);
  std::string bytes = read_file(scratch_ / "p.weir");
  ASSERT_GT(bytes.size(), 100u);
  bytes[60] = bytes[61] = bytes[62] = 0;  // user_version in the SQLite header, big endian
  bytes[63] = 99;
  write_file(scratch_ / "p.weir", bytes);
  expect_error({"plan", "small.json", "--project", "p.weir"}, 3, {"p.weir", "99"});
}

TEST_F(Errors, UnwritableFolderIsFoundBeforeTheWork) {
  write_file(scratch_ / "file", "");
  expect_error({"plan", "small.json", "--json", "no-such-folder/plan.json"}, 1, {"no-such-folder"});
  expect_error({"plan", "small.json", "--html", "file/plan.html"}, 1, {"file"});
  expect_error({"demo", "--no-probe", "--out", "file/out"}, 1, {"file/out"});
}

/// SQLite's own lock on a file, held as another program that writes would hold it.
class WriteLock {
 public:
  explicit WriteLock(const fs::path& file) : file_(open(file.c_str(), O_RDWR)) {
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = 0x40000001;  // RESERVED_BYTE: readers go on, a second writer waits
    lock.l_len = 1;
    held_ = fcntl(file_, F_SETLK, &lock) == 0;
  }
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;
  ~WriteLock() { close(file_); }
  bool held() const { return held_; }

 private:
  int file_;
  bool held_ = false;
};

TEST_F(Errors, LockedProjectCanBeReadButNotWritten) {
  ASSERT_EQ(weir(scratch_, {"plan", "small.json", "--trace", "small.csv", "--project", "p.weir"}).code, 0);
  const std::string before = read_file(scratch_ / "p.weir");
  const WriteLock lock(scratch_ / "p.weir");
  ASSERT_TRUE(lock.held());
  expect_error({"import", "small.csv", "--project", "p.weir"}, 1, {"p.weir"});
  const Outcome reading = weir(scratch_, {"report", "--project", "p.weir", "--json", "-"});
  EXPECT_EQ(reading.code, 0) << reading.err;
  EXPECT_THAT(reading.out, HasSubstr("weir.plan/1"));
  EXPECT_EQ(read_file(scratch_ / "p.weir"), before);
}

TEST_F(Errors, BrokenRowIsCountedNotFatal) {
  write_file(scratch_ / "broken.csv", small_trace() + "oops,1,2\n");
  const Outcome outcome = weir(scratch_, {"import", "broken.csv", "--json", "-"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\"read\": 121"));
  EXPECT_THAT(outcome.out, HasSubstr("\"imported\": 120"));
  EXPECT_THAT(outcome.out, HasSubstr("\"rejected\": 1"));
  EXPECT_THAT(outcome.out, HasSubstr("\"line\": 122"));
}

}  // namespace
}  // namespace weir::cli::testing
