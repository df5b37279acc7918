#include "data/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <set>

#include "data/errors.h"
#include "data/json_io.h"
#include "data/nearest.h"
#include "tests/data/temporary_folder.h"

namespace weir::data {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kRounding = 1e-9;  // relative: a few operations on doubles

const Catalog& catalog() { return Catalog::builtin(); }

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

TEST(Catalog, HoldsTheWholeList) {
  EXPECT_EQ(catalog().accelerators().size(), 55u);
  EXPECT_EQ(catalog().models().size(), 80u);
  EXPECT_EQ(catalog().prices().size(), 599u);
  EXPECT_EQ(catalog().server_prices().size(), 14u);
  EXPECT_EQ(catalog().economics().size(), 66u);
  EXPECT_EQ(catalog().discount_ratios().size(), 11u);
}

TEST(Catalog, FindsByIdNameAndAliasInAnyCase) {
  for (const char* name : {"t4", "T4", "NVIDIA T4 16GB", "nvidia t4 16gb"}) {
    EXPECT_EQ(catalog().accelerator(name).id, "t4") << name;
  }
  EXPECT_EQ(catalog().accelerator("A100 80GB").id, "a100-sxm4-80gb");
  EXPECT_EQ(catalog().accelerator("SM90 (H800/H100-SXM)").id, "h800-sxm5-80gb");
  EXPECT_EQ(catalog().model("Llama-3.1-8B-Instruct").id, "llama-3.1-8b");
  EXPECT_EQ(catalog().model("bert-LARGE").id, "bert-large");
}

TEST(Catalog, A10GIsNotA10) {
  EXPECT_EQ(catalog().accelerator("A10G").id, "a10g");
  EXPECT_EQ(catalog().accelerator("A10").id, "a10");
  EXPECT_NE(catalog().accelerator("a10g").peak_flops_per_s.at(Precision::fp16).value,
            catalog().accelerator("a10").peak_flops_per_s.at(Precision::fp16).value);
}

TEST(Catalog, UnknownNamesAreRefusedWithTheNearestIds) {
  EXPECT_THAT(refusal([] { catalog().accelerator("h8000"); }),
              AllOf(HasSubstr("\"h8000\""), HasSubstr("did you mean")));
  EXPECT_THAT(refusal([] { catalog().accelerator("a100"); }),
              AllOf(HasSubstr("a100-sxm4-80gb"), HasSubstr("a100-sxm4-40gb"), HasSubstr("a100-pcie-80gb")));
  EXPECT_THAT(refusal([] { catalog().model("lama-3.1-8b"); }), HasSubstr("\"llama-3.1-8b\""));
  EXPECT_THAT(refusal([] { catalog().economic("peu"); }), HasSubstr("\"pue\""));
}

TEST(Catalog, EverySpellingNamesOneEntry) {
  std::set<std::string> seen;
  const auto claim = [&](const std::string& name) { EXPECT_TRUE(seen.insert(lower_case(name)).second) << name; };
  for (const Accelerator& a : catalog().accelerators()) {
    claim(a.id);
    if (lower_case(a.name) != a.id) claim(a.name);
    for (const std::string& alias : a.aliases) claim(alias);
    for (const std::string& alias : a.aliases) EXPECT_EQ(catalog().accelerator(alias).id, a.id);
  }
}

TEST(Catalog, EveryKnownValueHasASource) {
  for (const Accelerator& a : catalog().accelerators()) {
    for (const Quantity* q : {&a.memory_bytes, &a.memory_bandwidth_bytes_per_s, &a.tdp_w, &a.idle_w,
                              &a.interconnect_bytes_per_s, &a.pcie_bytes_per_s, &a.max_per_server, &a.compute_units}) {
      EXPECT_TRUE(!q->known() || !q->source.empty()) << a.id;
    }
    for (const auto& [precision, peak] : a.peak_flops_per_s) EXPECT_FALSE(peak.source.empty()) << a.id;
  }
  for (const PricePoint& p : catalog().prices()) EXPECT_FALSE(p.source.empty()) << p.id;
  for (const auto& [key, value] : catalog().economics()) {
    EXPECT_FALSE(value.source.empty()) << key;
    EXPECT_LE(value.low, value.mid) << key;
    EXPECT_LE(value.mid, value.high) << key;
  }
}

TEST(Catalog, ValuesAreSiAndPerDirection) {
  const Accelerator& a100 = catalog().accelerator("a100-sxm4-80gb");
  EXPECT_EQ(a100.memory_bytes.value, 80.0 * 1024 * 1024 * 1024);
  EXPECT_THAT(a100.memory_bytes.note, HasSubstr("derived"));
  EXPECT_EQ(a100.memory_bandwidth_bytes_per_s.value, 2039e9);
  EXPECT_EQ(a100.peak_flops_per_s.at(Precision::fp16).value, 312e12);
  EXPECT_EQ(a100.peak_flops_per_s.at(Precision::int8).value, 624e12);
  EXPECT_FALSE(a100.supports(Precision::fp8));
  EXPECT_EQ(a100.interconnect_bytes_per_s.value, 300e9);  // NVLink 3: 600 GB/s both ways together
  EXPECT_EQ(a100.pcie_bytes_per_s.value, 32e9);           // Gen4 x16: 64 GB/s both ways together
  EXPECT_EQ(a100.idle_w.evidence, Evidence::assumption);  // no source was found for it
  EXPECT_EQ(a100.tdp_w.evidence, Evidence::datasheet);
}

TEST(Catalog, OlderPartsSupportLess) {
  const Accelerator& t4 = catalog().accelerator("t4");
  EXPECT_TRUE(t4.supports(Precision::fp16));
  EXPECT_FALSE(t4.supports(Precision::bf16));
  EXPECT_FALSE(t4.supports(Precision::fp8));
  EXPECT_FALSE(t4.interconnect_bytes_per_s.known());
}

TEST(Catalog, MemoryTheDriverShowsBeatsTheNominalSize) {
  const Quantity& b300 = catalog().accelerator("b300-sxm-288gb").memory_bytes;
  EXPECT_EQ(b300.value, 275040.0 * 1024 * 1024);
  EXPECT_EQ(b300.evidence, Evidence::measured_elsewhere);
}

TEST(Catalog, ModelsCarryTheirShape) {
  const Model& llama = catalog().model("llama-3.1-8b");
  EXPECT_EQ(llama.kind, ModelKind::llm);
  EXPECT_EQ(llama.layers, 32);
  EXPECT_EQ(llama.kv_heads, 8);
  EXPECT_EQ(llama.vocabulary, 128256);
  EXPECT_EQ(llama.parameters, 8.03e9);
  const Model& bert = catalog().model("bert-large");
  EXPECT_EQ(bert.kind, ModelKind::encoder);
  EXPECT_EQ(bert.mlp_matrices, 2);
  EXPECT_EQ(catalog().model("resnet-50-v1.5").kind, ModelKind::other);
  EXPECT_EQ(catalog().model("resnet-50-v1.5").family, "cnn");
  EXPECT_TRUE(catalog().model("mixtral-8x7b").mixture_of_experts);
}

TEST(Economics, TheMostExactPlaceWins) {
  EXPECT_EQ(catalog().economic("electricity_usd_per_kwh").mid, 0.083);
  EXPECT_EQ(catalog().economic("electricity_usd_per_kwh", "us-va").mid, 0.0892);  // EIA, industrial, Virginia
  EXPECT_EQ(catalog().economic("electricity_usd_per_kwh", "us-xx").mid, 0.083);   // the country's
  EXPECT_EQ(catalog().economic("electricity_usd_per_kwh", "CN").mid, 0.088);
  EXPECT_EQ(catalog().economic("electricity_usd_per_kwh", "it").mid, 0.219);  // no Italian value: the EU's
  EXPECT_EQ(catalog().economic("electricity_usd_per_kwh", "jp").mid, 0.083);  // nothing near: the general one
  EXPECT_EQ(catalog().economic("discount_rate", "cn-bj").mid, 0.045);
  EXPECT_EQ(catalog().economic("discount_rate", "CN").evidence, Evidence::assumption);
}

TEST(ExchangeRates, ThereBackAndAcross) {
  EXPECT_EQ(catalog().convert(5, "USD", "USD"), 5);
  EXPECT_DOUBLE_EQ(catalog().convert(10, "USD", "CNY"), 72);
  EXPECT_DOUBLE_EQ(catalog().convert(72, "CNY", "USD"), 10);
  EXPECT_DOUBLE_EQ(catalog().convert(1, "EUR", "CNY"), 1.15 * 7.2);
  const RangedQuantity inverse = catalog().exchange_rate("CNY", "USD");
  EXPECT_DOUBLE_EQ(inverse.low, 1 / 7.3);
  EXPECT_DOUBLE_EQ(inverse.high, 1 / 7.0);
  EXPECT_THAT(refusal([] { catalog().convert(1, "USD", "XYZ"); }), HasSubstr("\"XYZ\""));
  EXPECT_THAT(refusal([] { catalog().convert(1, "XYZ", "CNY"); }), HasSubstr("\"XYZ\""));
}

RC_GTEST_PROP(ExchangeRates, ConvertingBackGivesTheAmount, ()) {
  const std::vector<std::string> currencies{"USD", "CNY", "EUR"};
  const auto from = *rc::gen::elementOf(currencies), to = *rc::gen::elementOf(currencies);
  const double amount = *rc::gen::inRange(-1'000'000, 1'000'000) / 100.0;
  const double back = catalog().convert(catalog().convert(amount, from, to), to, from);
  RC_ASSERT(std::abs(back - amount) <= kRounding * std::abs(amount));
}

TEST(ServerPrice, ADefaultOfTheServerWins) {
  const auto price = catalog().server_price("h100-sxm5-80gb", "USD");
  ASSERT_TRUE(price);
  EXPECT_EQ(price->accelerators, 8);
  EXPECT_EQ(price->price.mid, 327500);
  EXPECT_EQ(price->price.low, 250141.8);
  EXPECT_EQ(price->price.high, 530000);
  EXPECT_EQ(price->price.evidence, Evidence::datasheet);
}

TEST(ServerPrice, TheQuoteInTheWantedCurrencyWins) {
  EXPECT_EQ(catalog().server_price("h200-sxm5-141gb", "USD")->price.mid, 400000);   // DGX H200, world
  EXPECT_EQ(catalog().server_price("h200-sxm5-141gb", "CNY")->price.mid, 1500000);  // Chinese channel
}

TEST(ServerPrice, AForeignQuoteIsConverted) {
  const auto price = catalog().server_price("h800-sxm5-80gb", "USD");
  ASSERT_TRUE(price);
  EXPECT_NEAR(price->price.mid, 2500000 / 7.2, kRounding * 2500000);
  EXPECT_THAT(price->price.note, HasSubstr("converted from CNY"));
  EXPECT_EQ(price->price.evidence, Evidence::assumption);
}

TEST(ServerPrice, CardsAndAHostWhereNoServerIsQuoted) {
  // A100 SXM4 80GB: cards at 12,500 (10,000 to 15,000) and 15,000 USD, so 13,750; host 80,000 (50,000 to 130,000).
  const auto price = catalog().server_price("a100-sxm4-80gb", "USD");
  ASSERT_TRUE(price);
  EXPECT_EQ(price->accelerators, 8);
  EXPECT_EQ(price->price.mid, 8 * 13750 + 80000);
  EXPECT_EQ(price->price.low, 8 * 10000 + 50000);
  EXPECT_EQ(price->price.high, 8 * 15000 + 130000);
  EXPECT_EQ(price->price.evidence, Evidence::assumption);
  EXPECT_THAT(price->price.source, HasSubstr("host_chassis_8gpu_sxm_usd"));
  // A30, 165 W: 4 x 5,250 (4,500 to 6,000) + 10,000 (6,000 to 16,000).
  const auto a30 = catalog().server_price("a30", "USD");
  EXPECT_EQ(a30->accelerators, 4);
  EXPECT_EQ(a30->price.mid, 4 * 5250 + 10000);
  EXPECT_EQ(a30->price.low, 4 * 4500 + 6000);
  EXPECT_EQ(a30->price.high, 4 * 6000 + 16000);
}

TEST(ServerPrice, AKitIsAServerOfOne) {
  const auto price = catalog().server_price("jetson-agx-orin-64gb", "USD");
  ASSERT_TRUE(price);
  EXPECT_EQ(price->accelerators, 1);
  EXPECT_EQ(price->price.mid, 1999);
}

TEST(ServerPrice, EmptyWithoutAnyPrice) { EXPECT_FALSE(catalog().server_price("gaudi-3", "USD")); }

TEST(CloudPrice, MedianAndExtremesOfThePlace) {
  // T4 on demand in us-va: 0.526, 0.526, 0.752, 0.978, 0.978, 1.088.
  const auto t4 = catalog().cloud_price_per_hour("t4", "on-demand", "us-va", "USD");
  ASSERT_TRUE(t4);
  EXPECT_DOUBLE_EQ(t4->mid, (0.752 + 0.978) / 2);
  EXPECT_EQ(t4->low, 0.526);
  EXPECT_EQ(t4->high, 1.088);
  EXPECT_EQ(t4->evidence, Evidence::datasheet);
  EXPECT_THAT(t4->source, HasSubstr("median of 6 on-demand prices in us-va"));
  // A100 SXM4 80GB: 3.43088, 4.09625, 5.7077, 5.70774.
  EXPECT_DOUBLE_EQ(catalog().cloud_price_per_hour("a100-sxm4-80gb", "on-demand", "us-va", "USD")->mid,
                   (4.09625 + 5.7077) / 2);
}

TEST(CloudPrice, SupersededAndMislabelledPointsAreLeftOut) {
  // H100 in us-va: 12.29 USD of AWS before its price cut of 2025 is in the list, and not used; Azure's 12.29 is.
  const auto h100 = catalog().cloud_price_per_hour("h100-sxm5-80gb", "on-demand", "us-va", "USD");
  EXPECT_DOUBLE_EQ(h100->mid, (6.88 + 11.06948) / 2);  // 6.88 x 3, 11.06948, 11.6172, 12.29
  EXPECT_THAT(h100->source, HasSubstr("6 on-demand prices"));
}

TEST(CloudPrice, ACountryStandsInForItsRegions) {
  // No A10 is listed as spot in us-va; one is in the US.
  const auto spot = catalog().cloud_price_per_hour("a10", "spot", "us-va", "USD");
  ASSERT_TRUE(spot);
  EXPECT_EQ(spot->mid, 0.64);
  EXPECT_THAT(spot->source, HasSubstr("in us "));
}

TEST(CloudPrice, TheWorldStandsInForUnknownPlacesAsAnAssumption) {
  const auto t4 = catalog().cloud_price_per_hour("t4", "on-demand", "de", "USD");
  ASSERT_TRUE(t4);
  EXPECT_EQ(t4->evidence, Evidence::assumption);
  EXPECT_THAT(t4->source, HasSubstr("none in de"));
}

TEST(CloudPrice, AReservedTermWithoutPointsIsOnDemandTimesItsRatio) {
  // H100 has one reserved-1y point, superseded by a price cut. reserved_1y_ratio: 0.585, 0.63, 0.8.
  const auto reserved = catalog().cloud_price_per_hour("h100-sxm5-80gb", "reserved-1y", "us-va", "USD");
  const auto on_demand = catalog().cloud_price_per_hour("h100-sxm5-80gb", "on-demand", "us-va", "USD");
  ASSERT_TRUE(reserved && on_demand);
  EXPECT_NEAR(reserved->mid, 0.63 * on_demand->mid, kRounding);
  EXPECT_NEAR(reserved->low, 0.585 * on_demand->low, kRounding);
  EXPECT_NEAR(reserved->high, 0.8 * on_demand->high, kRounding);
  EXPECT_EQ(reserved->evidence, Evidence::assumption);
  EXPECT_THAT(reserved->source, HasSubstr("reserved_1y_ratio"));
}

TEST(CloudPrice, AMonthlyRentStandsInForOnDemandAndSaysSo) {
  // H800: 75,000 CNY a month for 8 = 12.84247 CNY an hour each; 7.2 CNY a dollar.
  const auto h800 = catalog().cloud_price_per_hour("h800-sxm5-80gb", "on-demand", "cn", "USD");
  ASSERT_TRUE(h800);
  EXPECT_NEAR(h800->mid, 12.84247 / 7.2, 1e-6);
  EXPECT_EQ(h800->evidence, Evidence::assumption);
  EXPECT_THAT(h800->source, HasSubstr("the monthly price stands in for it"));
  EXPECT_NEAR(catalog().cloud_price_per_hour("h800-sxm5-80gb", "on-demand", "cn", "CNY")->mid, 12.84247, 1e-9);
}

TEST(CloudPrice, EmptyWithoutAnyPriceAndStrictAboutTerms) {
  EXPECT_FALSE(catalog().cloud_price_per_hour("gaudi-3", "on-demand", "us-va", "USD"));
  EXPECT_FALSE(catalog().cloud_price_per_hour("gaudi-3", "reserved-1y", "us-va", "USD"));
  EXPECT_THAT(refusal([] { catalog().cloud_price_per_hour("t4", "on_demand", "us", "USD"); }),
              HasSubstr("\"on-demand\""));
}

TEST(CloudPrice, EveryPriceLiesInItsRange) {
  for (const Accelerator& a : catalog().accelerators()) {
    for (const char* term : {"on-demand", "reserved-1y", "reserved-3y", "spot"}) {
      for (const char* place : {"us-va", "cn-bj", "jp", ""}) {
        const auto price = catalog().cloud_price_per_hour(a.id, term, place, "USD");
        if (!price) continue;
        EXPECT_GT(price->low, 0) << a.id << term << place;
        EXPECT_LE(price->low, price->mid) << a.id << term << place;
        EXPECT_LE(price->mid, price->high) << a.id << term << place;
        EXPECT_FALSE(price->source.empty());
      }
    }
    if (const auto server = catalog().server_price(a.id, "EUR")) {
      EXPECT_LE(server->price.low, server->price.mid) << a.id;
      EXPECT_LE(server->price.mid, server->price.high) << a.id;
      EXPECT_GE(server->accelerators, 1) << a.id;
    }
  }
}

TEST(Overlay, ReplacesEntriesByIdAndKeepsTheOthers) {
  const TemporaryFolder folder;
  const auto good = std::filesystem::path(WEIR_SOURCE_DIR) / "data/schema/samples/good";
  folder.write("hardware.json", read_text(good / "hardware-one.json"));
  folder.write("prices.json", read_text(good / "prices-own.json"));
  folder.write("economics.json", read_text(good / "economics-own.json"));
  const Catalog own = Catalog::load(folder.path());
  EXPECT_EQ(own.accelerators().size(), 56u);
  EXPECT_EQ(own.accelerator("E80").tdp_w.source, "Vendor datasheet, 2026-01");
  EXPECT_EQ(own.prices().size(), 601u);
  EXPECT_EQ(own.economic("pue").mid, 1.2);
  EXPECT_EQ(own.economic("pue").evidence, Evidence::measured_here);
  EXPECT_EQ(own.server_price("t4", "USD")->price.source, "own quote");
  EXPECT_EQ(own.economics().size(), 66u);
  EXPECT_EQ(catalog().economic("pue").mid, 1.3);  // the built-in one is as it was
}

TEST(Overlay, RefusesEmptyFoldersAndUnknownAccelerators) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal([&] { Catalog::load(folder.path()); }), HasSubstr("holds no hardware.json"));
  EXPECT_THAT(refusal([&] { Catalog::load(folder.path() / "none"); }), HasSubstr("expected a folder"));
  folder.write("prices.json", R"({"schema": "weir.prices/1", "points": [{"id": "x", "kind": "rent", "provider": "P",
    "accelerator": "t44", "per_accelerator_hour": 1, "currency": "USD", "term": "on-demand", "place": "us",
    "date": "2026", "source": "s", "evidence": "datasheet"}]})");
  EXPECT_THAT(refusal([&] { Catalog::load(folder.path()); }),
              AllOf(HasSubstr("/points/0/accelerator"), HasSubstr("\"t4\"")));
}

