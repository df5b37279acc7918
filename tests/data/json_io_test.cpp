#include "data/json_io.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "data/errors.h"
#include "data/json_reader.h"
#include "data/nearest.h"
#include "tests/data/temporary_folder.h"

namespace weir::data {
namespace {

using nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

TEST(ReadJson, NamesLineAndColumnOfASyntaxError) {
  const TemporaryFolder folder;
  // The comma after 1 is missing: the parser stops at the quote of "b", which is column 3 of line 3.
  const auto file = folder.write("a.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n");
  EXPECT_THAT(message_of([&] { read_json_file(file); }), HasSubstr(file.string() + ": line 3, column"));
}

TEST(ReadJson, RefusesMissingEmptyAndFolder) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of([&] { read_json_file(folder.path() / "none.json"); }), HasSubstr("no such file"));
  EXPECT_THAT(message_of([&] { read_json_file(folder.write("e.json", "")); }), HasSubstr("empty"));
  EXPECT_THAT(message_of([&] { read_json_file(folder.path()); }), HasSubstr("folder"));
}

TEST(ReadJson, SkipsAByteOrderMark) { EXPECT_EQ(parse_json("\xEF\xBB\xBF{\"a\": 1}", "f")["a"], 1); }

TEST(ReadJson, RefusesAKeyThatStandsTwice) {
  EXPECT_THAT(message_of([] { parse_json(R"({"a": {"b": 1, "b": 2}})", "f"); }), HasSubstr("\"b\""));
  EXPECT_NO_THROW(parse_json(R"({"a": {"b": 1}, "c": {"b": 2}})", "f"));
}

TEST(ReadJson, RefusesAbsurdDepth) {
  const std::size_t levels = 100000;
  const std::string text = std::string(levels, '[') + std::string(levels, ']');
  EXPECT_THAT(message_of([&] { parse_json(text, "f"); }), HasSubstr("nested deeper"));
  EXPECT_THAT(message_of([&] { parse_json(std::string(levels, '['), "f"); }), HasSubstr("nested deeper"));
  EXPECT_NO_THROW(parse_json(std::string(90, '[') + std::string(90, ']'), "f"));
}

TEST(ReadJson, RefusesBareNaNAndNumbersNoDoubleHolds) {
  EXPECT_THAT(message_of([] { parse_json("{\"a\": NaN}", "f"); }), HasSubstr("line 1, column"));
  EXPECT_THAT(message_of([] { parse_json("{\"a\": 1e999}", "f"); }), HasSubstr("expected JSON"));
}

TEST(RequireSchema, ReadsMinorVersionsAndRefusesOthers) {
  const auto check = [](const char* text) {
    return message_of([&] { require_schema(ordered_json{{"schema", text}}, "f", "run"); });
  };
  EXPECT_EQ(check("weir.run/1"), "no InputError");
  EXPECT_EQ(check("weir.run/1.12"), "no InputError");
  EXPECT_THAT(check("weir.run/2"), HasSubstr("newer version"));
  EXPECT_THAT(check("weir.run/2.1"), HasSubstr("newer version"));
  for (const char* bad : {"weir.plan/1", "weir.run/", "weir.run/0", "weir.run/1.", "weir.run/1x", "weir.run", ""}) {
    EXPECT_THAT(check(bad), HasSubstr("/schema")) << bad;
  }
  EXPECT_THAT(message_of([] { require_schema(ordered_json::object(), "f", "run"); }), HasSubstr("missing"));
  EXPECT_THAT(message_of([] { require_schema(ordered_json::array(), "f", "run"); }), HasSubstr("object"));
}

TEST(Dump, RefusesWhatIsNoNumber) {
  EXPECT_THROW(dump(ordered_json{{"a", {1.0, std::nan("")}}}), std::logic_error);
  EXPECT_THROW(dump(ordered_json(std::numeric_limits<double>::infinity())), std::logic_error);
}

TEST(Dump, IndentsByTwoAndEndsWithANewline) {
  EXPECT_EQ(dump(ordered_json{{"b", 0.1}, {"a", {1, 2}}}), "{\n  \"b\": 0.1,\n  \"a\": [\n    1,\n    2\n  ]\n}\n");
}

