#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "sim/serving/request.h"
#include "sim/serving/rules.h"

namespace weir::sim {

/// Waiting requests by any order but first come first served. Requests come in ascending order of index and arrival.
class OrderedQueue {
 public:
  virtual ~OrderedQueue() = default;
  virtual void push(const QueuedRequest& request) = 0;
  virtual const QueuedRequest& front() const = 0;  ///< not of an empty queue
  virtual void pop() = 0;                          ///< the front is admitted
  virtual void drop_oldest() = 0;                  ///< the one that came first leaves, not admitted

  const QueuedRequest& oldest() const { return entry(oldest_).request; }
  std::size_t size() const { return size_; }

 protected:
  static constexpr std::int32_t kNone = -1;
  struct Entry {
    QueuedRequest request;
    std::int32_t older = kNone, younger = kNone;  ///< list by arrival
    std::int32_t link = kNone;                    ///< KeyQueue: place in the heap; FairQueue: the client's next
  };
  const Entry& entry(std::int32_t i) const { return entries_[static_cast<std::size_t>(i)]; }
  Entry& entry(std::int32_t i) { return entries_[static_cast<std::size_t>(i)]; }
  std::int32_t add(const QueuedRequest& request);
  void remove(std::int32_t i);
  std::int32_t oldest_ = kNone, youngest_ = kNone;

 private:
  std::vector<Entry> entries_;
  std::vector<std::int32_t> unused_;
  std::size_t size_ = 0;
};

/// By a key that never changes, the smallest first; ties by index. A heap in which every request knows its place.
class KeyQueue final : public OrderedQueue {
 public:
  explicit KeyQueue(Order order) : order_(order) {}
  void push(const QueuedRequest& request) override;
  const QueuedRequest& front() const override { return entry(heap_.front()).request; }
  void pop() override { take_out(0); }
  void drop_oldest() override { take_out(static_cast<std::size_t>(entry(oldest_).link)); }

 private:
  std::int64_t key(const QueuedRequest& request) const;
  bool before(std::int32_t a, std::int32_t b) const;
  void place(std::size_t at, std::int32_t i);
  void sift_up(std::size_t at);
  void sift_down(std::size_t at);
  void take_out(std::size_t at);

  Order order_;
  std::vector<std::int32_t> heap_;
};

/// Of the clients that have requests waiting, the one with the fewest tokens admitted so far; ties by index of its
/// oldest. A client that comes back when it had nothing waiting is lifted to the least count of those waiting, or when
/// nobody waits to that of the last client that left, so that nobody saves up service by staying away.
class FairQueue final : public OrderedQueue {
 public:
  void push(const QueuedRequest& request) override;
  const QueuedRequest& front() const override;
  void pop() override;
  void drop_oldest() override;

 private:
  struct Client {
    std::int64_t tokens = 0;                   ///< input + output admitted
    std::int32_t first = kNone, last = kNone;  ///< its requests, by arrival
  };
  using Rank = std::tuple<std::int64_t, std::uint64_t, std::int32_t>;  ///< tokens, index of its oldest, client
  Rank rank(std::int32_t client, const Client& c) const { return {c.tokens, entry(c.first).request.index, client}; }
  void take_first(std::int32_t client, std::int64_t admitted_tokens);

  std::map<std::int32_t, Client> clients_;
  std::set<Rank> waiting_;
  std::int64_t last_left_tokens_ = 0;
};

/// Null for Order::fcfs.
std::unique_ptr<OrderedQueue> make_ordered_queue(Order order);

}  // namespace weir::sim
