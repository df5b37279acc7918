#include "data/mig_slice.h"

#include <gtest/gtest.h>

#include "data/errors.h"

namespace weir::data {
namespace {

Accelerator slice(const char* card, const char* profile, int& per_card) {
  return mig_slice(Catalog::builtin().accelerator(card), profile, "f", "/p", per_card);
}

TEST(MigSlice, HasItsPartOfTheCard) {
  int per_card = 0;
  const Accelerator& card = Catalog::builtin().accelerator("a100-sxm4-80gb");
  const Accelerator s = slice("a100-sxm4-80gb", "3g.40gb", per_card);
  EXPECT_EQ(per_card, 2);
  EXPECT_DOUBLE_EQ(*s.memory_bytes.value, *card.memory_bytes.value / 2);
  EXPECT_DOUBLE_EQ(*s.memory_bandwidth_bytes_per_s.value, *card.memory_bandwidth_bytes_per_s.value / 2);
  EXPECT_DOUBLE_EQ(*s.peak_flops_per_s.at(Precision::fp16).value,
                   *card.peak_flops_per_s.at(Precision::fp16).value * 3 / 7);
  EXPECT_FALSE(s.interconnect_bytes_per_s.known());
  EXPECT_EQ(slice("a100-sxm4-80gb", "3g", per_card).name, s.name);
}

TEST(MigSlice, AllThatFitOnACardAreNoMoreThanTheCard) {
  for (const Accelerator& card : Catalog::builtin().accelerators()) {
    for (const char* profile : {"1g", "2g", "3g", "4g", "7g"}) {
      int per_card = 0;
      try {
        const Accelerator s = mig_slice(card, profile, "f", "/p", per_card);
        EXPECT_LE(*s.memory_bytes.value * per_card, *card.memory_bytes.value) << card.id << profile;
        for (const auto& [precision, peak] : s.peak_flops_per_s) {
          EXPECT_LE(peak.value.value_or(0) * per_card,
                    card.peak_flops_per_s.at(precision).value.value_or(0) * (1 + 1e-12));
        }
      } catch (const InputError&) {
      }
    }
  }
}

TEST(MigSlice, RefusesWhatACardDoesNotHave) {
  int per_card = 0;
  EXPECT_THROW(slice("t4", "1g", per_card), InputError);
  EXPECT_THROW(slice("a100-sxm4-80gb", "5g", per_card), InputError);
  EXPECT_THROW(slice("a100-sxm4-80gb", "1g.40gb", per_card), InputError);
  EXPECT_THROW(slice("a30", "3g", per_card), InputError);
  EXPECT_EQ(slice("a30", "1g.6gb", per_card).name, "NVIDIA A30 24GB 1g.6gb");
  EXPECT_EQ(per_card, 4);
}

}  // namespace
}  // namespace weir::data
