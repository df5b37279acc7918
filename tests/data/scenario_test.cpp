#include "data/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "data/catalog.h"
#include "data/errors.h"
#include "data/json_io.h"
#include "tests/data/temporary_folder.h"

namespace weir::data {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::filesystem::path kSamples = std::filesystem::path(WEIR_SOURCE_DIR) / "data/schema/samples/good";

Json sample(const std::string& name) { return read_json_file(kSamples / (name + ".json")); }

/// The message for the sample with one value replaced; "read" when it was accepted.
std::string refusal(Json json, const std::string& pointer, const Json& value) {
  json[Json::json_pointer(pointer)] = value;
  try {
    scenario_from_json(json, "s.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

TEST(Scenario, FillsDefaults) {
  const Scenario s = load_scenario(kSamples / "scenario-minimal.json");
  EXPECT_EQ(s.name, "scenario-minimal");  // the file's name stands in
  EXPECT_EQ(s.folder, kSamples);
  EXPECT_EQ(s.seed, 1u);
  const Workload& w = s.workloads.at(0);
  EXPECT_EQ(w.kind, WorkloadKind::generative);
  EXPECT_EQ(w.model.weights, Precision::fp16);
  EXPECT_EQ(w.growth_per_year, 0);
  EXPECT_TRUE(w.classes.at(0).slo.empty());
  EXPECT_EQ(w.classes.at(0).slo.attainment, 0.99);
  EXPECT_EQ(s.serving.policy, "continuous");
  EXPECT_EQ(s.serving.rules, "weir");
  EXPECT_EQ(s.serving.order, "fcfs");
  EXPECT_EQ(s.serving.kv_cache, "paged");
  EXPECT_EQ(s.serving.kv_watermark, 0.01);
  EXPECT_FALSE(s.serving.prefix_cache);
  EXPECT_EQ(s.serving.max_batch, 256);
  EXPECT_FALSE(s.serving.queue_limit.has_value());
  EXPECT_EQ(s.cost.horizon_months, 36);
  EXPECT_EQ(s.cost.currency, "USD");
  EXPECT_FALSE(s.cost.discount_rate.has_value());
}

TEST(Scenario, OneShotWorkIsServedDynamically) {
  const Scenario s = load_scenario(kSamples / "scenario-one-shot.json");
  EXPECT_EQ(s.workloads.at(0).kind, WorkloadKind::one_shot);
  EXPECT_EQ(s.serving.policy, "dynamic");
}

TEST(Scenario, KeepsEveryValueAndTurnsNamesIntoIds) {
  const Scenario s = load_scenario(kSamples / "scenario-full.json");
  const Workload& w = s.workloads.at(0);
  EXPECT_EQ(w.model.id, "llama-3.1-8b");  // written as "Llama-3.1-8B-Instruct"
  EXPECT_EQ(w.model.weights, Precision::int8);
  EXPECT_EQ(w.growth_per_year, -0.1);
  EXPECT_EQ(w.classes.at(0).arrivals->rate_per_s, 5.5);
  EXPECT_EQ(w.classes.at(0).input_tokens->p99, 4000);
  EXPECT_EQ(w.classes.at(0).slo.ttft_s, (PercentileLimits{{"p50", 0.4}, {"p99", 1.0}}));
  EXPECT_EQ(w.classes.at(0).slo.e2e_s, (PercentileLimits{{"p999", 60.0}}));
  EXPECT_EQ(w.classes.at(1).trace->rate_scale, 2.0);
  EXPECT_EQ(w.classes.at(1).trace->window_end_s, 3600);
  EXPECT_EQ(w.classes.at(1).trace->repeat, 2);
  EXPECT_EQ(s.serving.policy, "chunked");
  EXPECT_EQ(s.serving.rules, "vllm-v1");
  EXPECT_EQ(s.serving.order, "priority");
  EXPECT_EQ(s.serving.kv_watermark, 0.02);
  EXPECT_TRUE(s.serving.prefix_cache);
  EXPECT_EQ(s.serving.queue_limit, 1000);
  EXPECT_EQ(s.serving.timeout_s, 60);
  EXPECT_EQ(s.deployment.accelerator, "a100-sxm4-80gb");  // written as "A100 80GB"
  EXPECT_THAT(s.candidates.accelerators, ElementsAre("h800-sxm5-80gb", "a100-sxm4-80gb"));
  EXPECT_THAT(s.candidates.precisions, ElementsAre(Precision::fp16, Precision::int8));
  EXPECT_EQ(s.cost.currency, "CNY");
  EXPECT_EQ(s.cost.overrides.at("server_price_usd.h800-sxm5-80gb"), 300000);
  EXPECT_EQ(s.cost.overrides.at("cloud_price_drift"), -0.05);
}

TEST(Scenario, UnknownNamesAreRefusedWithTheNearest) {
  const Json full = sample("scenario-full");
  EXPECT_THAT(refusal(full, "/workloads/0/model/id", "lama-3.1-8b"),
              AllOf(HasSubstr("s.json: /workloads/0/model/id: \"lama-3.1-8b\" is not allowed"),
                    HasSubstr("did you mean \"llama-3.1-8b\"")));
  EXPECT_THAT(refusal(full, "/candidates/accelerators/1", "a100"),
              AllOf(HasSubstr("/candidates/accelerators/1"), HasSubstr("\"a100-sxm4-80gb\"")));
  EXPECT_THAT(refusal(full, "/deployment/accelerator", "t5"), HasSubstr("did you mean \"t4\""));
  EXPECT_THAT(refusal(full, "/serving/engine", "compild"), HasSubstr("\"compiled-graphs\""));
  EXPECT_THAT(refusal(full, "/cost/overrides", {{"peu", 1.2}}),
              AllOf(HasSubstr("/cost/overrides/peu"), HasSubstr("\"pue\"")));
  EXPECT_THAT(refusal(full, "/cost/overrides", {{"server_price_usd.h900", 1.2}}), HasSubstr("\"h900\""));
  EXPECT_THAT(refusal(full, "/cost/currency", "ZZZ"), HasSubstr("exchange rate"));
  EXPECT_THAT(refusal(full, "/cost/region", "qq-xx"), HasSubstr("/cost/region"));
  EXPECT_EQ(refusal(full, "/deployment/accelerator", "this-machine"), "read");
}

TEST(Scenario, LinksOfADeployment) {
  const Json full = sample("scenario-full");
  const Scenario s = scenario_from_json(full, "full");
  EXPECT_EQ(s.deployment.links.network, "ib-ndr-400");
  EXPECT_EQ(s.deployment.links.all_reduce_overlap, 0.1);
  EXPECT_EQ(to_json(s)["deployment"]["network"], "ib-ndr-400");
  EXPECT_THAT(refusal(full, "/deployment/network", "ib-ndr-40"), HasSubstr("\"ib-ndr-400\""));
  Json alone = full;
  alone["deployment"]["tensor_parallel"] = 1;
  alone["candidates"]["tensor_parallel"] = {1};
  EXPECT_THAT(refusal(alone, "/deployment/all_reduce_overlap", 0.1), HasSubstr("no all-reduce"));
  EXPECT_EQ(refusal(alone, "/deployment/all_reduce_overlap", 0), "read");
}

TEST(Scenario, RefusesOverridesOfTheWrongSize) {
  const Json full = sample("scenario-full");
  const auto with = [&](const char* key, double value) { return refusal(full, "/cost/overrides", {{key, value}}); };
  EXPECT_THAT(with("pue", 0.9), HasSubstr("expected a number >= 1"));
  EXPECT_THAT(with("engineer_usd_per_year", -1), HasSubstr("expected a number >= 0"));
  EXPECT_THAT(with("target_availability", 1.5), HasSubstr("<= 1"));
  EXPECT_THAT(with("cloud_price_drift", -1), HasSubstr("> -1"));
  EXPECT_THAT(with("cloud_usd_per_hour.t4", 0), HasSubstr("expected a number > 0"));
  EXPECT_EQ(with("cloud_usd_per_hour.t4", 0.1), "read");
  const Json twice{{"server_price_usd.t4", 1}, {"server_price_usd.T4", 2}};
  EXPECT_THAT(refusal(full, "/cost/overrides", twice), HasSubstr("another key overrides the same input"));
}

TEST(Scenario, RefusesWhatDoesNotFitTogether) {
  const Json full = sample("scenario-full"), one = sample("scenario-one-shot"), traced = sample("scenario-trace");
  EXPECT_THAT(refusal(full, "/workloads/0/kind", "one-shot"), HasSubstr("/workloads/0/model/id"));
  EXPECT_THAT(refusal(one, "/workloads/0/model/id", "llama-3.1-8b"), HasSubstr("needs an encoder"));
  EXPECT_THAT(refusal(one, "/workloads/0/model/id", "resnet-50-v1.5"), HasSubstr("not in this version"));
  EXPECT_EQ(refusal(full, "/workloads/0/model/id", "mixtral-8x7b"), "read");
  EXPECT_THAT(refusal(one, "/serving", {{"policy", "continuous"}}), HasSubstr("/serving/policy"));
  EXPECT_THAT(refusal(one, "/workloads/0/classes/0/slo", {{"tpot_s", {{"p99", 1}}}}), HasSubstr("/slo/tpot_s"));
  EXPECT_THAT(refusal(one, "/workloads/0/classes/0/output_tokens", {{"distribution", "fixed"}, {"mean", 5}}),
              HasSubstr("/output_tokens"));
  EXPECT_THAT(refusal(traced, "/workloads/0/classes/0/arrivals", {{"rate_per_s", 5}}), HasSubstr("/arrivals"));
  EXPECT_THAT(refusal(full, "/workloads/0/classes/0/trace", {{"file", "a.csv"}}), HasSubstr("not both"));
  EXPECT_THAT(refusal(full, "/workloads/0/classes/0/arrivals", nullptr), HasSubstr("/arrivals: missing"));
  EXPECT_THAT(refusal(full, "/workloads/0/classes/0/output_tokens", nullptr), HasSubstr("/output_tokens: missing"));
  EXPECT_THAT(refusal(full, "/workloads/0/classes/1/name", "steady"), HasSubstr("/classes/1/name"));
  EXPECT_THAT(refusal(full, "/workloads/0/classes/1/trace/window_s", {10, 10}), HasSubstr("/window_s/1"));
  EXPECT_THAT(refusal(full, "/candidates/engines/0", "eager"), HasSubstr("one engine is compared"));
  Json second = full["workloads"][0];
  EXPECT_THAT(refusal(full, "/workloads/1", second), HasSubstr("/workloads/1/name"));
  second = one["workloads"][0];
  EXPECT_THAT(refusal(full, "/workloads/1", second), HasSubstr("/workloads/1/kind"));
}

TEST(Scenario, ALognormalReachesAtMostFifteenTimesItsMean) {
  // ln(p99/mean) = 2.326 s - s^2/2 is largest at s = 2.326: e^(2.326^2/2) = 14.97.
  const Json full = sample("scenario-full");
  const auto with = [&](double p99) {
    return refusal(full, "/workloads/0/classes/0/input_tokens/p99", p99);  // the mean is 1155
  };
  EXPECT_EQ(with(14.8 * 1155), "read");
  EXPECT_THAT(with(15.1 * 1155), HasSubstr("/input_tokens/p99"));
  EXPECT_THAT(with(1155), HasSubstr("/input_tokens/p99"));
}

TEST(Scenario, SharesOfZeroAreAllowedUnlessAllAre) {
  const Json traced = sample("scenario-trace");
  EXPECT_EQ(refusal(traced, "/workloads/0/classes/0/share", 0), "read");
  Json none = traced;
  none["workloads"][0]["classes"][0]["share"] = 0;
  EXPECT_THAT(refusal(none, "/workloads/0/classes/1/share", 0), HasSubstr("/workloads/0/classes"));
}

/// serving.policy of a generative scenario with these serving keys.
std::string policy_with(const Json& serving) {
  Json json = sample("scenario-minimal");
  json["serving"] = serving;
  return scenario_from_json(json, "s.json").serving.policy;
}

TEST(Scenario, RulesOfAnEngineImplyItsPolicy) {
  EXPECT_EQ(policy_with({{"rules", "weir"}}), "continuous");
  EXPECT_EQ(policy_with({{"rules", "vllm-v0"}}), "continuous");
  EXPECT_EQ(policy_with({{"rules", "vidur-vllm"}}), "continuous");
  EXPECT_EQ(policy_with({{"rules", "vllm-v1"}}), "chunked");
  EXPECT_EQ(policy_with({{"rules", "vidur-sarathi"}}), "chunked");
  EXPECT_EQ(policy_with({{"policy", "static"}}), "static");
  EXPECT_EQ(policy_with({{"policy", "chunked"}, {"rules", "weir"}}), "chunked");
}

TEST(Scenario, ArrivalsMayBeGammaAndHaveADailyShape) {
  const data::ArrivalProcess full = *load_scenario(kSamples / "scenario-full.json").workloads[0].classes[0].arrivals;
  EXPECT_EQ(full.process, "gamma");
  EXPECT_EQ(full.cv, 1.5);
  EXPECT_THAT(full.daily_shape, ElementsAre(0.25, 0.5, 1.5, 1.75));
  const Json minimal = sample("scenario-full");
  const auto with = [&](const Json& arrivals) { return refusal(minimal, "/workloads/0/classes/0/arrivals", arrivals); };
  EXPECT_EQ(with({{"rate_per_s", 5}, {"cv", 1}, {"daily_shape", Json::array()}}), "read");
  EXPECT_EQ(with({{"process", "gamma"}, {"rate_per_s", 5}, {"cv", 0.01}}), "read");
  EXPECT_THAT(with({{"process", "gamma"}, {"rate_per_s", 5}}), HasSubstr("/arrivals/cv: missing"));
  EXPECT_THAT(with({{"process", "gamma"}, {"rate_per_s", 5}, {"cv", 0.001}}),
              HasSubstr("expected a number >= 0.01 and <= 10"));
  EXPECT_THAT(with({{"rate_per_s", 5}, {"cv", 2}}), HasSubstr("a Poisson process has cv 1"));
  EXPECT_THAT(with({{"rate_per_s", 5}, {"daily_shape", {0, 0}}}), HasSubstr("a daily shape needs a rate above 0"));
  EXPECT_THAT(with({{"rate_per_s", 5}, {"daily_shape", std::vector<int>(1441, 1)}}), HasSubstr("at most 1440 parts"));
  EXPECT_THAT(with({{"process", "weibull"}, {"rate_per_s", 5}}), HasSubstr("need the CV of their gaps or their shape"));
}

TEST(Scenario, EveryProcessTakesItsOwnKeysOnly) {
  const Json full = sample("scenario-full");
  const auto with = [&](const Json& arrivals) { return refusal(full, "/workloads/0/classes/0/arrivals", arrivals); };
  const Json think{{"distribution", "exponential"}, {"mean", 5}};
  EXPECT_THAT(with({{"process", "poisson"}, {"rate_per_s", 5}, {"clients", 3}}),
              HasSubstr("\"poisson\" arrivals have no such key"));
  EXPECT_THAT(with({{"process", "closed-loop"}, {"clients", 3}, {"think_s", think}, {"daily_shape", {1, 2}}}),
              HasSubstr("\"closed-loop\" arrivals have no such key"));
  EXPECT_THAT(with({{"process", "closed-loop"}, {"clients", 1'000'000'000}, {"think_s", think}}),
              HasSubstr("/arrivals/clients: 1000000000 is not allowed: expected a whole number from 1 to 1000000"));
  EXPECT_THAT(
      with({{"process", "closed-loop"}, {"clients", 1'000'000}, {"requests_per_client", 1001}, {"think_s", think}}),
      HasSubstr("all clients together send at most 1000000000 requests"));
  EXPECT_THAT(with({{"process", "weibull"}, {"rate_per_s", 5}, {"cv", 2}, {"shape", 2}}), HasSubstr("one of them"));
  EXPECT_THAT(
      with({{"process", "mmpp"},
            {"states", Json::array({{{"rate_per_s", 0}, {"sojourn_s", 1}}, {{"rate_per_s", 0}, {"sojourn_s", 2}}})}}),
      HasSubstr("a state with a rate above 0"));
  EXPECT_THAT(with({{"process", "rate-series"}, {"step_s", 1e6}, {"rates_per_s", std::vector<int>(11, 1)}}),
              HasSubstr("lasts at most 10000000 s"));
  EXPECT_THAT(with({{"rate_per_s", 5}, {"daily_shape", {1, 2}}, {"weekly_shape", std::vector<int>(168, 1)}}),
              HasSubstr("has the daily shape in it"));
}

TEST(Scenario, TrafficKeysKnowWhatTheyGoWith) {
  const Json full = sample("scenario-full"), one = sample("scenario-one-shot"), traffic = sample("scenario-traffic");
  const Json sessions{{"turns", {{"distribution", "fixed"}, {"mean", 3}}},
                      {"think_s", {{"distribution", "fixed"}, {"mean", 3}}}};
  EXPECT_THAT(refusal(one, "/workloads/0/classes/0/sessions", sessions), HasSubstr("writes no tokens"));
  EXPECT_THAT(refusal(full, "/workloads/0/classes/1/sessions", sessions), HasSubstr("who asks and when"));
  EXPECT_THAT(refusal(full, "/workloads/0/classes/0/token_pairs", "a.csv"), HasSubstr("the pairs say the lengths"));
  EXPECT_EQ(refusal(full, "/workloads/0/classes/0/sessions", sessions), "read");
  for (std::size_t i = 0; i < traffic["workloads"][0]["classes"].size(); ++i) {
    const std::string place = "/workloads/0/classes/" + std::to_string(i);
    const std::string process = traffic["workloads"][0]["classes"][i]["arrivals"].value("process", "poisson");
    const bool may = process == "poisson" || process == "gamma" || process == "weibull";
    const std::string said = refusal(traffic, place + "/clients", {{"count", 10}});
    EXPECT_THAT(said, may ? HasSubstr("read") : HasSubstr("clients have \"poisson\""));
  }
}

TEST(Scenario, ServingChoicesAreChecked) {
  const Json full = sample("scenario-full"), one = sample("scenario-one-shot");
  for (const char* order : {"fcfs", "priority", "shortest", "deadline", "fair"}) {
    EXPECT_EQ(refusal(full, "/serving/order", order), "read");
  }
  EXPECT_EQ(refusal(full, "/serving/kv_cache", "reserved"), "read");
  EXPECT_EQ(refusal(full, "/serving/kv_watermark", 0), "read");
  EXPECT_THAT(refusal(full, "/serving/kv_watermark", 1), HasSubstr("expected a number >= 0 and < 1"));
  EXPECT_THAT(refusal(full, "/serving/order", "lifo"), HasSubstr("\"shortest\""));
  EXPECT_THAT(refusal(full, "/serving/prefix_cache", "yes"), HasSubstr("/serving/prefix_cache"));
  EXPECT_THAT(refusal(one, "/serving", {{"rules", "vllm-v1"}}), HasSubstr("/serving/rules"));
  EXPECT_THAT(refusal(one, "/serving", {{"policy", "static"}}), HasSubstr("not in this version"));
}

TEST(Scenario, LaterKeysSaySo) {
  const Json full = sample("scenario-full");
  EXPECT_THAT(refusal(full, "/serving/policy", "disaggregated"), HasSubstr("not in this version"));
  EXPECT_THAT(refusal(full, "/serving/network", {{"rtt_s", 0.02}}), HasSubstr("not in this version"));
  EXPECT_THAT(refusal(full, "/candidates/tenures/0", "leased"), HasSubstr("not in this version"));
  EXPECT_THAT(refusal(full, "/constraints/rack_kw", 40), HasSubstr("not in this version"));
  EXPECT_THAT(refusal(full, "/serving/policy", "greedy"), AllOf(HasSubstr("expected one of"), HasSubstr("continuous")));
}

TEST(EmbeddedScenarios, AreFoundByNameAndWhole) {
  EXPECT_THAT(embedded_scenario_names(), AllOf(Contains("llm-chat"), Contains("bert-text-classification")));
  for (const std::string& name : embedded_scenario_names()) {
    const Scenario s = find_scenario(name);
    EXPECT_EQ(s.name, name);
    EXPECT_TRUE(s.folder.empty());
    EXPECT_FALSE(s.note.empty());
    EXPECT_TRUE(s.title.contains("en") && s.title.contains("zh_CN"));
    for (const std::string& id : s.candidates.accelerators) EXPECT_EQ(Catalog::builtin().accelerator(id).id, id);
    for (const RequestClass& c : s.workloads.at(0).classes) EXPECT_FALSE(c.slo.empty());
  }
  const Scenario chat = find_scenario("llm-chat");
  EXPECT_EQ(chat.workloads.at(0).trace->file, "traces/sample-chat.csv");
  EXPECT_DOUBLE_EQ(chat.workloads.at(0).growth_per_year, Catalog::builtin().economic("traffic_growth").mid);
}

TEST(EmbeddedScenarios, APathIsFoundToo) {
  const TemporaryFolder folder;
  const auto file = folder.write("mine.json", dump(sample("scenario-minimal")));
  EXPECT_EQ(find_scenario(file.string()).name, "mine");
  EXPECT_EQ(find_scenario(file.string()).folder, folder.path());
  try {
    find_scenario("llm-chatt");
    FAIL() << "found";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("\"llm-chat\""));
  }
}

}  // namespace
}  // namespace weir::data
