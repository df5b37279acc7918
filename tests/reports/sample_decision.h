#pragma once

#include "reports/report.h"

/// A small decision with every kind of option in it, made by hand; the amounts are easy to add up.
namespace weir::reports::testing {

inline sim::Distribution distribution(double p50, double p99) {
  sim::Distribution d;
  d.n = 1000;
  d.mean = p50;
  d.p50 = p50;
  d.p90 = (p50 + p99) / 2;
  d.p95 = p99 * 0.9;
  d.p99 = p99;
  d.p999 = p99 * 1.3;
  d.max = p99 * 2;
  return d;
}

inline sim::RunResult run(double ttft_p99, double tpot_p99, bool met) {
  sim::RunResult r;
  r.scenario = "chat";
  r.seed = 7;
  r.replicas = 4;
  r.requests = {1000, 998, 1, 1, 0};
  r.simulated_s = 600;
  r.latency.ttft = distribution(ttft_p99 / 4, ttft_p99);
  r.latency.tpot = distribution(tpot_p99 / 2, tpot_p99);
  r.latency.itl = distribution(tpot_p99 / 2, tpot_p99);
  r.latency.e2e = distribution(ttft_p99 * 5, ttft_p99 * 20);
  r.latency.queue = distribution(ttft_p99 / 10, ttft_p99 / 2);
  r.requests_per_s = 998.0 / 600;
  r.gpu_busy = 0.6;
  r.mfu = 0.3;
  r.mbu = 0.5;
  r.batch_size_mean = 12;
  r.slo.attainment = met ? 0.995 : 0.42;
  r.slo.required_attainment = 0.99;
  r.slo.targets = {{"interactive", "ttft", "p99", 1.0, ttft_p99, met}};
  r.slo.met = met;
  sim::ClassResult c;
  c.name = "interactive";
  c.requests = r.requests;
  c.latency = r.latency;
  c.slo = r.slo;
  r.classes = {c};
  for (int i = 0; i <= 20; ++i) {
    const double latency = ttft_p99 * 0.1 * (i + 1);
    r.ttft_tail.push_back({latency, i == 20 ? 0.0 : 1.0 / (1 + i * i * 0.5)});
  }
  r.e2e_tail = r.ttft_tail;
  for (int i = 0; i < 10; ++i) r.series.push_back({60.0 * i, 90 + 5 * (i % 3), 100, 0.5 + 0.02 * i, 1, 12});
  r.evidence = {{"gemm fp16 on Ampere", data::Evidence::measured_elsewhere, "12 published measurements"}};
  r.exactness = "exact percentiles";
  return r;
}

inline sim::TenureCost cost(const std::string& tenure, double capex, double monthly, double residual) {
  sim::TenureCost c;
  c.tenure = tenure;
  c.currency = "USD";
  c.servers = tenure == "owned" ? 2 : 0;
  c.accelerators = 8;
  c.capex = sim::Money::from_units(capex);
  c.opex_first_year = sim::Money::from_units(12 * monthly);
  c.total = sim::Money::from_units(capex + 36 * monthly - residual);
  c.npv = sim::Money::from_units(capex + 30 * monthly - residual);
  c.months.push_back({0, c.capex, {}, {}});
  for (int m = 1; m <= 36; ++m) {
    c.months.push_back(
        {m, {}, sim::Money::from_units(monthly), m == 36 ? sim::Money::from_units(residual) : sim::Money()});
  }
  if (tenure == "owned") {
    c.lines = {{"server", "2 servers x 100,000 USD", sim::Money::from_units(capex)},
               {"energy", "10 kW x PUE 1 x 730 h x 0.27397 USD/kWh a month", sim::Money::from_units(36 * monthly)},
               {"residual", "equipment x 0.2 when it leaves", sim::Money::from_units(-residual)}};
  } else {
    c.lines = {{"cloud", "8 accelerators x 15,000 USD a year", sim::Money::from_units(36 * monthly)}};
  }
  data::RangedQuantity price{80'000, 100'000, 130'000, "USD/server", data::Evidence::assumption, "your quote", ""};
  c.inputs = {{"server_price_usd.a100-sxm4-80gb", price, true}};
  c.per_million_output_tokens = 1.5;
  c.average_kw = 10;
  return c;
}

inline sim::PlanOption option(int rank, const std::string& id, const std::string& name, const std::string& tenure) {
  sim::PlanOption o;
  o.rank = rank;
  o.hardware = id;
  o.hardware_name = name;
  o.tenure = tenure;
  o.precision = data::Precision::int8;
  o.engine = "compiled-graphs";
  o.replicas = 4;
  o.accelerators = 8;
  o.feasible = true;
  o.quality = "unknown: test before buying";
  o.evidence = {{"price", data::Evidence::assumption, "price list"}};
  return o;
}

inline data::Scenario scenario() {
  data::Scenario s;
  s.name = "chat";
  s.title["en"] = "Chat <b>assistant</b> & more";
  data::Workload w;
  w.name = "chat";
  w.model.id = "llama-3.1-8b";
  data::RequestClass c;
  c.name = "interactive";
  c.slo.ttft_s["p99"] = 1.0;
  c.slo.tpot_s["p99"] = 0.05;
  w.classes = {c};
  s.workloads = {w};
  return s;
}

/// 1 A100 owned (200,000 + 36 x 2,000 - 40,000 = 232,000), 2 A100 rented (36 x 10,000 = 360,000), 3 H800 rented
/// (36 x 12,000), 4 this machine without a price, 5 T4 that cannot meet, 6 T4 that does not fit.
inline Decision sample_decision() {
  Decision d;
  d.weir_version = "0.1.0";
  sim::PlanResult& p = d.plan;
  p.scenario = scenario();
  p.seed = 7;
  p.trace_name = "sample.csv";
  p.requests = 1000;
  p.span_s = 600;
  p.notes = {"sample.csv: 1000 requests"};
  p.currency = "USD";
  p.horizon_months = 36;
  p.considered = 8;
  p.pruned["the hardware does not support the precision"] = 2;

  p.options = {option(1, "a100-sxm4-80gb", "NVIDIA A100 SXM4 80GB", "owned"),
               option(2, "a100-sxm4-80gb", "NVIDIA A100 SXM4 80GB", "cloud"),
               option(3, "h800-sxm5-80gb", "NVIDIA H800 SXM5 80GB", "cloud"),
               option(4, "this-machine", "Test CPU", "owned"),
               option(5, "t4", "NVIDIA T4", "owned"),
               option(6, "t4", "NVIDIA T4", "cloud")};
  p.options[0].run = run(0.8, 0.04, true);
  p.options[0].cost = cost("owned", 200'000, 2'000, 40'000);
  p.options[0].servers = 2;
  p.options[0].break_even_month = 25;
  p.options[0].range["tco"] = {210'000, 232'000, 260'000};
  p.options[1].run = p.options[0].run;
  p.options[1].cost = cost("cloud", 0, 10'000, 0);
  p.options[1].range["tco"] = {300'000, 360'000, 420'000};
  p.options[2].run = run(0.4, 0.02, true);
  p.options[2].cost = cost("cloud", 0, 12'000, 0);
  p.options[3].run = run(0.95, 0.049, true);
  p.options[3].run->evidence = {{"gemm int8 on Test CPU", data::Evidence::measured_here, "weir-probe"}};
  p.options[3].why_no_price = "no server price is known for Test CPU";
  for (const std::size_t i : {std::size_t{4}, std::size_t{5}}) {
    p.options[i].feasible = false;
    p.options[i].replicas = p.options[i].accelerators = p.options[i].servers = std::nullopt;
  }
  p.options[4].run = run(9.5, 0.3, false);
  p.options[4].why_not = "cannot meet: TTFT p99 is 9.50 s with one request at a time; target 1.00 s";
  p.options[5].precision = data::Precision::fp16;
  p.options[5].why_not = "does not fit: needs 16.1 GB of 14.4 GB usable";
  p.pareto = {0, 2};
  p.recommendation.option = 0;
  p.recommendation.reasons = {"Of 8 candidates 4 meet the targets."};
  p.reason_data = {{"cheapest", {{"tco", "232000"}}}};
  p.cost_inputs = p.options[0].cost->inputs;

  data::Calibration calibration;
  calibration.device_id = "this-machine";
  calibration.device_name = "Test CPU";
  calibration.device_kind = "cpu";
  calibration.kernel_set = "weir-0.1";
  calibration.source = "weir-probe";
  calibration.date = "1999-12-31";
  d.calibration = calibration;
  d.checks = {{"Llama layer, int8, prefill of 512 tokens", 0.012, 0.0125, 0.0002, 5}};
  return d;
}

/// The same with nothing that meets the targets.
inline Decision infeasible_decision() {
  Decision d = sample_decision();
  d.plan.options.erase(d.plan.options.begin(), d.plan.options.begin() + 4);
  d.plan.pareto.clear();
  d.plan.recommendation = {};
  d.plan.reason_data.clear();
  return d;
}

}  // namespace weir::reports::testing
