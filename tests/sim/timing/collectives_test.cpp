// Collectives: worked out by hand on links of round numbers, and what must hold on the shipped table.
#include "sim/timing/collectives.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "data/errors.h"
#include "tests/sim/timing/links_of_round_numbers.h"

namespace weir::sim {
namespace {

const data::EfficiencyTable& shipped() { return data::EfficiencyTable::builtin(); }
const data::Accelerator& part(const char* id) { return data::Catalog::builtin().accelerator(id); }
const data::Network* network(const char* id) { return &data::Catalog::builtin().network(id); }

/// Four accelerators a server, 100 GB/s links, PCIe of 32 GB/s; a network of 50 GB/s for each.
data::Accelerator part_of_four() {
  data::Accelerator a = test::round_part();
  a.max_per_server = test::known(4);
  return a;
}

Collectives of_round_numbers(int accelerators, const char* kernels = "nccl", const char* net = "ib-ndr-400") {
  return {make_topology(part_of_four(), accelerators, network(net)), test::round_table(), kernels};
}

TEST(Collectives, OneServerByHand) {
  const Collectives c = of_round_numbers(4);
  // The faster line is 10 us + 1 us a hop + volume at 50 GB/s; the other one 2 us + volume at 10 GB/s.
  EXPECT_NEAR(c.all_reduce_s(1e6, 4), 10e-6 + 6e-6 + 1.5 * 1e6 / 50e9, 1e-15);
  EXPECT_NEAR(c.all_reduce_s(1e4, 4), 2e-6 + 1.5 * 1e4 / 10e9, 1e-15);
  EXPECT_NEAR(c.all_gather_s(4e6, 4), 10e-6 + 3e-6 + 0.75 * 4e6 / 50e9, 1e-15);
  EXPECT_NEAR(c.reduce_scatter_s(4e6, 4), c.all_gather_s(4e6, 4), 1e-15);
  EXPECT_NEAR(c.all_to_all_s(4e6, 4), 10e-6 + 3e-6 + 0.75 * 4e6 / 50e9, 1e-15);
  EXPECT_NEAR(c.send_s(4e6, 1), 10e-6 + 1e-6 + 4e6 / 50e9, 1e-15);
  EXPECT_EQ(c.all_reduce_s(1e6, 1), 0);
  EXPECT_EQ(c.all_to_all_s(0, 4), 0);
}

TEST(Collectives, OneShotKernelsUpToTheirLimitThenNccl) {
  const Collectives c = of_round_numbers(4, "custom-graph");
  EXPECT_NEAR(c.all_reduce_s(1e4, 4), 2e-6 + 1.5 * 1e4 / 10e9, 1e-15);  // NCCL: 3.5 us against 4.6 us
  EXPECT_NEAR(c.all_reduce_s(1e5, 4), 1e-6 + 3e-6 + 3 * 1e5 / 50e9, 1e-15);
  EXPECT_NEAR(c.all_reduce_s(1.001e6, 4), of_round_numbers(4).all_reduce_s(1.001e6, 4), 1e-15);
}

TEST(Collectives, SeveralServersByHand) {
  const Collectives c = of_round_numbers(8);  // 2 servers of 4; a send is 11 us + bytes at 25 GB/s
  EXPECT_EQ(c.topology().nodes, 2);
  EXPECT_NEAR(c.all_reduce_s(8e6, 8), c.all_reduce_s(8e6, 4) + 2 * (11e-6 + 1e6 / 25e9), 1e-15);
  EXPECT_NEAR(c.all_gather_s(8e6, 8), c.all_gather_s(8e6, 4) + 11e-6 + 1e6 / 25e9, 1e-15);
  EXPECT_NEAR(c.reduce_scatter_s(8e6, 8), c.reduce_scatter_s(8e6, 4) + 11e-6 + 1e6 / 25e9, 1e-15);
  // Half of it leaves the server, which takes longer than 3/4 inside: 11 + 160 us against 13 + 120 us.
  EXPECT_NEAR(c.all_to_all_s(8e6, 8), 11e-6 + 4e6 / 25e9, 1e-15);
  EXPECT_NEAR(c.send_s(8e6, 4), 11e-6 + 8e6 / 25e9, 1e-15);
}

TEST(Collectives, AServerSharesItsAdapters) {
  // One adapter of 12.5 GB/s for four accelerators.
  const Collectives c = of_round_numbers(8, "nccl", "eth-100");
  EXPECT_NEAR(c.send_s(1e6, 4), 30e-6 + 1e6 / (0.5 * 12.5e9 / 4), 1e-15);
}

TEST(Topology, PairBridgesServeTwoRanks) {
  const Topology t = make_topology(part("a100-pcie-80gb"), 4);
  EXPECT_EQ(node_link(t, 2).name, "NVLink bridge (pairs)");
  EXPECT_EQ(node_link(t, 2).bytes_per_s, 300e9);
  EXPECT_EQ(node_link(t, 4).name, "PCIe");
  EXPECT_EQ(node_link(t, 4).bytes_per_s, 32e9);
  EXPECT_EQ(node_link(make_topology(part("l40s"), 2), 2).kind, "pcie");
}

TEST(Topology, AMeshGivesEachPairOneLink) {
  const Topology t = make_topology(part("mi300x"), 8);  // 7 links of 64 GB/s
  EXPECT_NEAR(node_link(t, 2).bytes_per_s, 64e9, 1);
  EXPECT_NEAR(node_link(t, 8).bytes_per_s, 448e9, 1);
}

TEST(Topology, ServersFollowFromTheAccelerators) {
  EXPECT_EQ(make_topology(part("h100-sxm5-80gb"), 8).nodes, 1);
  EXPECT_EQ(make_topology(part("h100-sxm5-80gb"), 16, network("ib-ndr-400")).nodes, 2);
  EXPECT_EQ(make_topology(part("gb200-nvl72"), 72).nodes, 1);
  try {
    make_topology(part("h100-sxm5-80gb"), 16);
    FAIL() << "two servers without a network";
  } catch (const data::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("name the network between servers"), std::string::npos) << error.what();
  }
}

TEST(Collectives, CutLinksTakeLongerByTheRatioOfTheLinks) {
  const Collectives h100{make_topology(part("h100-sxm5-80gb"), 8), shipped(), "nccl"};
  const Collectives h800{make_topology(part("h800-sxm5-80gb"), 8), shipped(), "nccl"};
  const Collectives a100{make_topology(part("a100-sxm4-80gb"), 8), shipped(), "nccl"};
  const Collectives a800{make_topology(part("a800-sxm4-80gb"), 8), shipped(), "nccl"};
  for (const int ranks : {2, 4, 8}) {
    EXPECT_NEAR(h800.all_reduce_s(4e9, ranks) / h100.all_reduce_s(4e9, ranks), 900.0 / 400, 0.03);
    EXPECT_NEAR(a800.all_reduce_s(4e9, ranks) / a100.all_reduce_s(4e9, ranks), 600.0 / 400, 0.03);
    EXPECT_LT(h800.all_reduce_s(16384, ranks) / h100.all_reduce_s(16384, ranks), 1.1);  // short ones are latency
  }
}

/// Any part of the catalogue that two accelerators can join, over any network, under any kernels.
struct Any {
  data::Accelerator accelerator;
  Topology topology;
  std::string kernels;
};

Any any_deployment(int accelerators) {
  std::vector<data::Accelerator> linked;
  for (const data::Accelerator& a : data::Catalog::builtin().accelerators()) {
    if (a.max_per_server.value.value_or(0) >= 2 && a.pcie_bytes_per_s.known()) linked.push_back(a);
  }
  Any any;
  any.accelerator = *rc::gen::elementOf(linked);
  const auto& net = *rc::gen::elementOf(data::Catalog::builtin().networks());
  any.topology = make_topology(any.accelerator, accelerators, &net);
  any.kernels = *rc::gen::element<std::string>("custom-graph", "nccl", "nccl-eager");
  return any;
}

std::vector<double> all_times(const Collectives& c, double bytes, int ranks) {
  return {c.all_reduce_s(bytes, ranks), c.all_gather_s(bytes, ranks), c.reduce_scatter_s(bytes, ranks),
          c.all_to_all_s(bytes, ranks), c.send_s(bytes, ranks - 1)};
}

void never_less(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) RC_ASSERT(a[i] * (1 + 1e-9) >= b[i]);
}

