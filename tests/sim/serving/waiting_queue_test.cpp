#include "sim/serving/waiting_queue.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

QueuedRequest request(std::uint64_t index, std::int64_t arrival_ticks = 0) {
  QueuedRequest r;
  r.index = index;
  r.arrival = Time::from_ticks(arrival_ticks);
  r.output_tokens = 1;
  return r;
}

std::string drain(WaitingQueue& queue) {
  std::string order;
  while (!queue.new_empty()) {
    order += std::to_string(queue.front().index) + " ";
    queue.pop();
  }
  return order;
}

TEST(WaitingQueue, FirstComeFirstServed) {
  WaitingQueue queue(Order::fcfs, {}, {});
  for (std::uint64_t i = 0; i < 3; ++i) queue.push(request(i), false);
  EXPECT_EQ(queue.size(), 3);
  EXPECT_EQ(drain(queue), "0 1 2 ");
  EXPECT_TRUE(queue.empty());
}

// 16 places at first: 10 in, 8 out, 30 in go round the end and make it grow.
TEST(WaitingQueue, TheRingGrowsInOrder) {
  WaitingQueue queue(Order::fcfs, {}, {});
  std::uint64_t in = 0, out = 0;
  for (const auto& [push, pop] : std::vector<std::pair<int, int>>{{10, 8}, {30, 25}, {70, 77}}) {
    for (int i = 0; i < push; ++i) queue.push(request(in++), false);
    for (int i = 0; i < pop; ++i) {
      ASSERT_EQ(queue.front().index, out++);
      queue.pop();
    }
  }
  EXPECT_TRUE(queue.empty());
}

TEST(WaitingQueue, TheLargerPriorityFirstAndTiesByArrival) {
  WaitingQueue queue(Order::priority, {}, {});
  for (const int priority : {0, 2, 1, 2, -1}) {
    QueuedRequest r = request(static_cast<std::uint64_t>(queue.size()));
    r.priority = static_cast<std::int16_t>(priority);
    queue.push(r, false);
  }
  EXPECT_EQ(drain(queue), "1 3 2 0 4 ");
}

TEST(WaitingQueue, TheShortestByInputAndOutput) {
  WaitingQueue queue(Order::shortest, {}, {});
  const std::vector<std::pair<int, int>> tokens{{10, 10}, {1, 18}, {19, 1}, {5, 5}};  // 20, 19, 20, 10
  for (const auto& [input, output] : tokens) {
    QueuedRequest r = request(static_cast<std::uint64_t>(queue.size()));
    r.input_tokens = input, r.output_tokens = output;
    queue.push(r, false);
  }
  EXPECT_EQ(drain(queue), "3 1 0 2 ");
}

TEST(WaitingQueue, TheEarliestDeadline) {
  WaitingQueue queue(Order::deadline, {}, {});
  for (const int ticks : {50, 20, 90, 20}) {
    QueuedRequest r = request(static_cast<std::uint64_t>(queue.size()));
    r.deadline = Time::from_ticks(ticks);
    queue.push(r, false);
  }
  queue.push(request(4), false);  // without a deadline
  EXPECT_EQ(drain(queue), "1 3 0 2 4 ");
}

QueuedRequest of_client(std::uint64_t index, int client, int input) {
  QueuedRequest r = request(index);
  r.client = client;
  r.input_tokens = input;
  r.output_tokens = 10;
  return r;
}

// Client 7 sends four requests of 100 tokens and client 3 two of 150. Tokens admitted (7, 3):
//   (0, 0) -> 0 of client 7, which came first; (100, 0) -> 4; (100, 150) -> 1; (200, 150) -> 5; then 2 and 3.
TEST(WaitingQueue, FairServesTheClientWithFewestTokens) {
  WaitingQueue queue(Order::fair, {}, {});
  for (std::uint64_t i = 0; i < 4; ++i) queue.push(of_client(i, 7, 90), false);
  for (std::uint64_t i = 4; i < 6; ++i) queue.push(of_client(i, 3, 140), false);
  EXPECT_EQ(drain(queue), "0 4 1 5 2 3 ");
}

// Client 1 is admitted three times (300 tokens) and still waits. Client 2, who was away, is lifted to 300 and so does
// not get three turns in a row: 300 = 300, so request 3, which came first, goes (client 1: 400); then 5 (client 2:
// 400); then 4, which came before 6.
TEST(WaitingQueue, FairLiftsAClientThatWasAway) {
  WaitingQueue queue(Order::fair, {}, {});
  for (std::uint64_t i = 0; i < 5; ++i) queue.push(of_client(i, 1, 90), false);
  for (int i = 0; i < 3; ++i) queue.pop();
  for (std::uint64_t i = 5; i < 8; ++i) queue.push(of_client(i, 2, 90), false);
  EXPECT_EQ(drain(queue), "3 5 4 6 7 ");
}

