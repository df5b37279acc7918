#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/fleet/simulate.h"
#include "sim/timing/iteration_tables.h"
#include "tests/sim/dice.h"
#include "tests/sim/drawn_contents.h"

namespace weir::sim::testing {

/// A timer that is nothing but tables (`direct`), or that hides them, so that the simulator asks it as any other.
class DrawnTimer final : public StepTimer {
 public:
  DrawnTimer(IterationTables tables, bool direct) : tables_(std::move(tables)), direct_(direct) {}
  Time iteration(const IterationShape& shape) const override { return Time::from_ticks(tables_.ticks(shape)); }
  Time batch(std::int64_t items, std::int64_t tokens) const override {
    return Time::from_ticks(tables_.host_ticks + tables_.tokens.ticks(items * tokens));
  }
  DecodeRun decode_run(const IterationShape& shape) const override { return tables_.decode_run(shape); }
  const IterationTables* tables() const override { return direct_ ? &tables_ : nullptr; }
  double peak_flops_per_s() const override { return 1e12; }
  double peak_bytes_per_s() const override { return 1e11; }
  double relative_error() const override { return 0; }
  std::vector<EvidenceNote> evidence() const override { return {}; }

 private:
  IterationTables tables_;
  bool direct_;
};

/// Everything a run needs, drawn with a seed: every policy, order and rule, paged and reserved caches, short of blocks
/// or not, prefix cache, classes, timeouts, full queues, bursts, ties, several replicas.
struct RandomScenario {
  explicit RandomScenario(std::uint64_t seed) : dice_(seed, "fast_forward") {
    workload.name = "work";
    workload.kind = dice_.one_in(8) ? data::WorkloadKind::one_shot : data::WorkloadKind::generative;
    generative = workload.kind == data::WorkloadKind::generative;
    fleet.replicas = static_cast<int>(dice_.from_to(1, 3));
    // Every time a multiple of a millisecond: steps, arrivals and expiries often fall together.
    ties = dice_.one_in(3);
    draw_classes();
    draw_rules();
    draw_requests();
    draw_timer();
    options.seed = seed;
    options.series_step_s = dice_.one_in(2) ? 60 : 0.05;
  }

  bool generative = true, ties = false;
  data::Workload workload;
  Rules rules;
  RequestList requests;
  FleetSpec fleet;
  SimulateOptions options;
  std::unique_ptr<DrawnTimer> timer;

 private:
  static constexpr std::int64_t kMillisecond = Time::kTicksPerSecond / 1000;

  void draw_classes() {
    for (std::int64_t i = dice_.from_to(1, 3); i > 0; --i) {
      data::RequestClass& c = workload.classes.emplace_back();
      c.name = "class" + std::to_string(i);
      c.priority = static_cast<int>(dice_.from_to(0, 2));
      const double limit_s = static_cast<double>(dice_.from_to(1, 500)) * 1e-3;
      if (dice_.one_in(2)) (generative ? c.slo.ttft_s : c.slo.e2e_s)["p90"] = limit_s;
      requests.class_names.push_back(c.name);
    }
  }

  void draw_rules() {
    Rules& r = rules;
    constexpr std::array kPolicies{Policy::static_batch, Policy::dynamic, Policy::continuous,
                                   Policy::continuous,   Policy::chunked, Policy::chunked};
    r.policy = kPolicies[static_cast<std::size_t>(dice_.from_to(0, generative ? 5 : 1))];
    r.order = static_cast<Order>(dice_.from_to(0, 4));
    r.max_batch = dice_.from_to(1, 20);
    r.token_budget = dice_.one_in(6) ? dice_.from_to(1, 20) : r.max_batch + dice_.from_to(1, 120);
    if (r.policy == Policy::dynamic) r.max_delay = Time::from_ticks(dice_.from_to(0, 30) * kMillisecond);
    if (dice_.one_in(4)) r.queue_limit = static_cast<int>(dice_.from_to(0, 10));
    if (dice_.one_in(4)) r.timeout_s = static_cast<double>(dice_.from_to(1, 400)) * 1e-3;
    if (!generative) return;
    r.block_tokens = dice_.one_in(5) ? 12 : std::int64_t{1} << dice_.from_to(0, 5);
    r.kv_blocks = (dice_.one_in(3) ? 6000 : dice_.from_to(60, 400)) / r.block_tokens + dice_.from_to(2, 6);
    r.reserve_output = dice_.one_in(6);
    if (!r.reserve_output && dice_.one_in(2)) r.watermark_blocks = dice_.from_to(0, 3);
    r.prefix_cache = dice_.one_in(3);
    r.padded_budget = dice_.one_in(4);
    r.long_prompt_alone = !dice_.one_in(4);
    r.decode_wants_free_block = dice_.one_in(4);
    r.decode_by_arrival = r.policy == Policy::continuous && dice_.one_in(3);
    r.restart_cuts_prompt = !r.prefix_cache && dice_.one_in(5);
    r.blocks_by_chunk = r.policy == Policy::chunked && dice_.one_in(4);
    r.no_admission_after_preemption = dice_.one_in(4);
    r.steps_in_flight = dice_.one_in(4) ? 2 : 1;
    r.graph_padding = dice_.one_in(4);
    r.list_contexts = dice_.one_in(8);
  }