RC_GTEST_PROP(CollectivesProperty, MoreBytesAreNeverFaster, ()) {
  const int ranks = *rc::gen::inRange(2, 33);
  const Any any = any_deployment(ranks);
  const Collectives c{any.topology, shipped(), any.kernels};
  const double bytes = *rc::gen::inRange(1, 1 << 24), more = bytes + *rc::gen::inRange(0, 1 << 24);
  never_less(all_times(c, more, ranks), all_times(c, bytes, ranks));
}

RC_GTEST_PROP(CollectivesProperty, MoreRanksNeverHaveLessLatency, ()) {
  const int ranks = *rc::gen::inRange(2, 32), more = *rc::gen::inRange(ranks, 33);
  const Any any = any_deployment(more);
  const Collectives c{any.topology, shipped(), any.kernels};
  // Past the custom kernels' ranks NCCL takes over; a bridge of a pair is another link than PCIe.
  RC_PRE(any.topology.wiring != Wiring::pairs || ranks > 2);
  never_less({c.all_reduce_s(1e-3, more), c.all_gather_s(1e-3, more), c.all_to_all_s(1e-3, more)},
             {c.all_reduce_s(1e-3, ranks), c.all_gather_s(1e-3, ranks), c.all_to_all_s(1e-3, ranks)});
}

RC_GTEST_PROP(CollectivesProperty, FasterLinksAreNeverSlower, ()) {
  const int ranks = *rc::gen::inRange(2, 33);
  const Any any = any_deployment(ranks);
  Topology faster = any.topology;
  const double factor = *rc::gen::inRange(10, 40) / 10.0;
  faster.interconnect_bytes_per_s *= factor;
  faster.pcie_bytes_per_s *= factor;
  faster.network_bytes_per_s *= factor;
  const double bytes = *rc::gen::inRange(1, 1 << 26);
  never_less(all_times({any.topology, shipped(), any.kernels}, bytes, ranks),
             all_times({faster, shipped(), any.kernels}, bytes, ranks));
}

RC_GTEST_PROP(CollectivesProperty, SeveralServersAreNeverFasterThanOne, ()) {
  const Any any = any_deployment(32);
  const int inside = any.topology.per_node, ranks = inside * *rc::gen::inRange(2, 5);
  const Collectives c{any.topology, shipped(), any.kernels};
  const double bytes = *rc::gen::inRange(1, 1 << 26);
  never_less({c.all_reduce_s(bytes, ranks), c.all_gather_s(bytes, ranks), c.all_to_all_s(bytes, ranks)},
             {c.all_reduce_s(bytes, inside), c.all_gather_s(bytes, inside), c.all_to_all_s(bytes, inside)});
}

}  // namespace
}  // namespace weir::sim
