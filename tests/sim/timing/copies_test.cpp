// Copies between host and device, KV caches between pools, and weights at start-up.
#include "sim/timing/copies.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/errors.h"
#include "tests/sim/timing/links_of_round_numbers.h"

namespace weir::sim {
namespace {

const data::Catalog& catalog() { return data::Catalog::builtin(); }

KvPath over_infiniband(int streams) {
  const data::Accelerator& h100 = catalog().accelerator("h100-sxm5-80gb");
  return kv_path(h100, streams, h100, streams, &catalog().network("ib-ndr-400"), test::round_table());
}

TEST(Copies, PinnedMemoryReachesFourFifthsOfPcie) {
  EXPECT_NEAR(copy_s(1e9, catalog().accelerator("a100-sxm4-80gb")), 10e-6 + 1e9 / (0.8 * 32e9), 1e-12);
  EXPECT_NEAR(copy_s(1e9, catalog().accelerator("h100-sxm5-80gb")), 10e-6 + 1e9 / (0.8 * 64e9), 1e-12);
  EXPECT_EQ(copy_s(0, catalog().accelerator("t4")), 0);
  EXPECT_THROW(copy_s(1, catalog().accelerator("dcu-bw200")), data::InputError);
}

TEST(KvTransfer, ByHand) {
  // A send over the round table's RDMA is 11 us + bytes at 0.5 x 50 GB/s. 1 GB in two streams: 20 ms.
  const KvPath path = over_infiniband(2);
  EXPECT_NEAR(kv_transfer_s(1e9, path, 32, 0.1, 0), 11e-6 + 20e-3, 1e-12);
  EXPECT_NEAR(kv_transfer_s(1e9, path, 32, 0.01, 1), 11e-6 + 10e-3, 1e-12);     // 10 ms went during the prefill
  EXPECT_NEAR(kv_transfer_s(1e9, path, 32, 0.01, 0.5), 11e-6 + 15e-3, 1e-12);   // half of it
  EXPECT_NEAR(kv_transfer_s(1e9, path, 32, 10, 1), 11e-6 + 20e-3 / 32, 1e-12);  // the last layer always waits
  EXPECT_EQ(kv_transfer_s(0, path, 32, 10, 1), 0);
}

TEST(KvTransfer, InsideAServerOverItsLinksElseOverTheNetwork) {
  const data::Accelerator& h100 = catalog().accelerator("h100-sxm5-80gb");
  const data::Accelerator& a100 = catalog().accelerator("a100-sxm4-80gb");
  const KvPath inside = kv_path(h100, 4, h100, 4, nullptr, test::round_table());
  EXPECT_EQ(inside.name, h100.interconnect_name);
  EXPECT_LT(kv_transfer_s(1e9, inside, 80, 0, 0), kv_transfer_s(1e9, over_infiniband(4), 80, 0, 0));
  EXPECT_THROW(kv_path(h100, 8, h100, 8, nullptr, test::round_table()), data::InputError);
  EXPECT_THROW(kv_path(h100, 1, a100, 1, nullptr, test::round_table()), data::InputError);
}

TEST(Load, TheLongerOfReadingAndCopying) {
  const data::Accelerator& h100 = catalog().accelerator("h100-sxm5-80gb");
  const data::Storage& nvme = catalog().storage("nvme");
  EXPECT_NEAR(load_s(140e9, 8, h100, nvme), *nvme.latency_s.value + 140e9 / *nvme.bytes_per_s.value, 1e-9);
  // From memory one accelerator waits for its PCIe.
  const data::Storage& memory = catalog().storage("host-memory");
  EXPECT_NEAR(load_s(70e9, 1, h100, memory), *memory.latency_s.value + copy_s(70e9, h100), 1e-9);
}

RC_GTEST_PROP(CopiesProperty, OverlapNeverLengthensAndNeverHidesTheLastLayer, ()) {
  const KvPath path = over_infiniband(*rc::gen::inRange(1, 9));
  const double bytes = *rc::gen::inRange(1, 1 << 30), prefill = *rc::gen::inRange(0, 1000) * 1e-3;
  const int layers = *rc::gen::inRange(1, 100);
  const double less = *rc::gen::inRange(0, 100) / 100.0, more = less + *rc::gen::inRange(0, 100) / 100.0 * (1 - less);
  const double a = kv_transfer_s(bytes, path, layers, prefill, less);
  const double b = kv_transfer_s(bytes, path, layers, prefill, more);
  RC_ASSERT(b <= a);
  RC_ASSERT(b * layers * (1 + 1e-9) >= kv_transfer_s(bytes, path, layers, 0, 0));
}

}  // namespace
}  // namespace weir::sim
