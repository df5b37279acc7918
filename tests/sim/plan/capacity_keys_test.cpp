// What tells one search for a capacity from another.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sim/plan/capacity_cache.h"
#include "tests/sim/plan/small_plan.h"

namespace weir::sim {
namespace {

/// The key of the requests under the scenario.
std::string key_of(const data::Scenario& scenario, const RequestList& requests) {
  const CapacityTask task{.scenario = scenario,
                          .workload = scenario.workloads.front(),
                          .requests = requests,
                          .efficiency = data::EfficiencyTable::builtin()};
  return CapacityKeys(task).of(Variant{});
}

TEST(CapacityKeys, KnowEveryServingChoice) {
  const RequestList requests;
  const std::vector<std::function<void(data::Scenario&)>> edits = {
      [](data::Scenario&) {},
      [](data::Scenario& s) { s.serving.policy = "chunked"; },
      [](data::Scenario& s) { s.serving.rules = "vllm-v1"; },
      [](data::Scenario& s) { s.serving.order = "priority"; },
      [](data::Scenario& s) { s.serving.kv_cache = "reserved"; },
      [](data::Scenario& s) { s.serving.kv_watermark = 0.5; },
      [](data::Scenario& s) { s.serving.prefix_cache = true; },
      [](data::Scenario& s) { s.workloads[0].classes[0].priority = 3; }};
  std::set<std::string> keys;
  for (const auto& edit : edits) {
    data::Scenario scenario = small_scenario();
    edit(scenario);
    keys.insert(key_of(scenario, requests));
  }
  EXPECT_EQ(keys.size(), edits.size());
}

TEST(CapacityKeys, KnowTheLinksOfAReplica) {
  const RequestList requests;
  const data::Scenario scenario = small_scenario();
  const CapacityTask task{.scenario = scenario,
                          .workload = scenario.workloads.front(),
                          .requests = requests,
                          .efficiency = data::EfficiencyTable::builtin()};
  std::set<std::string> keys;
  for (const char* network : {"", "ib-ndr-400", "eth-100"}) {
    for (const double overlap : {0.0, 0.5}) {
      Variant variant;
      if (*network) variant.replica.network = data::Catalog::builtin().network(network);
      variant.replica.all_reduce_overlap = overlap;
      keys.insert(CapacityKeys(task).of(variant));
    }
  }
  EXPECT_EQ(keys.size(), 6u);
}

// The same lengths at the same times, but other contents, another order of them, or other clients.
TEST(CapacityKeys, KnowWhatPromptsHold) {
  const std::vector<std::uint64_t> hashes = {1, 2, 3};
  const PromptContent one{.hashes = std::span(hashes).first(2), .tokens_per_hash = 16, .session = -1};
  const PromptContent same = one;
  const PromptContent longer{.hashes = hashes, .tokens_per_hash = 16, .session = -1};
  const PromptContent wider{.hashes = std::span(hashes).first(2), .tokens_per_hash = 32, .session = -1};
  const PromptContent turn{.hashes = {}, .tokens_per_hash = 16, .session = 4};
  const auto key = [&](const PromptContent* first, const PromptContent* second, std::int32_t client = -1) {
    RequestList list;
    list.requests.resize(2);
    list.requests[0].content = first;
    list.requests[1].content = second;
    list.requests[1].client = client;
    return key_of(small_scenario(), list);
  };
  const std::set<std::string> keys = {key(nullptr, nullptr), key(&one, &one),    key(&one, nullptr),
                                      key(nullptr, &one),    key(&one, &longer), key(&longer, &one),
                                      key(&wider, &wider),   key(&turn, &turn),  key(&one, &one, 3)};
  EXPECT_EQ(keys.size(), 9u);
  EXPECT_EQ(key(&one, &one), key(&same, &same));  // not where it lies, but what it is
}

}  // namespace
}  // namespace weir::sim
