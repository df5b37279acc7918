#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "data/scenario.h"
#include "sim/core/time.h"
#include "sim/serving/request.h"

namespace weir::sim {

enum class Policy {
  static_batch,  ///< a batch is formed when the replica is idle and runs until its longest request is done
  dynamic,       ///< the same after waiting up to max_delay for a fuller batch
  continuous,    ///< prompts first: a step reads whole prompts if any can start, else all running requests decode
  chunked,       ///< decodes first, then prompts in chunks, within one token budget
};

/// Who of the waiting is next. Preempted requests go before all others, the latest preempted first. Ties: by arrival.
enum class Order {
  fcfs,
  priority,  ///< larger priority first
  shortest,  ///< fewest input + output tokens first (an oracle: real engines must guess the output)
  deadline,  ///< earliest deadline first
  fair,  ///< the client with the fewest tokens admitted so far first (virtual token counter of Sheng et al., OSDI 2024)
};

/// Steps of generative work that any rules keep in flight.
inline constexpr std::size_t kMostStepsInFlight = 2;

/// How a serving engine decides, as data: every difference between engines that the schedulers know is one field, so
/// that "vllm-v1" is a set of values and not another class.
struct Rules {
  Policy policy = Policy::continuous;
  Order order = Order::fcfs;
  std::int64_t max_batch = 256;      ///< requests holding KV blocks
  std::int64_t token_budget = 2048;  ///< chunked: tokens of a step, decodes included; else: prompt tokens of one
  Time max_delay;                    ///< dynamic
  std::optional<int> queue_limit;    ///< more waiting requests are refused
  std::optional<double> timeout_s;   ///< a request that has waited longer is dropped

  std::int64_t kv_blocks = 0;
  std::int64_t block_tokens = 16;
  /// Blocks of input + output are set aside at admission: no preemption. Otherwise blocks are taken as tokens come.
  bool reserve_output = false;
  std::int64_t watermark_blocks = 0;  ///< stay free when a request is admitted
  bool prefix_cache = false;          ///< full blocks are found by content; LRU over blocks that nobody holds

  /// continuous: the budget counts requests x longest prompt of the step (Vidur's vLLM), not the sum.
  bool padded_budget = false;
  /// A prompt longer than the budget may run as the only one of a `continuous` step; otherwise it is refused.
  bool long_prompt_alone = true;
  /// A decode goes on only if a block is free, even when it takes none (Vidur).
  bool decode_wants_free_block = false;
  /// continuous: running requests decode, and are preempted, by arrival and not by admission (Vidur's vLLM).
  bool decode_by_arrival = false;
  /// A request preempted while it reads its prompt comes back with what it had read as prompt and the rest as output
  /// (a quirk of Vidur, for comparison only).
  bool restart_cuts_prompt = false;
  /// chunked: a chunk takes its own blocks as it is read, though the whole prompt must be free on admission (vLLM V1).
  /// Otherwise the whole prompt's blocks are taken on admission.
  bool blocks_by_chunk = false;
  /// A step that preempted somebody admits nobody (vLLM V1).
  bool no_admission_after_preemption = false;
  /// Steps in flight: 2 = the next step is decided while one runs (vLLM V1's batch queue), so the engine learns of an
  /// arrival or a free block one step later.
  int steps_in_flight = 1;
  /// Tokens of a step are padded to the sizes CUDA graphs were captured for, up to 512; see graph_padded().
  bool graph_padding = false;
  // One-shot work; its steps_in_flight are the instances of the engine, each of which runs a batch of its own.
  std::vector<int> preferred_batches;  ///< ascending: a batch of such a size starts at once; empty = only a full one
  bool drop_older_frames = false;      ///< who waits is dropped when its client sends something newer
  /// Every decode's context is listed in the step, for timers that need it.
  bool list_contexts = false;
};

/// The rules `serving` names for this kind of work, with a cache of kv_tokens (ignored for one-shot work). Throws
/// InputError when what it asks for does not go together.
Rules make_rules(data::WorkloadKind kind, const data::Serving& serving, std::int64_t kv_tokens);

/// Its tokens need more blocks than the cache has, so that it could not always run to its end even alone, or no step
/// may hold its prompt.
bool never_fits(const Rules& rules, const QueuedRequest& request);

/// The next size vLLM captures a CUDA graph for: 1, 2, 4, 8, then multiples of 8 up to 256 and of 16 up to 512; above
/// it the tokens themselves.
std::int64_t graph_padded(std::int64_t tokens);

}  // namespace weir::sim
