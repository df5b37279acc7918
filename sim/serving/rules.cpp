#include "sim/serving/rules.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "data/errors.h"
#include "sim/serving/kv_blocks.h"

namespace weir::sim {
namespace {

constexpr double kLongDelay_s = 1e7;  // as good as for ever, and safe to add to a time

[[noreturn]] void refuse(const char* place, const std::string& value, const std::string& allowed) {
  throw data::InputError("scenario", place, value, allowed);
}

template <class T, std::size_t N>
T named(const std::array<std::pair<std::string_view, T>, N>& names, const std::string& name, const char* place) {
  for (const auto& [known, value] : names) {
    if (known == name) return value;
  }
  refuse(place, name, "there is nothing of this name");
}

Policy policy_of(const data::Serving& serving) {
  static constexpr std::array<std::pair<std::string_view, Policy>, 4> kNames{{{"static", Policy::static_batch},
                                                                              {"dynamic", Policy::dynamic},
                                                                              {"continuous", Policy::continuous},
                                                                              {"chunked", Policy::chunked}}};
  return named(kNames, serving.policy, "/serving/policy");
}

Order order_of(const data::Serving& serving) {
  static constexpr std::array<std::pair<std::string_view, Order>, 5> kNames{{{"fcfs", Order::fcfs},
                                                                             {"priority", Order::priority},
                                                                             {"shortest", Order::shortest},
                                                                             {"deadline", Order::deadline},
                                                                             {"fair", Order::fair}}};
  return named(kNames, serving.order, "/serving/order");
}

std::string quoted(const std::string& value) { return "\"" + value + "\""; }

/// What the engine of these rules cannot do.
void check_engine(const data::Serving& serving, Policy policy) {
  const std::string& rules = serving.rules;
  const bool prefill_first = rules == "vllm-v0" || rules == "vidur-vllm";
  if (prefill_first && policy != Policy::continuous) {
    refuse("/serving/policy", quoted(serving.policy), "the rules \"" + rules + "\" are of a \"continuous\" engine");
  }
  if (!prefill_first && policy != Policy::chunked) {
    refuse("/serving/policy", quoted(serving.policy), "the rules \"" + rules + "\" are of a \"chunked\" engine");
  }
  if (serving.kv_cache == "reserved") {
    refuse("/serving/kv_cache", quoted(serving.kv_cache), "only the rules \"weir\" can reserve; these take \"paged\"");
  }
  const bool of_vidur = rules == "vidur-vllm" || rules == "vidur-sarathi";
  if (of_vidur && serving.prefix_cache) refuse("/serving/prefix_cache", "true", "Vidur has no prefix cache");
}

void follow_engine(Rules& r, const data::Serving& serving) {
  const std::string& rules = serving.rules;
  r.long_prompt_alone = false;
  if (rules == "vllm-v1") {
    r.watermark_blocks = 0;
    r.blocks_by_chunk = true;
    r.no_admission_after_preemption = true;
    r.steps_in_flight = 2;
    r.graph_padding = true;
  } else if (rules == "vidur-vllm") {
    r.padded_budget = true;
    r.decode_wants_free_block = true;
    r.decode_by_arrival = true;
  } else if (rules == "vidur-sarathi") {
    r.decode_wants_free_block = true;
    r.restart_cuts_prompt = true;
  } else if (rules != "vllm-v0") {
    refuse("/serving/rules", rules, "there is nothing of this name");
  }
}

}  // namespace

Rules make_rules(data::WorkloadKind kind, const data::Serving& serving, std::int64_t kv_tokens) {
  if (serving.max_batch < 1 || serving.token_budget < 1 || serving.kv_block_tokens < 1) {
    throw std::logic_error("make_rules: max_batch, token_budget and kv_block_tokens are at least 1");
  }
  Rules r;
  r.policy = policy_of(serving);
  r.order = order_of(serving);
  r.max_batch = serving.max_batch;
  r.token_budget = serving.token_budget;
  r.max_delay = Time::from_seconds(std::min(serving.max_delay_s, kLongDelay_s));
  r.queue_limit = serving.queue_limit;
  r.timeout_s = serving.timeout_s;
  if (kind == data::WorkloadKind::one_shot) {
    if (r.policy != Policy::dynamic && r.policy != Policy::static_batch) {
      refuse("/serving/policy", serving.policy, "one-shot work takes \"dynamic\"");
    }
    if (r.policy == Policy::static_batch) r.max_delay = Time();
    r.steps_in_flight = serving.pipeline.instances;
    r.preferred_batches = serving.pipeline.preferred_batches;
    r.drop_older_frames = serving.pipeline.drop_older_frames;
    if (r.drop_older_frames && r.order != Order::fcfs) {
      refuse("/serving/order", quoted(serving.order), "\"drop_older_frames\" goes with \"fcfs\" alone");
    }
    return r;
  }
  r.block_tokens = serving.kv_block_tokens;
  r.kv_blocks = kv_tokens / r.block_tokens;
  r.prefix_cache = serving.prefix_cache;
  // Blocks that are set aside need no room to grow into.
  r.reserve_output = serving.kv_cache == "reserved";
  if (!r.reserve_output) {
    r.watermark_blocks = static_cast<std::int64_t>(serving.kv_watermark * static_cast<double>(r.kv_blocks));
  }
  if (serving.rules != "weir") {
    check_engine(serving, r.policy);
    follow_engine(r, serving);
  }
  return r;
}

bool never_fits(const Rules& rules, const QueuedRequest& request) {
  // The last token is written, but nothing that follows it asks for its place in the cache.
  const std::int64_t tokens =
      std::int64_t{request.input_tokens} + request.output_tokens - (rules.reserve_output ? 0 : 1);
  const bool wants_one_more = rules.decode_wants_free_block && !rules.reserve_output;
  const std::int64_t stay_free = std::max<std::int64_t>(rules.watermark_blocks, wants_one_more ? 1 : 0);
  if (blocks_for(tokens, rules.block_tokens) + stay_free > rules.kv_blocks) return true;
  return rules.policy == Policy::continuous && !rules.long_prompt_alone && request.input_tokens > rules.token_budget;
}

std::int64_t graph_padded(std::int64_t tokens) {
  if (tokens <= 2) return tokens;
  if (tokens <= 4) return 4;
  if (tokens <= 256) return (tokens + 7) / 8 * 8;
  if (tokens <= 512) return (tokens + 15) / 16 * 16;
  return tokens;
}

}  // namespace weir::sim
