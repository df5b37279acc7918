#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/workload/class_lengths.h"
#include "sim/workload/drawn_class.h"
#include "sim/workload/duration_law.h"
#include "sim/workload/request_source.h"

namespace weir::sim {

/// The requests of one class whose clients wait for their answers. A chain is a conversation, or, in a closed loop, a
/// client, who asks one thing after another or has one conversation after another. Everything drawn for a request
/// belongs to its chain and its number in it.
class Chains {
 public:
  /// Nothing arrives at `end` or later.
  Chains(const DrawnClass& what, std::int16_t index, std::uint64_t seed, Time end);

  /// Begins a chain; the first is number 0. `client` asks, or -1.
  SimRequest begin(Time arrival, std::int32_t client, double length_factor, const ClientLengths* own);
  /// What follows a request of a chain.
  std::optional<SimRequest> after(const LeftRequest& left);

 private:
  struct Chain {
    double length_factor = 1;
    const ClientLengths* own = nullptr;  ///< of a client that has its own lengths
    const PromptContent* content = nullptr;
    std::int32_t client = -1;
    std::int32_t number = 0;         ///< of the last request, from 0
    std::int32_t turns_left = 0;     ///< of the conversation
    std::int32_t input_tokens = 0;   ///< of the last request
    std::int32_t conversations = 0;  ///< begun
  };
  void begin_conversation(Chain& chain, std::int64_t of_chain, SmallRandom& random);
  SimRequest request(Chain& chain, std::int32_t index, Time arrival, const LengthPair& lengths);

  ClassLengths lengths_;
  std::optional<LengthLaw> turns_;
  std::optional<DurationLaw> between_turns_, think_;
  std::optional<CancelLaw> cancel_;
  StreamName name_;
  std::int64_t most_tokens_;
  std::int32_t requests_per_chain_ = 0;  ///< 0 = no limit
  std::int16_t class_;
  Time end_;
  std::vector<Chain> chains_;
  std::deque<PromptContent> contents_;
};

}  // namespace weir::sim