TEST(Catalog, AddReplacesTheDeviceOfTheSameId) {
  Catalog own = catalog();
  Accelerator machine;
  machine.id = "this-machine";
  machine.name = "This CPU";
  own.add(machine);
  machine.name = "This CPU again";
  own.add(machine);
  EXPECT_EQ(own.accelerators().size(), 56u);
  EXPECT_EQ(own.accelerator("this-machine").name, "This CPU again");
}

/// The facts the catalogue was made from: nothing got lost or changed on the way.
TEST(CatalogField, AgreesWithTheCollectedFacts) {
  const char* field = std::getenv("WEIR_FIELD_DATA");
  if (field == nullptr) GTEST_SKIP() << "WEIR_FIELD_DATA is not set";
  const auto facts = std::filesystem::path(field) / "data/facts";
  const auto hardware = read_json_file(facts / "hardware.json");
  for (const auto& fact : hardware["accelerators"]) {
    const Accelerator& a = catalog().accelerator(fact["id"].get<std::string>());
    EXPECT_EQ(a.name, fact["name"]);
    EXPECT_DOUBLE_EQ(*a.memory_bandwidth_bytes_per_s.value, fact["memory_bw_gbps"]["v"].get<double>() * 1e9) << a.id;
    for (const char* name : {"fp32", "tf32", "fp16", "bf16", "fp8", "int8", "int4"}) {
      const auto& peaks = fact["dense_peak_tflops"];
      const bool there = peaks.contains(name) && !peaks[name]["v"].is_null();
      ASSERT_EQ(a.supports(*parse_precision(name)), there) << a.id << name;
      if (there) {
        EXPECT_DOUBLE_EQ(*a.peak_flops_per_s.at(*parse_precision(name)).value, peaks[name]["v"].get<double>() * 1e12);
      }
    }
    const auto& link = fact["interconnect"]["total_bidir_gbps"]["v"];
    EXPECT_EQ(a.interconnect_bytes_per_s.known(), !link.is_null()) << a.id;
    if (!link.is_null()) {
      EXPECT_DOUBLE_EQ(*a.interconnect_bytes_per_s.value, link.get<double>() * 0.5e9) << a.id;
    }
  }
  for (const auto& [alias, name] : hardware["aliases"].items()) {
    EXPECT_EQ(catalog().accelerator(alias).name, name) << alias;
  }
  const auto prices = read_json_file(facts / "prices.json");
  ASSERT_EQ(prices["points"].size(), catalog().prices().size());
  for (std::size_t i = 0; i < catalog().prices().size(); ++i) {
    const PricePoint& point = catalog().prices()[i];
    EXPECT_EQ(point.id, prices["points"][i]["id"]);
    EXPECT_EQ(point.accelerator_id, prices["points"][i]["accelerator_id"]) << point.id;
    const bool rent = point.kind == "rent";
    EXPECT_DOUBLE_EQ(rent ? *point.per_accelerator_hour : *point.per_accelerator,
                     prices["points"][i][rent ? "price_per_gpu_hour" : "price_per_gpu"].get<double>());
  }
  const auto inputs = read_json_file(facts / "economics.json")["inputs"];
  for (const auto& [key, fact] : inputs.items()) EXPECT_EQ(catalog().economic(key).mid, fact["default"]) << key;
}

}  // namespace
}  // namespace weir::data
