// Jumps give the same as single steps, and single steps keep the laws, over random scenarios under random rules.
#include <deque>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/serving/affine_scheduler.h"
#include "sim/serving/step_scheduler.h"
#include "tests/sim/serving/toy_replica.h"

namespace weir::sim {
namespace {

using testing::Fate;
using testing::ToyReplica;

struct Scenario {
  Rules rules;
  std::deque<std::vector<std::uint64_t>> hashes;
  std::deque<PromptContent> contents;
  std::vector<QueuedRequest> requests;
};

int draw(int from, int to) { return *rc::gen::resize(100, rc::gen::inRange(from, to + 1)); }
bool coin() { return draw(0, 1) == 1; }

Rules draw_rules(Policy policy) {
  Rules r;
  r.policy = policy;
  r.order = static_cast<Order>(draw(0, 4));
  r.max_batch = draw(1, 12);
  r.token_budget = draw(1, 60);
  r.max_delay = Time::from_ticks(draw(0, 500));
  if (draw(0, 3) == 0) r.queue_limit = draw(0, 5);
  if (draw(0, 3) == 0) r.timeout_s = Time::from_ticks(draw(0, 20'000)).seconds();
  r.kv_blocks = draw(8, 80);
  r.block_tokens = std::array{1, 2, 3, 4, 16}[static_cast<std::size_t>(draw(0, 4))];
  r.reserve_output = draw(0, 4) == 0;
  r.watermark_blocks = draw(0, 3);
  r.prefix_cache = coin();
  r.padded_budget = coin();
  r.long_prompt_alone = coin();
  r.decode_wants_free_block = coin();
  r.decode_by_arrival = policy == Policy::continuous && coin();
  r.restart_cuts_prompt = draw(0, 3) == 0;
  r.blocks_by_chunk = policy == Policy::chunked && coin();
  r.no_admission_after_preemption = coin();
  r.steps_in_flight = draw(1, 2);
  // Cut prompts are a quirk of an engine that has neither.
  if (r.restart_cuts_prompt) r.prefix_cache = false, r.steps_in_flight = 1;
  return r;
}

/// Prompts that share beginnings: of a few conversations, or by hashes that branch.
const PromptContent* draw_content(Scenario& s, int input) {
  const int kind = draw(0, 3);
  if (kind == 0) return nullptr;
  PromptContent content;
  content.tokens_per_hash = std::array{1, 2, 4, 6, 16}[static_cast<std::size_t>(draw(0, 4))];
  if (kind != 1) {
    std::vector<std::uint64_t>& hashes = s.hashes.emplace_back();
    std::uint64_t hash = static_cast<std::uint64_t>(content.tokens_per_hash);
    const int count = (input + content.tokens_per_hash - 1) / content.tokens_per_hash;
    const int branch = draw(0, count), which = draw(0, 2);
    for (int i = 0; i < count; ++i) {
      hash = hash * 1000003 + static_cast<std::uint64_t>(i < branch ? 0 : which + 1);
      hashes.push_back(hash);
    }
    content.hashes = hashes;
  }
  if (kind != 2) content.session = draw(0, 2);
  return &s.contents.emplace_back(content);
}

Scenario draw_scenario(Policy policy) {
  Scenario s;
  s.rules = draw_rules(policy);
  const int count = draw(1, 25), longest = draw(1, 100), hurry = draw(1, 3000);
  Time now;
  for (int i = 0; i < count; ++i) {
    now += Time::from_ticks(draw(0, hurry));
    QueuedRequest r;
    r.index = static_cast<std::uint64_t>(i);
    r.arrival = now;
    r.deadline = now + Time::from_ticks(draw(0, 5000));
    r.input_tokens = draw(1, longest);
    r.output_tokens = draw(0, 3) == 0 ? draw(1, 3) : draw(1, longest);
    r.client = draw(0, 3);
    r.priority = static_cast<std::int16_t>(draw(0, 2));
    r.class_index = static_cast<std::int16_t>(draw(0, 1));
    if (s.rules.prefix_cache) r.content = draw_content(s, r.input_tokens);
    s.requests.push_back(r);
  }
  return s;
}

template <class S>
ToyReplica::Seen run(const Scenario& s, bool jump) {
  S scheduler(s.rules);
  ToyReplica replica(s.rules, scheduler, s.requests, jump);
  ToyReplica::Seen seen = replica.run();
  RC_ASSERT(scheduler.running() == 0);
  RC_ASSERT(scheduler.kv_blocks_held() == 0);
  RC_ASSERT(scheduler.kv_use().tokens == 0);
  if (jump) RC_TAG(replica.jumps() > 0 ? "jumped" : "no jump");
  return seen;
}

/// The first thing that differs, or nothing.
std::string difference(const ToyReplica::Seen& a, const ToyReplica::Seen& b) {
  std::ostringstream out;
  for (std::size_t i = 0; i < a.fates.size(); ++i) {
    const Fate &x = a.fates[i], &y = b.fates[i];
    if (x == y) continue;
    for (const Fate* f : {&x, &y}) {
      out << "request " << i << ": " << f->outcome << ' ' << f->admitted << ' ' << f->first << ' ' << f->done << ' '
          << f->preempted_for << ' ' << f->preempted_before_first << ' ' << f->preemptions << ' ' << f->cached_tokens
          << '\n';
    }
    break;
  }
  if (a.log != b.log) out << "finishes differ\n";
  if (a.gaps != b.gaps) out << "gaps differ\n";
  if (a.written != b.written || a.steps != b.steps) out << "tokens or steps differ\n";
  for (const SchedulerCounts* c : {&a.counts, &b.counts}) {
    if (a.counts == b.counts) break;
    out << "counts: " << c->preemptions << ' ' << c->tokens_read << ' ' << c->recomputed_tokens << ' '
        << c->cache_queried_tokens << ' ' << c->cache_hit_tokens << ' ' << c->kv_blocks_peak << '\n';
  }
  if (out.str().empty() && a != b) out << "something differs";
  return out.str();
}

std::string describe(const Scenario& s) {
  const Rules& r = s.rules;
  std::ostringstream out;
  out << "order " << static_cast<int>(r.order) << " batch " << r.max_batch << " budget " << r.token_budget << " blocks "
      << r.kv_blocks << " of " << r.block_tokens << " reserve " << r.reserve_output << " watermark "
      << r.watermark_blocks << " cache " << r.prefix_cache << " padded " << r.padded_budget << " alone "
      << r.long_prompt_alone << " wants " << r.decode_wants_free_block << " by_arrival " << r.decode_by_arrival
      << " cuts " << r.restart_cuts_prompt << " by_chunk " << r.blocks_by_chunk << " no_admission "
      << r.no_admission_after_preemption << " depth " << r.steps_in_flight << " limit " << r.queue_limit.value_or(-1)
      << " timeout " << r.timeout_s.value_or(-1) << '\n';
  for (const QueuedRequest& q : s.requests) {
    out << q.index << ": at " << q.arrival.ticks() << " " << q.input_tokens << " + " << q.output_tokens << " client "
        << q.client << " priority " << q.priority << '\n';
  }
  return out.str();
}

void check_laws(const Scenario& s, const ToyReplica::Seen& seen) {
  std::int64_t input = 0, output = 0, done = 0, preemptions = 0;
  for (const QueuedRequest& request : s.requests) {
    const Fate& fate = seen.fates[request.index];
    RC_ASSERT(fate.outcome != '?');
    if (fate.outcome != 'd') continue;
    input += request.input_tokens, output += request.output_tokens, ++done;
    preemptions += fate.preemptions;
    RC_ASSERT(request.arrival.ticks() <= fate.admitted);
    RC_ASSERT(fate.admitted < fate.first);
    RC_ASSERT(fate.first <= fate.done);
    RC_ASSERT(fate.preempted_before_first <= fate.preempted_for);
    RC_ASSERT(fate.preempted_before_first <= fate.first - fate.admitted);
    RC_ASSERT(fate.preempted_for - fate.preempted_before_first <= fate.done - fate.first);
  }
  const SchedulerCounts& c = seen.counts;
  RC_ASSERT(seen.written == output);
  RC_ASSERT(c.tokens_read - c.recomputed_tokens + c.cache_hit_tokens == input);
  RC_ASSERT(c.preemptions == preemptions);
  RC_ASSERT(c.recomputed_tokens == 0 || c.preemptions > 0);
  RC_ASSERT(c.kv_blocks_peak <= s.rules.kv_blocks);
  std::int64_t gaps = 0;
  for (const auto& [gap, count] : seen.gaps) gaps += count;
  if (!s.rules.restart_cuts_prompt) RC_ASSERT(gaps == output - done);
}

void check(Policy policy) {
  const Scenario s = draw_scenario(policy);
  RC_LOG(describe(s));
  const auto stepped = run<StepScheduler>(s, false);
  check_laws(s, stepped);
  if (stepped.counts.preemptions > 0) RC_TAG("preempted");
  if (stepped.counts.cache_hit_tokens > 0) RC_TAG("cache hits");
  const auto jumped = run<StepScheduler>(s, true);
  RC_ASSERT(difference(jumped, stepped) == "");
  if (!AffineScheduler::can_follow(s.rules)) return;
  RC_TAG("affine");
  RC_ASSERT(difference(run<AffineScheduler>(s, false), stepped) == "");
  RC_ASSERT(difference(run<AffineScheduler>(s, true), stepped) == "");
  if (!PlainAffineScheduler::can_follow(s.rules)) return;
  RC_ASSERT(difference(run<PlainAffineScheduler>(s, false), stepped) == "");
  RC_ASSERT(difference(run<PlainAffineScheduler>(s, true), stepped) == "");
}

RC_GTEST_PROP(Jumps, EqualSteps_Chunked, ()) { check(Policy::chunked); }
RC_GTEST_PROP(Jumps, EqualSteps_Continuous, ()) { check(Policy::continuous); }
RC_GTEST_PROP(Jumps, EqualSteps_Static, ()) { check(Policy::static_batch); }
RC_GTEST_PROP(Jumps, EqualSteps_Dynamic, ()) { check(Policy::dynamic); }

}  // namespace
}  // namespace weir::sim
