// Clients that wait for their answers: closed loops and conversations, with a toy server.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <queue>
#include <vector>

#include "sim/workload/drawn_source.h"

namespace weir::sim {
namespace {

struct Served {
  SimRequest request;
  Time departed;
};

/// Requests one after another through a server with `service` for each; what follows an answer is put in between.
template <class Service>
std::vector<Served> serve(RequestSource& source, Service service, Outcome outcome = Outcome::served) {
  const auto later = [](const SimRequest& a, const SimRequest& b) {
    return a.arrival != b.arrival ? a.arrival > b.arrival : a.chain > b.chain;
  };
  std::priority_queue<SimRequest, std::vector<SimRequest>, decltype(later)> coming(later);
  for (auto batch = source.next(); !batch.empty(); batch = source.next()) {
    for (const SimRequest& request : batch) coming.push(request);
  }
  std::vector<Served> all;
  Time free;
  while (!coming.empty()) {
    const SimRequest request = coming.top();
    coming.pop();
    free = std::max(free, request.arrival) + service(request);
    all.push_back({request, free});
    const auto next = source.after({.chain = request.chain,
                                    .class_index = request.class_index,
                                    .outcome = outcome,
                                    .output_tokens = request.output_tokens,
                                    .departed = free});
    if (next) {
      EXPECT_GT(next->arrival, free);
      coming.push(*next);
    }
  }
  return all;
}

DrawnClass loop(int clients, data::DurationDistribution think, int requests_per_client) {
  DrawnClass drawn{.name = "loop", .arrivals = {.process = "closed-loop"}};
  drawn.arrivals.closed_loop =
      data::ClosedLoop{.clients = clients, .think = think, .ramp_s = 0, .requests_per_client = requests_per_client};
  return drawn;
}

Time s(double seconds) { return Time::from_seconds(seconds); }

// Two clients, 1 s of service, 2 s of thinking, from 0 s on: client 0 is served in [0, 1), client 1 in [1, 2), then 0
// asks at 3 and 1 at 4, and so on every 3 s.
TEST(ClosedLoop, ByHand) {
  DrawnSource source({loop(2, {"fixed", 2, {}}, 3)}, s(1000), 1);
  ASSERT_TRUE(source.reacts());
  const auto all = serve(source, [](const SimRequest&) { return s(1); });
  ASSERT_EQ(all.size(), 6u);
  const double arrivals_s[] = {0, 0, 3, 4, 6, 7};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(all[i].request.arrival, s(arrivals_s[i])) << i;
    EXPECT_EQ(all[i].request.client, static_cast<std::int32_t>(i % 2)) << i;
  }
}

TEST(ClosedLoop, BeginsOverItsRampAndEndsAtTheHorizon) {
  DrawnClass drawn = loop(4, {"fixed", 1, {}}, 1000);
  drawn.arrivals.closed_loop->ramp_s = 8;
  DrawnSource source({drawn}, s(20), 1);
  const auto batch = source.next();
  ASSERT_EQ(batch.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(batch[i].arrival, s(2.0 * static_cast<double>(i)));
  EXPECT_FALSE(source.after({.chain = 0, .departed = s(19)}).has_value());
  EXPECT_TRUE(source.after({.chain = 1, .departed = s(18.9)}).has_value());
}

// The machine repairman: 8 clients that think 5 s and are served 1 s on average, both exponential. The server is idle
// for p0 = 1 / sum over k of 8! / (8 - k)! / 5^k = 1 / (1 + 1.6 + 2.24 + 2.688 + 2.688 + 2.1504 + 1.29024 + 0.516096
// + 0.1032192) = 0.070047; 1 - p0 = 0.929953 requests/s are served, so that an answer takes 8 / 0.929953 - 5 = 3.60258
// s.
TEST(ClosedLoop, IsTheMachineRepairman) {
  DrawnSource source({loop(8, {"exponential", 5, {}}, 40'000)}, s(1e6), 3);
  RandomStream random(9, "service");
  const auto all = serve(source, [&](const SimRequest&) { return s(random.exponential(1)); });
  double response_s = 0;
  std::int64_t n = 0;
  Time last;
  for (const Served& served : all) {
    if (served.departed > s(250'000)) break;  // before the first client is at its end
    response_s += (served.departed - served.request.arrival).seconds();
    last = served.departed;
    ++n;
  }
  EXPECT_NEAR(static_cast<double>(n) / last.seconds(), 0.929953, 0.006);
  EXPECT_NEAR(response_s / static_cast<double>(n), 3.60258, 0.04);
}

DrawnClass talk(int turns, double think_s) {
  DrawnClass drawn{.name = "talk", .arrivals = {"poisson", 0.1}};
  drawn.input_tokens = data::LengthDistribution{"fixed", 100, std::nullopt};
  drawn.output_tokens = data::LengthDistribution{"fixed", 30, std::nullopt};
  drawn.sessions = data::Sessions{
      .turns = {"fixed", static_cast<double>(turns), std::nullopt}, .think = {"fixed", think_s, {}}, .most_tokens = {}};
  return drawn;
}

// Turns of 100 new tokens and 30 written: inputs 100, 230, 360; each 7 s after the answer, of one session.
TEST(Conversations, GrowTurnByTurn) {
  DrawnSource source({talk(3, 7)}, s(10'000), 1);
  const auto all = serve(source, [](const SimRequest&) { return s(0.5); });
  std::map<std::int32_t, std::vector<Served>> by_chain;
  for (const Served& served : all) by_chain[served.request.chain].push_back(served);
  EXPECT_NEAR(static_cast<double>(by_chain.size()), 1000, 4 * std::sqrt(1000.0));
  std::map<std::int64_t, int> sessions;
  for (const auto& [chain, turns] : by_chain) {
    if (turns.front().request.arrival > s(9900)) continue;  // cut by the end
    ASSERT_EQ(turns.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(turns[i].request.input_tokens, 100 + 130 * static_cast<std::int32_t>(i));
      EXPECT_EQ(turns[i].request.content, turns[0].request.content);
      if (i == 0) continue;
      EXPECT_EQ(turns[i].request.arrival, turns[i - 1].departed + s(7));
    }
    ++sessions[turns[0].request.content->session];
  }
  for (const auto& [session, chains] : sessions) EXPECT_EQ(chains, 1);
}

TEST(Conversations, EndWhenTheyAreTooLongOrNotServed) {
  DrawnClass limited = talk(10, 1);
  limited.sessions->most_tokens = 300;  // the third turn would pass 360 + 30
  const auto longest = [](const std::vector<Served>& all) {
    std::int32_t most = 0;
    for (const Served& served : all) most = std::max(most, served.request.input_tokens);
    return most;
  };
  DrawnSource cut({limited}, s(1000), 1);
  EXPECT_EQ(longest(serve(cut, [](const SimRequest&) { return s(0.1); })), 230);
  DrawnSource refused({talk(10, 1)}, s(1000), 1);
  EXPECT_EQ(longest(serve(
                refused, [](const SimRequest&) { return s(0.1); }, Outcome::rejected)),
            100);
}

// A client of a closed loop has one conversation after another: 2 turns each, then a think time of 50 s.
TEST(Conversations, FollowEachOtherInAClosedLoop) {
  DrawnClass drawn = talk(2, 7);
  drawn.arrivals = loop(1, {"fixed", 50, {}}, 5).arrivals;
  DrawnSource source({drawn}, s(1000), 1);
  const auto all = serve(source, [](const SimRequest&) { return s(1); });
  ASSERT_EQ(all.size(), 5u);
  const std::int32_t inputs[] = {100, 230, 100, 230, 100};
  const double arrivals_s[] = {0, 8, 59, 67, 118};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(all[i].request.input_tokens, inputs[i]);
    EXPECT_EQ(all[i].request.arrival, s(arrivals_s[i]));
  }
  EXPECT_EQ(all[0].request.content, all[1].request.content);
  EXPECT_NE(all[1].request.content->session, all[2].request.content->session);
}

// What a chain asks depends on its own answers only: told in another order, each chain asks the same.
TEST(Conversations, DoNotDependOnTheOrderOfAnswers) {
  DrawnClass drawn = talk(50, 0);
  drawn.input_tokens = data::LengthDistribution{"lognormal", 100, 400};
  drawn.sessions->think = {"exponential", 3, {}};
  const auto follow = [&](bool backwards) {
    DrawnSource source({drawn}, s(2000), 1);
    std::vector<SimRequest> open;
    for (auto batch = source.next(); !batch.empty(); batch = source.next()) {
      open.insert(open.end(), batch.begin(), batch.end());
    }
    if (backwards) std::reverse(open.begin(), open.end());
    std::map<std::int32_t, std::vector<std::pair<Time, std::int32_t>>> all;
    for (int round = 0; round < 20; ++round) {
      for (SimRequest& r : open) {
        all[r.chain].emplace_back(r.arrival, r.input_tokens);
        const auto next = source.after({.chain = r.chain, .output_tokens = 30, .departed = r.arrival + s(1)});
        if (next) r = *next;
      }
    }
    return all;
  };
  EXPECT_EQ(follow(false), follow(true));
}

}  // namespace
}  // namespace weir::sim
