#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/fleet/lockstep.h"
#include "sim/timing/profile_timer.h"
#include "tests/field/vllm_fidelity/run_files.h"

namespace weir::field {

/// What to simulate. The defaults are the frozen configuration that all runs are judged by; the rest are the variants
/// the regression tests look at.
struct FidelityOptions {
  std::filesystem::path run, profile;
  std::optional<std::filesystem::path> sharing, arrivals;
  /// Of one collective: what NCCL takes between two L40S over PCIe 4 (10 us + bytes a direction / 20 GB/s in
  /// data/profiles/aiconfigurator/l40s). Upstream's own simulator assumes 20 us and 16 GB/s for these cards.
  double link_latency_s = 10e-6;
  double link_bytes_per_s = 16e9;  ///< upstream's
  bool uneven_decodes = true;
  bool share_prefixes = true;  ///< false: every prompt is like no other
  std::optional<int> steps_in_flight;
  std::optional<std::int64_t> kv_blocks;
};

/// What the requests' contents point to.
struct KeptContents {
  std::vector<std::vector<std::uint64_t>> hashes;
  std::deque<sim::PromptContent> contents;
};

/// A run and all that is needed to simulate it.
struct FidelityCase {
  RunMeta meta;
  std::string gpu;
  std::vector<MeasuredRequest> measured;
  std::vector<std::string> assumptions;
  sim::Rules rules;
  sim::LockstepOptions ranks;
  sim::KernelProfile profile;
  sim::ProfiledDeployment deployment;
  sim::RequestList requests;  ///< in order of arrival; order[i] is the measured request of requests[i]
  std::vector<std::size_t> order;
  std::shared_ptr<const KeptContents> contents;
};
/// Throws InputError for what is missing, malformed or not known.
FidelityCase prepare(const FidelityOptions& options);

/// Times of one request from the beginning of the run; by index as measured.
struct SimulatedRequest {
  double queued_s = 0, first_token_s = 0, last_token_s = 0;
  std::int64_t preemptions = 0;
  bool served = false;
};
struct SimulatedRun {
  std::vector<SimulatedRequest> requests;
  std::int64_t steps = 0, preemptions = 0;
};
/// Every rank's scheduler, step by step. One rank: the fleet simulator has to give the same, to the tick; otherwise
/// std::logic_error.
SimulatedRun simulate_run(const FidelityCase& c);

enum class Quantity { ttft, tpot, latency };
inline constexpr std::array<const char*, 3> kQuantities = {"TTFT", "TPOT", "latency"};
inline constexpr std::array<const char*, 5> kStatistics = {"mean", "P50", "P90", "P95", "P99"};

/// Measured and simulated, seconds: [quantity][statistic]. Percentiles are linear between ranks.
struct Figure {
  double measured = 0, simulated = 0;
  double error() const { return simulated / measured - 1; }
};
struct Report {
  std::array<std::array<Figure, 5>, 3> figures;
  double mean_error = 0, largest_error = 0;  ///< absolute, over all figures
  const Figure& at(Quantity q, std::size_t statistic) const { return figures[static_cast<std::size_t>(q)][statistic]; }
};
Report compare(const std::vector<MeasuredRequest>& measured, const SimulatedRun& simulated);

/// Largest errors that pass. TPOT and latency amplify nothing; TTFT is a queue's length and does.
struct Gate {
  double ttft = 0.12, others = 0.035;
  bool passes(const Report& report) const;
};
Gate gate_of(const FidelityCase& c);

}  // namespace weir::field