// When nobody waits, one comes back at the count of the last that left: client 1 left at 100, client 2 comes at 100 and
// not at 0, client 1 has 100 as well: in order of arrival.
TEST(WaitingQueue, FairLiftsToTheLastThatLeftWhenNobodyWaits) {
  WaitingQueue queue(Order::fair, {}, {});
  queue.push(of_client(0, 1, 90), false);
  queue.pop();
  queue.push(of_client(1, 2, 20), false);
  queue.push(of_client(2, 2, 20), false);
  queue.push(of_client(3, 1, 90), false);
  EXPECT_EQ(drain(queue), "1 3 2 ");  // 100, 100: 1; then client 2 has 130 and client 1 100
}

TEST(WaitingQueue, ALimitRefuses) {
  for (const Order order : {Order::fcfs, Order::priority}) {
    WaitingQueue queue(order, 2, {});
    EXPECT_TRUE(queue.push(request(0), false));
    EXPECT_TRUE(queue.push(request(1), false));
    EXPECT_FALSE(queue.push(request(2), false));
    EXPECT_FALSE(queue.push(request(2), true));  // the replica is idle, but others wait
    queue.pop();
    EXPECT_TRUE(queue.push(request(3), false));
  }
}

TEST(WaitingQueue, ALimitOfZeroLetsOneThroughToAnIdleReplica) {
  WaitingQueue queue(Order::fcfs, 0, {});
  EXPECT_FALSE(queue.push(request(0), false));
  EXPECT_TRUE(queue.push(request(1), true));
  EXPECT_FALSE(queue.push(request(2), true));
}

std::string drop(WaitingQueue& queue, std::int64_t ticks) {
  std::string dropped;
  for (const QueuedRequest& r : queue.drop_expired(Time::from_ticks(ticks))) dropped += std::to_string(r.index) + " ";
  return dropped;
}

// Patience 1000 ticks: who came at 100 may still start at 1100 and is dropped at 1101; in every order oldest first.
TEST(WaitingQueue, DropsThoseThatWaitedLongerThanTheTimeout) {
  for (const Order order : {Order::fcfs, Order::priority, Order::shortest, Order::fair}) {
    WaitingQueue queue(order, {}, Time::from_ticks(1000).seconds());
    EXPECT_EQ(queue.next_expiry(), Time::never());
    for (std::uint64_t i = 0; i < 4; ++i) {
      QueuedRequest r = request(i, 100 + 50 * static_cast<std::int64_t>(i));
      r.priority = static_cast<std::int16_t>(i);
      r.input_tokens = 10 - static_cast<int>(i);
      r.client = static_cast<std::int32_t>(i % 2);
      queue.push(r, false);
    }
    EXPECT_EQ(queue.next_expiry().ticks(), 1101);
    EXPECT_EQ(drop(queue, 1100), "");
    EXPECT_EQ(drop(queue, 1160), "0 1 ");
    EXPECT_EQ(queue.next_expiry().ticks(), 1201);
    EXPECT_EQ(queue.size(), 2);
    EXPECT_EQ(drain(queue), order == Order::fcfs || order == Order::fair ? "2 3 " : "3 2 ");
    EXPECT_EQ(queue.next_expiry(), Time::never());
  }
}

TEST(WaitingQueue, ThePreemptedStandInFrontTheLatestFirst) {
  WaitingQueue queue(Order::fcfs, 1, Time::from_ticks(10).seconds());
  EXPECT_TRUE(queue.push(request(0), false));
  queue.push_preempted(5);  // whatever the limit
  queue.push_preempted(8);
  queue.push_preempted(6);
  EXPECT_EQ(queue.size(), 4);
  EXPECT_EQ(drop(queue, 1000), "0 ");  // they have no timeout
  EXPECT_FALSE(queue.empty());
  EXPECT_TRUE(queue.push(request(1), false));  // they do not count against the limit
  EXPECT_EQ(queue.last_preempted(), 6);
  queue.remove_preempted(8);
  queue.pop_preempted();
  EXPECT_EQ(queue.last_preempted(), 5);
  queue.pop_preempted();
  EXPECT_FALSE(queue.any_preempted());
  EXPECT_EQ(queue.size(), 1);
}

}  // namespace
}  // namespace weir::sim
