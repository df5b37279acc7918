#include "data/calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "data/errors.h"
#include "data/json_io.h"

namespace weir::data {
namespace {

const std::filesystem::path kSample =
    std::filesystem::path(WEIR_SOURCE_DIR) / "data/schema/samples/good/calibration-full.json";

TEST(Calibration, KeepsEveryValue) {
  const Calibration c = load_calibration(kSample);
  EXPECT_EQ(c.device_id, "this-machine");
  EXPECT_EQ(c.device_kind, "cpu");
  EXPECT_EQ(c.memory_bytes, 16e9);
  EXPECT_EQ(c.environment.at("cpu_flags"), "avx2 fma");
  EXPECT_EQ(c.environment.at("threads"), "2");
  EXPECT_EQ(c.environment.at("turbo"), "true");
  EXPECT_EQ(c.evidence, Evidence::measured_here);
  ASSERT_EQ(c.samples.size(), 6u);
  EXPECT_EQ(c.samples[0].op, "gemm");
  EXPECT_EQ(c.samples[0].shape.at("n"), 4096);
  EXPECT_EQ(c.samples[0].precision, Precision::int8);
  EXPECT_EQ(c.samples[0].relative_error_vs_fp32, 0.004);
  EXPECT_FALSE(c.samples[0].energy_j.has_value());
  EXPECT_THAT(c.samples[5].flags, ::testing::ElementsAre("contended"));
  ASSERT_EQ(c.held_out.size(), 2u);
  EXPECT_EQ(c.held_out[1].shape.at("phase"), 0);
  EXPECT_EQ(c.overheads.at("step_host_s"), 1.2e-5);
  EXPECT_THAT(c.fitted_on, ::testing::ElementsAre("9f2c", "a01b"));
}

TEST(Calibration, LimitsByName) {
  const Calibration c = load_calibration(kSample);
  EXPECT_EQ(c.limit("fp32_peak"), 9.1e10);
  EXPECT_EQ(c.limit("fp8_peak"), std::nullopt);
}

TEST(Calibration, BecomesACandidateAtThePrecisionsItMeasured) {
  const Accelerator a = load_calibration(kSample).as_accelerator();
  EXPECT_EQ(a.id, "this-machine");
  EXPECT_EQ(a.memory_bandwidth_bytes_per_s.value, 21.5e9);
  EXPECT_TRUE(a.supports(Precision::fp32));
  EXPECT_TRUE(a.supports(Precision::bf16));
  EXPECT_TRUE(a.supports(Precision::int8));
  EXPECT_FALSE(a.supports(Precision::fp16));
  EXPECT_EQ(a.peak_flops_per_s.at(Precision::int8).value, 3.5e11);
  EXPECT_EQ(a.peak_flops_per_s.at(Precision::int8).evidence, Evidence::measured_here);
  EXPECT_FALSE(a.tdp_w.known());
  EXPECT_EQ(a.max_per_server.value, 1);
}

TEST(Calibration, RefusesWhatOnlyTheLoaderCanSee) {
  const auto json = read_json_file(kSample);
  const auto refusal = [&](const std::string& pointer, const nlohmann::ordered_json& value) {
    auto changed = json;
    changed[nlohmann::ordered_json::json_pointer(pointer)] = value;
    try {
      calibration_from_json(changed, "f");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_THAT(refusal("/limits/1/name", "read_bandwidth"), ::testing::HasSubstr("/limits/1/name"));
  EXPECT_THAT(refusal("/fit", {{"gemm", {{"knots", {1, 2}}}}}), ::testing::HasSubstr("not in this version"));
  EXPECT_EQ(refusal("/schema", "weir.calibration/1.7"), "read");
}

}  // namespace
}  // namespace weir::data
