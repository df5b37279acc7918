#include "sim/workload/chains.h"

#include <algorithm>
#include <limits>

namespace weir::sim {
namespace {

constexpr std::int64_t kDrawnSessions = std::int64_t{1} << 60;  ///< apart from those of traces
constexpr std::int64_t kSessionsOfAClass = std::int64_t{1} << 31;

}  // namespace

Chains::Chains(const DrawnClass& what, std::int16_t index, std::uint64_t seed, Time end)
    : lengths_(what),
      name_(seed, "chains/" + what.name),
      most_tokens_(std::numeric_limits<std::int32_t>::max()),
      class_(index),
      end_(end) {
  if (what.sessions) {
    turns_.emplace(what.sessions->turns, what.place + "/sessions/turns");
    between_turns_.emplace(what.sessions->think);
    if (what.sessions->most_tokens) most_tokens_ = *what.sessions->most_tokens;
  }
  if (what.arrivals.closed_loop) {
    think_.emplace(what.arrivals.closed_loop->think);
    requests_per_chain_ = what.arrivals.closed_loop->requests_per_client;
  }
  if (what.cancel) cancel_.emplace(*what.cancel, seed, what.name);
}

void Chains::begin_conversation(Chain& chain, std::int64_t of_chain, SmallRandom& random) {
  if (!turns_) return;
  chain.turns_left = turns_->draw(random) - 1;
  const std::int64_t number = of_chain * std::max<std::int64_t>(requests_per_chain_, 1) + chain.conversations++;
  PromptContent& content = contents_.emplace_back();
  content.session = kDrawnSessions + class_ * kSessionsOfAClass + number;
  chain.content = &content;
}

SimRequest Chains::request(Chain& chain, std::int32_t index, Time arrival, const LengthPair& lengths) {
  SimRequest request;
  request.arrival = arrival;
  request.input_tokens = chain.input_tokens = lengths.input_tokens;
  request.output_tokens = lengths.output_tokens;
  request.class_index = class_;
  request.client = chain.client;
  request.content = chain.content;
  request.chain = index;
  if (cancel_) {
    request.cancel_after =
        cancel_->after(static_cast<std::uint64_t>(chain.number), static_cast<std::uint64_t>(index) + 1);
  }
  return request;
}

SimRequest Chains::begin(Time arrival, std::int32_t client, double length_factor, const ClientLengths* own) {
  const auto index = static_cast<std::int32_t>(chains_.size());
  Chain& chain = chains_.emplace_back();
  chain.client = client;
  chain.length_factor = length_factor;
  chain.own = own;
  SmallRandom random(name_, static_cast<std::uint64_t>(index));
  begin_conversation(chain, index, random);
  return request(chain, index, arrival, lengths_.draw(random, length_factor, own));
}

std::optional<SimRequest> Chains::after(const LeftRequest& left) {
  Chain& chain = chains_.at(static_cast<std::size_t>(left.chain));
  ++chain.number;
  if (requests_per_chain_ > 0 && chain.number >= requests_per_chain_) return {};
  SmallRandom random(name_, static_cast<std::uint64_t>(left.chain), static_cast<std::uint64_t>(chain.number));
  // Who was not served gives the conversation up; who hung up goes on with what was written.
  const bool answered = left.outcome == Outcome::served || left.outcome == Outcome::cancelled;
  LengthPair lengths = lengths_.draw(random, chain.length_factor, chain.own);
  const std::int64_t context = std::int64_t{chain.input_tokens} + left.output_tokens;
  const bool goes_on =
      answered && chain.turns_left > 0 && context + lengths.input_tokens + lengths.output_tokens <= most_tokens_;
  if (!goes_on && !think_) return {};
  const Time think = (goes_on ? *between_turns_ : *think_).draw(random);
  const Time arrival = left.departed + std::max(think, Time::from_ticks(1));
  if (arrival >= end_) return {};
  if (goes_on) {
    --chain.turns_left;
    lengths.input_tokens += static_cast<std::int32_t>(context);
  } else {
    begin_conversation(chain, left.chain, random);
  }
  return request(chain, left.chain, arrival, lengths);
}

}  // namespace weir::sim
