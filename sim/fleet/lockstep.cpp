#include "sim/fleet/lockstep.h"

#include <stdexcept>

namespace weir::sim {
namespace {

/// What a rank without work runs beside the others.
constexpr IterationShape dummy_batch() {
  IterationShape shape;
  shape.decode_sequences = 1;
  shape.decode_context_tokens = 1;
  shape.padded_tokens = 1;
  return shape;
}
constexpr std::int32_t kDummyContext[] = {1};

}  // namespace

Lockstep::Lockstep(const Rules& rules, const LockstepOptions& options, const GroupTimer& timer, LockstepSink& sink)
    : timer_(timer), sink_(sink), options_(options), depth_(static_cast<std::size_t>(rules.steps_in_flight)) {
  if (options.ranks < 1 || depth_ < 1 || depth_ > kMostInFlight || options.load_refresh <= Time()) {
    throw std::logic_error("Lockstep: at least one rank, one or two steps in flight, a time between refreshes");
  }
  if (rules.policy == Policy::static_batch || rules.policy == Policy::dynamic || rules.timeout_s ||
      rules.order == Order::priority || rules.order == Order::deadline) {
    throw std::logic_error("Lockstep: continuous batching without timeouts, priorities or deadlines");
  }
  ranks_.resize(static_cast<std::size_t>(options.ranks));
  for (Rank& rank : ranks_) rank.scheduler = make_scheduler(data::WorkloadKind::generative, rules, false);
}

void Lockstep::run(RequestSource& requests) {
  std::uint64_t index = 0;
  Time last;
  for (auto batch = requests.next(); !batch.empty(); batch = requests.next()) {
    for (const SimRequest& r : batch) {
      if (r.arrival < last) throw std::logic_error("Lockstep: requests are not in order of arrival");
      if (r.arrival > last && in_flight_ == 0) start_steps(last);  // what arrives together starts together
      last = r.arrival;
      refresh_loads(last);
      advance(last);
      QueuedRequest request;
      request.index = index++;
      request.arrival = r.arrival;
      request.content = r.content;
      request.input_tokens = r.input_tokens;
      request.output_tokens = r.output_tokens;
      request.client = r.client;
      request.class_index = r.class_index;
      route(request);
    }
  }
  if (in_flight_ == 0) start_steps(last);
  advance(Time::never());
}

/// Everything that ends up to and at `limit`.
void Lockstep::advance(Time limit) {
  while (in_flight_ > 0 && ends_[0] <= limit) end_step();
}

void Lockstep::start_steps(Time now) {
  while (in_flight_ < depth_ && start_step(now)) {
    if (in_flight_ < depth_) tell_loads();  // the loop goes round without having waited
  }
}

bool Lockstep::start_step(Time now) {
  bool any = false;
  shapes_.clear();
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    Rank& rank = ranks_[i];
    take_input(rank, static_cast<std::int32_t>(i), now);
    const Step& step = rank.scheduler->next_step(now);
    const bool works = step.kind != StepKind::none;
    rank.works[in_flight_] = works;
    any = any || works;
    shapes_.push_back(works ? step.shape : dummy_batch());
    if (!works) shapes_.back().decode_contexts = kDummyContext;
  }
  if (!any) return false;
  const Time begin = in_flight_ == 0 ? now : ends_[in_flight_ - 1];
  const Time lasts = timer_.group_iteration(shapes_);
  ends_[in_flight_++] = begin + lasts;
  busy_ += lasts;
  ++steps_;
  return true;
}

void Lockstep::end_step() {
  const Time now = ends_[0];
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    Rank& rank = ranks_[i];
    if (rank.works[0]) {
      for (const ServedRequest* served : rank.scheduler->finish_step(now).finished) {
        sink_.left({*served, now, RequestOutcome::completed, static_cast<std::int32_t>(i)});
      }
    }
    rank.works[0] = rank.works[1];
  }
  ends_[0] = ends_[1];
  --in_flight_;
  tell_loads();
  start_steps(now);
}

void Lockstep::tell_loads() {
  for (Rank& rank : ranks_) {
    rank.told_waiting = rank.scheduler->waiting();
    rank.told_running = rank.scheduler->running();
  }
}

void Lockstep::take_input(Rank& rank, std::int32_t index, Time now) {
  for (const QueuedRequest& request : rank.input) {
    sink_.noticed(request, now, index);
    const Submitted answer = rank.scheduler->submit(request);
    if (answer == Submitted::queued) continue;
    RequestRecord record;
    record.served.request = request;
    record.done = now;
    record.outcome = answer == Submitted::queue_full ? RequestOutcome::rejected : RequestOutcome::failed;
    record.replica = index;
    sink_.left(record);
  }
  rank.input.clear();
}

/// The counts the router sees at `arrival`: those of the last refresh before it.
void Lockstep::refresh_loads(Time arrival) {
  if (next_refresh_ > arrival || ranks_.size() == 1) return;
  const std::int64_t period = options_.load_refresh.ticks();
  const Time refresh = Time::from_ticks(arrival.ticks() / period * period);
  advance(refresh);
  for (Rank& rank : ranks_) {
    rank.waiting = rank.told_waiting;
    rank.running = rank.told_running;
  }
  next_refresh_ = refresh + options_.load_refresh;
}

void Lockstep::route(const QueuedRequest& request) {
  const auto load = [this](const Rank& rank) { return options_.waiting_weight * rank.waiting + rank.running; };
  Rank* least = &ranks_.front();
  for (Rank& rank : ranks_) {
    if (load(rank) < load(*least)) least = &rank;
  }
  ++least->waiting;
  least->input.push_back(request);
}

}  // namespace weir::sim