  void draw_requests() {
    const std::int64_t prompts = dice_.from_to(1, 150), outputs = dice_.from_to(1, 90);
    const std::int64_t gap = dice_.one_in(4) ? 0 : dice_.from_to(1, dice_.one_in(3) ? 2000 : 60) * kMillisecond;
    Time now = Time::from_ticks(dice_.from_to(0, 3) * kMillisecond);
    for (std::int64_t count = dice_.from_to(1, 90); count > 0; --count) {
      if (!dice_.one_in(4)) now += drawn_time(0, gap);
      SimRequest& r = requests.requests.emplace_back();
      r.arrival = now;
      r.class_index =
          static_cast<std::int16_t>(dice_.from_to(1, static_cast<std::int64_t>(workload.classes.size())) - 1);
      r.client = static_cast<std::int32_t>(dice_.from_to(-1, 2));
      r.input_tokens = static_cast<std::int32_t>(dice_.one_in(20) ? 4 * prompts : dice_.from_to(1, prompts));
      if (!generative) {
        r.items = static_cast<std::int32_t>(dice_.from_to(1, 3));
        continue;
      }
      r.output_tokens = static_cast<std::int32_t>(dice_.one_in(8) ? 1 : dice_.from_to(1, outputs));
      if (dice_.one_in(20)) r.output_tokens = static_cast<std::int32_t>(dice_.from_to(1, 3000));
      if (rules.prefix_cache && !dice_.one_in(4)) r.content = contents_->draw(dice_, r.input_tokens);
    }
  }

  void draw_timer() {
    const auto seconds = [this](std::int64_t least, std::int64_t most) { return drawn_time(least, most).seconds(); };
    const double per_token = seconds(0, kMillisecond / 20), per_context = seconds(0, kMillisecond / 200);
    const double bend = static_cast<double>(dice_.from_to(50, 800));
    IterationTables tables;
    tables.host_ticks = drawn_time(kMillisecond, 5 * kMillisecond).ticks();
    tables.launch_ticks = drawn_time(0, 3 * kMillisecond).ticks();
    tables.launches_overlap = dice_.one_in(2);
    tables.sequence_ticks = ties ? 0 : dice_.from_to(0, 5000);
    tables.tokens = TokenTable([&](std::int64_t n) { return per_token * static_cast<double>(n); });
    tables.rows = TokenTable([&](std::int64_t n) { return per_token * 0.1 * static_cast<double>(n); });
    tables.decode = DecodeTable([&](std::int64_t n, std::int64_t context) {
      const double mean = static_cast<double>(context) / static_cast<double>(n);
      const double bent = mean > bend ? bend + 3 * (mean - bend) : mean;  // dearer beyond the bend
      return per_context * bent * static_cast<double>(n);
    });
    tables.prefill = PrefillTable([&](std::int64_t, std::int64_t) { return per_context * 0.01; }, 0, true);
    timer = std::make_unique<DrawnTimer>(std::move(tables), !dice_.one_in(5));
  }

  Time drawn_time(std::int64_t least_ticks, std::int64_t most_ticks) {
    const std::int64_t ticks = dice_.from_to(least_ticks, most_ticks);
    return Time::from_ticks(ties ? ticks / kMillisecond * kMillisecond : ticks);
  }

  Dice dice_;
  std::shared_ptr<DrawnContents> contents_ = std::make_shared<DrawnContents>();  ///< of the requests
};

}  // namespace weir::sim::testing
