#include "sim/serving/ordered_queue.h"

#include <algorithm>

namespace weir::sim {
namespace {

std::int64_t tokens_of(const QueuedRequest& request) {
  return (std::int64_t{request.input_tokens} + request.output_tokens) * request.items;
}

}  // namespace

// --- OrderedQueue

std::int32_t OrderedQueue::add(const QueuedRequest& request) {
  std::int32_t i;
  if (unused_.empty()) {
    i = static_cast<std::int32_t>(entries_.size());
    entries_.emplace_back();
  } else {
    i = unused_.back();
    unused_.pop_back();
  }
  Entry& e = entry(i);
  e.request = request;
  e.older = youngest_;
  e.younger = kNone;
  e.link = kNone;
  (youngest_ == kNone ? oldest_ : entry(youngest_).younger) = i;
  youngest_ = i;
  ++size_;
  return i;
}

void OrderedQueue::remove(std::int32_t i) {
  const Entry& e = entry(i);
  (e.older == kNone ? oldest_ : entry(e.older).younger) = e.younger;
  (e.younger == kNone ? youngest_ : entry(e.younger).older) = e.older;
  unused_.push_back(i);
  --size_;
}

// --- KeyQueue

std::int64_t KeyQueue::key(const QueuedRequest& request) const {
  switch (order_) {
    case Order::priority:
      return -std::int64_t{request.priority};
    case Order::shortest:
      return tokens_of(request);
    case Order::deadline:
      return request.deadline.ticks();
    case Order::fcfs:
    case Order::fair:
      break;
  }
  return 0;
}

bool KeyQueue::before(std::int32_t a, std::int32_t b) const {
  const QueuedRequest &x = entry(a).request, &y = entry(b).request;
  const std::int64_t kx = key(x), ky = key(y);
  return kx != ky ? kx < ky : x.index < y.index;
}

void KeyQueue::place(std::size_t at, std::int32_t i) {
  heap_[at] = i;
  entry(i).link = static_cast<std::int32_t>(at);
}

void KeyQueue::sift_up(std::size_t at) {
  const std::int32_t i = heap_[at];
  while (at > 0 && before(i, heap_[(at - 1) / 2])) {
    place(at, heap_[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
  place(at, i);
}

void KeyQueue::sift_down(std::size_t at) {
  const std::int32_t i = heap_[at];
  for (std::size_t child = 2 * at + 1; child < heap_.size(); child = 2 * at + 1) {
    if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
    if (!before(heap_[child], i)) break;
    place(at, heap_[child]);
    at = child;
  }
  place(at, i);
}

void KeyQueue::push(const QueuedRequest& request) {
  heap_.push_back(add(request));
  sift_up(heap_.size() - 1);
}

void KeyQueue::take_out(std::size_t at) {
  remove(heap_[at]);
  const std::int32_t last = heap_.back();
  heap_.pop_back();
  if (at == heap_.size()) return;
  heap_[at] = last;
  sift_up(at);
  sift_down(static_cast<std::size_t>(entry(last).link));
}

// --- FairQueue

void FairQueue::push(const QueuedRequest& request) {
  const std::int32_t i = add(request);
  Client& client = clients_[request.client];
  if (client.first != kNone) {
    entry(client.last).link = i;
    client.last = i;
    return;
  }
  const std::int64_t floor = waiting_.empty() ? last_left_tokens_ : std::get<0>(*waiting_.begin());
  client.tokens = std::max(client.tokens, floor);
  client.first = client.last = i;
  waiting_.insert(rank(request.client, client));
}

const QueuedRequest& FairQueue::front() const {
  return entry(clients_.at(std::get<2>(*waiting_.begin())).first).request;
}

void FairQueue::pop() { take_first(std::get<2>(*waiting_.begin()), tokens_of(front())); }

// The oldest of all is also the oldest of its client.
void FairQueue::drop_oldest() { take_first(oldest().client, 0); }

void FairQueue::take_first(std::int32_t id, std::int64_t admitted_tokens) {
  Client& client = clients_.at(id);
  waiting_.erase(rank(id, client));
  const std::int32_t i = client.first;
  client.first = entry(i).link;
  client.tokens += admitted_tokens;
  remove(i);
  if (client.first == kNone) {
    client.last = kNone;
    last_left_tokens_ = client.tokens;
  } else {
    waiting_.insert(rank(id, client));
  }
}

std::unique_ptr<OrderedQueue> make_ordered_queue(Order order) {
  if (order == Order::fcfs) return nullptr;
  if (order == Order::fair) return std::make_unique<FairQueue>();
  return std::make_unique<KeyQueue>(order);
}

}  // namespace weir::sim
