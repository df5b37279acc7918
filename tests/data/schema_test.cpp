// The samples of data/schema: what the schema files accept the loaders accept, and the other way round.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "data/calibration.h"
#include "data/catalog.h"
#include "data/efficiency.h"
#include "data/errors.h"
#include "data/json_io.h"
#include "data/scenario.h"
#include "tests/data/temporary_folder.h"

namespace weir::data {
namespace {

namespace fs = std::filesystem;

const fs::path kSamples = fs::path(WEIR_SOURCE_DIR) / "data/schema/samples";

std::string format_of(const fs::path& file) {
  const std::string stem = file.stem().string();
  return stem.substr(0, stem.find('-'));
}

/// Loads a file of any format that has a loader; false for the results, which only programs write.
bool load(const fs::path& file) {
  const std::string format = format_of(file);
  if (format == "scenario") {
    load_scenario(file);
  } else if (format == "calibration") {
    load_calibration(file);
  } else if (format == "efficiency") {
    EfficiencyTable::load(file);
  } else if (format == "hardware" || format == "models" || format == "prices" || format == "economics" ||
             format == "networks") {
    const TemporaryFolder folder;
    folder.write(format + ".json", read_text(file));
    Catalog::load(folder.path());
  } else {
    return false;
  }
  return true;
}

std::vector<fs::path> good_samples(const std::string& format) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kSamples / "good")) {
    if (format_of(entry.path()) == format) files.push_back(entry.path());
  }
  return files;
}

struct BadSample {
  fs::path file;
  std::string pointer;
};

std::vector<BadSample> bad_samples() {
  std::vector<BadSample> all;
  std::ifstream stream(kSamples / "bad/expected.txt");
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name, pointer;
    words >> name >> pointer;
    all.push_back({kSamples / "bad" / name, pointer});
  }
  return all;
}

TEST(Samples, GoodOnesLoad) {
  int loaded = 0;
  for (const auto& entry : fs::directory_iterator(kSamples / "good")) {
    try {
      loaded += load(entry.path()) ? 1 : 0;
    } catch (const InputError& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GE(loaded, 11);
}

TEST(Samples, BadOnesAreRefusedAtTheirFault) {
  int refused = 0;
  for (const BadSample& sample : bad_samples()) {
    try {
      if (load(sample.file)) ADD_FAILURE() << sample.file << " was read";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(": " + sample.pointer + ": ")) << sample.file;
      ++refused;
    }
  }
  EXPECT_GE(refused, 55);
}

TEST(Samples, ScenariosRoundTrip) {
  const auto files = good_samples("scenario");
  ASSERT_GE(files.size(), 4u);
  for (const fs::path& file : files) {
    const auto once = to_json(load_scenario(file));
    const auto twice = to_json(scenario_from_json(parse_json(dump(once), file.string()), file.string()));
    EXPECT_EQ(dump(once), dump(twice)) << file;
  }
}

TEST(Samples, CalibrationsRoundTrip) {
  const auto files = good_samples("calibration");
  ASSERT_GE(files.size(), 2u);
  for (const fs::path& file : files) {
    const auto once = to_json(load_calibration(file));
    const auto twice = to_json(calibration_from_json(parse_json(dump(once), file.string()), file.string()));
    EXPECT_EQ(dump(once), dump(twice)) << file;
  }
}

}  // namespace
}  // namespace weir::data