RC_GTEST_PROP(Dump, EveryFiniteDoubleReadsBackExactly, (std::uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const auto back = parse_json(dump(ordered_json{{"x", value}}), "f");
  RC_ASSERT(std::bit_cast<std::uint64_t>(back["x"].get<double>()) == bits);
}

TEST(WriteFile, ReplacesAndLeavesNoTemporaryBehind) {
  const TemporaryFolder folder;
  const auto file = folder.write("out.json", "old");
  write_file_atomically(file, "new\n");
  EXPECT_EQ(read_text(file), "new\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WriteFile, KeepsTheModeOfTheTarget) {
  const TemporaryFolder folder;
  const auto file = folder.write("out.json", "old");
  using std::filesystem::perms;
  const auto mode = perms::owner_read | perms::owner_write | perms::group_read;
  std::filesystem::permissions(file, mode);
  write_file_atomically(file, "new");
  EXPECT_EQ(std::filesystem::status(file).permissions(), mode);
}

TEST(WriteFile, WritesThroughASymbolicLink) {
  const TemporaryFolder folder;
  const auto file = folder.write("real.json", "old");
  const auto link = folder.path() / "link.json";
  std::filesystem::create_symlink("real.json", link);
  write_file_atomically(link, "new");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read_text(file), "new");
}

TEST(WriteFile, RefusesMissingFoldersAndFolders) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_file_atomically(folder.path() / "none" / "out.json", "x"), SystemError);
  EXPECT_THROW(write_file_atomically(folder.path(), "x"), SystemError);
}

TEST(WriteFile, RefusesAnUnwritableFolderAndKeepsTheOldFile) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TemporaryFolder folder;
  const auto file = folder.write("out.json", "old");
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_THROW(write_file_atomically(file, "new"), SystemError);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  EXPECT_EQ(read_text(file), "old");
}

TEST(JsonReader, EscapesPointersAndNamesTheNearestKey) {
  const auto json = parse_json(R"({"a/b~c": {"shaer": 1}})", "f");
  const JsonReader reader(json, "f");
  const auto inner = reader.object({"a/b~c"}).at("a/b~c");
  EXPECT_EQ(inner.pointer(), "/a~1b~0c");
  const auto text = message_of([&] { inner.object({"share", "name"}); });
  EXPECT_THAT(text, HasSubstr("/a~1b~0c/shaer"));
  EXPECT_THAT(text, HasSubstr("did you mean \"share\""));
}

TEST(JsonReader, IntegersMayBeWrittenAsWholeDoublesOnly) {
  const auto json = parse_json(R"([3.0, 3.5, 18446744073709551615, "3", -1, 1e300])", "f");
  const auto entries = JsonReader(json, "f").array();
  EXPECT_EQ(entries[0].integer(0, 10), 3);
  for (const std::size_t i : {1u, 2u, 3u, 4u, 5u}) EXPECT_THROW(entries[i].integer(0, 10), InputError) << i;
}

TEST(JsonReader, SaysWhatIsAllowed) {
  const auto json = parse_json(R"([0, 1.5, "fp12"])", "f.json");
  const auto entries = JsonReader(json, "f.json").array();
  EXPECT_EQ(message_of([&] { entries[0].number(kPositive); }), "f.json: /0: 0 is not allowed: expected a number > 0");
  EXPECT_EQ(message_of([&] { entries[1].number(kPositiveFraction); }),
            "f.json: /1: 1.5 is not allowed: expected a number > 0 and <= 1");
  EXPECT_THAT(message_of([&] { entries[2].precision(); }), HasSubstr("\"fp12\" is not allowed: expected one of"));
}

TEST(NearestNames, FewestEditsFirstAndLongerSpellingsBefore) {
  // Edits: t4 -> t5 1, l4 2, a10 3.
  EXPECT_THAT(nearest_names("t5", {"a10", "l4", "t4"}, 2), ElementsAre("t4", "l4"));
  // "a10" is one edit from "a100", yet the names that begin with it are what was meant.
  EXPECT_THAT(nearest_names("A100", {"a10", "a100-pcie-80gb", "a100-sxm4-80gb"}, 2),
              ElementsAre("a100-pcie-80gb", "a100-sxm4-80gb"));
  EXPECT_TRUE(nearest_names("x", {}).empty());
}

}  // namespace
}  // namespace weir::data
