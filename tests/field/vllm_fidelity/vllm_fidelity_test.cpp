// What the measured runs of vLLM say about single rules: each is taken away and the figures have to move.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "data/errors.h"
#include "tests/field/vllm_fidelity/fidelity.h"

namespace weir::field {
namespace {

constexpr std::size_t kMean = 0, kP50 = 1, kP95 = 3;

/// The run and the profile of its card and model, or a skipped test.
class VllmRun : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("WEIR_FIELD_DATA") == nullptr) GTEST_SKIP() << "WEIR_FIELD_DATA is not set";
  }
  static FidelityOptions options(const std::string& run, const std::string& profile) {
    const std::filesystem::path data = std::filesystem::path(std::getenv("WEIR_FIELD_DATA")) / "data";
    FidelityOptions o;
    o.run = data / "traces/llmservingsim-bench" / run;
    o.profile = data / "profiles/llmservingsim/profiler/perf" / profile / "bf16";
    return o;
  }
  static FidelityOptions rtx4090() { return options("RTX4090-Llama-3.1-8B", "RTX4090/meta-llama/Llama-3.1-8B"); }
  static FidelityOptions experts() {
    return options("RTXPRO6000-Qwen3-30B-A3B", "RTXPRO6000/Qwen/Qwen3-30B-A3B-Instruct-2507");
  }
  struct Outcome {
    Report report;
    SimulatedRun run;
    double error(Quantity q, std::size_t statistic) const { return report.at(q, statistic).error() * 100; }
  };
  static Outcome simulated(const FidelityOptions& options) {
    const FidelityCase c = prepare(options);
    Outcome outcome;
    outcome.run = simulate_run(c);
    outcome.report = compare(c.measured, outcome.run);
    return outcome;
  }
};

TEST_F(VllmRun, SynchronousLoopMovesTheMixturesTtftBy40Points) {
  FidelityOptions o = experts();
  const Outcome with = simulated(o);
  o.steps_in_flight = 1;
  const Outcome without = simulated(o);
  EXPECT_NEAR(without.error(Quantity::ttft, kP50) - with.error(Quantity::ttft, kP50), -40, 5);
  // A mean would not show it: where the queue is long nobody notices one step more.
  EXPECT_NEAR(without.error(Quantity::tpot, kMean), with.error(Quantity::tpot, kMean), 1);
}

TEST_F(VllmRun, WithoutSharedPrefixesTheCardsTtftP95MovesBy9Points) {
  FidelityOptions o = rtx4090();
  const Outcome with = simulated(o);
  o.share_prefixes = false;
  const Outcome without = simulated(o);
  EXPECT_NEAR(without.error(Quantity::ttft, kP95) - with.error(Quantity::ttft, kP95), 9, 2);
}

TEST_F(VllmRun, TheCardPreempts195Times) {
  const Outcome o = simulated(rtx4090());
  EXPECT_NEAR(static_cast<double>(o.run.preemptions), 195, 5);
}

TEST_F(VllmRun, MoreBlocksThanTheCardHadMoveItsTtftBy20Points) {
  FidelityOptions o = rtx4090();
  o.kv_blocks = 3400;  // what a formula without activations and graphs gives
  EXPECT_LT(simulated(o).error(Quantity::ttft, kMean), -15);
}

TEST_F(VllmRun, EqualLengthsMakeDecodeOnTheWiderCardTooFast) {
  FidelityOptions o = options("RTXPRO6000-Llama-3.1-8B", "RTXPRO6000/meta-llama/Llama-3.1-8B");
  const Outcome with = simulated(o);
  o.uneven_decodes = false;
  const Outcome without = simulated(o);
  EXPECT_GT(with.error(Quantity::tpot, kMean) - without.error(Quantity::tpot, kMean), 2);
}

TEST_F(VllmRun, UnknownModelAndMissingShardAreInputErrors) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "weir-vllm-fidelity-test";
  std::filesystem::create_directories(folder);
  FidelityOptions o = rtx4090();
  std::filesystem::copy_file(o.run / "requests.jsonl", folder / "requests.jsonl",
                             std::filesystem::copy_options::overwrite_existing);
  o.run = folder;
  const auto with_meta = [&](const std::string& text) {
    std::ofstream(folder / "meta.json") << text;
    return [&o] { prepare(o); };
  };
  EXPECT_THROW(with_meta(R"({"model": "nobody/knows-it"})")(), data::InputError);
  EXPECT_THROW(with_meta(R"({"model": "meta-llama/Llama-3.1-8B", "engine_kwargs": {"tensor_parallel_size": 4}})")(),
               data::InputError);
  EXPECT_THROW(with_meta(R"({"model": "meta-llama/Llama-3.1-8B", "engine_kwargs": {"max_num_seqs": "many"}})")(),
               data::InputError);
  EXPECT_THROW(with_meta(R"({"model": "meta-llama/Llama-3.1-8B", "engine_kwargs": {"kv_cache_dtype": "fp8"}})")(),
               data::InputError);
  EXPECT_THROW(with_meta(R"({"model": "meta-llama/Llama-3.1-8B", "engine_kwargs": {"pipeline_parallel_size": 2}})")(),
               data::InputError);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace weir::field
