// The fast scheduler decides as the one that keeps every request's state by itself: driven by one clock, step by step
// and with jumps, both say the same at every turn.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/serving/affine_scheduler.h"
#include "sim/serving/step_scheduler.h"
#include "tests/sim/dice.h"
#include "tests/sim/drawn_contents.h"

namespace weir::sim {
namespace {

using testing::Dice;

struct Play {
  Rules rules;
  testing::DrawnContents contents;
  std::vector<QueuedRequest> requests;
  bool jumps = false;
};

Rules draw_rules(Dice& dice) {
  Rules r;
  r.policy = dice.one_in(2) ? Policy::chunked : Policy::continuous;
  r.order = static_cast<Order>(dice.from_to(0, 4));
  r.max_batch = dice.from_to(1, 24);
  r.token_budget = dice.from_to(1, dice.one_in(4) ? 20 : 200);
  r.block_tokens = std::int64_t{1} << dice.from_to(0, 5);
  const bool tight = !dice.one_in(3);
  r.kv_blocks = (tight ? dice.from_to(40, 300) : 4000) / r.block_tokens + dice.from_to(2, 6);
  r.watermark_blocks = dice.one_in(2) ? 0 : dice.from_to(0, 3);
  if (dice.one_in(4)) r.queue_limit = static_cast<int>(dice.from_to(0, 8));
  if (dice.one_in(4)) r.timeout_s = static_cast<double>(dice.from_to(1, 4000)) * 1e-11;
  r.reserve_output = dice.one_in(5);
  r.padded_budget = dice.one_in(4);
  r.long_prompt_alone = !dice.one_in(4);
  r.decode_wants_free_block = dice.one_in(3);
  r.decode_by_arrival = r.policy == Policy::continuous && dice.one_in(3);
  r.restart_cuts_prompt = dice.one_in(4);
  r.no_admission_after_preemption = dice.one_in(4);
  r.graph_padding = dice.one_in(4);
  return r;
}

/// A prefix cache and what it may find, and now and then a long answer.
void draw_prompts(Play& play, std::uint64_t seed) {
  Dice dice(seed, "affine_equality/prompts");
  play.rules.prefix_cache = dice.one_in(2);
  if (!play.rules.prefix_cache) return;
  play.rules.restart_cuts_prompt = false;
  for (QueuedRequest& r : play.requests) {
    if (dice.one_in(20)) r.output_tokens = static_cast<std::int32_t>(dice.from_to(1, 3000));
    if (!dice.one_in(4)) r.content = play.contents.draw(dice, r.input_tokens);
  }
}

Play draw_play(std::uint64_t seed, bool known_prompts = true) {
  Dice dice(seed, "affine_equality");
  Play play;
  play.rules = draw_rules(dice);
  play.jumps = dice.one_in(2);
  const std::int64_t count = dice.from_to(1, 60), prompts = dice.from_to(1, 120), outputs = dice.from_to(1, 90);
  const std::int64_t gaps = dice.one_in(3) ? 0 : dice.from_to(1, 3000);
  std::int64_t now = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (!dice.one_in(4)) now += dice.from_to(0, gaps);
    QueuedRequest& r = play.requests.emplace_back();
    r.index = static_cast<std::uint64_t>(i);
    r.arrival = Time::from_ticks(now);
    r.deadline = Time::from_ticks(now + dice.from_to(0, 2000));
    r.input_tokens = static_cast<std::int32_t>(dice.one_in(20) ? prompts * 5 : dice.from_to(1, prompts));
    r.output_tokens = static_cast<std::int32_t>(dice.one_in(8) ? 1 : dice.from_to(1, outputs));
    r.client = static_cast<std::int32_t>(dice.from_to(0, 3));
    r.priority = static_cast<std::int16_t>(dice.from_to(0, 2));
    r.class_index = static_cast<std::int16_t>(dice.from_to(0, 2));
  }
  if (known_prompts) draw_prompts(play, seed);
  return play;
}

/// What a call said, as text that can be compared and read.
std::string text(const Step& step) {
  std::string all = step.kind == StepKind::none ? "none" : "step";
  all += " decodes " + std::to_string(step.shape.decode_sequences);
  all += " context " + std::to_string(step.shape.decode_context_tokens);
  all += " padded " + std::to_string(step.shape.padded_tokens);
  for (const PrefillChunk& c : step.shape.prefill) {
    all += " chunk " + std::to_string(c.past_tokens) + "+" + std::to_string(c.new_tokens);
  }
  return all;
}
std::string text(Time t) { return t == Time::never() ? "never" : std::to_string(t.ticks()); }
std::string text(const ServedRequest& s) {
  return " #" + std::to_string(s.request.index) + " admitted " + text(s.admitted) + " first " + text(s.first) +
         " preempted " + std::to_string(s.preemptions) + " for " + text(s.preempted_for) + " before first " +
         text(s.preempted_before_first) + " cached " + std::to_string(s.cached_tokens);
}
/// Gaps one by one, however they were put together.
std::string text(std::span<const Gap> gaps) {
  std::map<std::pair<int, std::int64_t>, std::int64_t> values;
  for (const Gap& g : gaps) {
    for (std::int64_t i = 0; i < g.steps; ++i) values[{g.class_index, g.first_ticks + i * g.increase_ticks}] += g.count;
  }
  std::string all;
  for (const auto& [key, count] : values) {
    all += " class " + std::to_string(key.first) + " " + std::to_string(count) + " x " + std::to_string(key.second);
  }
  return all;
}
std::string text(const StepOutcome& outcome) {
  std::string all = "written " + std::to_string(outcome.tokens_written) + " gaps" + text(outcome.gaps) + " finished";
  for (const ServedRequest* served : outcome.finished) all += text(*served);
  return all;
}
std::string text(std::span<const QueuedRequest> dropped) {
  std::string all = "dropped";
  for (const QueuedRequest& request : dropped) all += " #" + std::to_string(request.index);
  return all;
}
std::string state_of(const Scheduler& s) {
  return "waiting " + std::to_string(s.waiting()) + " running " + std::to_string(s.running()) + " held " +
         std::to_string(s.kv_blocks_held()) + " tokens " + std::to_string(s.kv_use().tokens) + " wakeup " +
         text(s.next_wakeup());
}
std::string text(const SchedulerCounts& c) {
  return "preemptions " + std::to_string(c.preemptions) + " read " + std::to_string(c.tokens_read) + " again " +
         std::to_string(c.recomputed_tokens) + " peak " + std::to_string(c.kv_blocks_peak) + " asked " +
         std::to_string(c.cache_queried_tokens) + " hit " + std::to_string(c.cache_hit_tokens);
}

/// Two schedulers before one clock.
class Match {
 public:
  explicit Match(const Play& play) : play_(play), fast_(play.rules), slow_(play.rules) {}

  void play_out() {
    while (!::testing::Test::HasFailure()) {
      if (!busy_) {
        if (next_ == play_.requests.size()) break;
        now_ = play_.requests[next_].arrival;
        submit_until(now_, true);
        start();
        if (!busy_) continue;  // it was refused
      }
      jump();
      const Time end = now_ + Time::from_ticks(ticks_);
      submit_until(end, false);
      now_ = end;
      same(text(fast_.finish_step(end)), text(slow_.finish_step(end)), "finish_step");
      same(text(fast_.drop_expired(end)), text(slow_.drop_expired(end)), "drop_expired");
      start();
    }
    same(text(fast_.counts()), text(slow_.counts()), "counts");
    EXPECT_EQ(slow_.waiting() + slow_.running(), 0);
  }
  std::int64_t preemptions() const { return slow_.counts().preemptions; }
  std::int64_t jumped() const { return jumped_; }
  std::int64_t hits() const { return slow_.counts().cache_hit_tokens; }

 private:
  void same(const std::string& fast, const std::string& slow, const char* what) {
    ASSERT_EQ(fast, slow) << what << " at " << now_.ticks();
  }
  /// Those that arrive before `end`; of an idle replica (`one`) the one that starts it.
  void submit_until(Time end, bool one) {
    for (; next_ < play_.requests.size(); ++next_) {
      const QueuedRequest& request = play_.requests[next_];
      if (one ? request.arrival > end : request.arrival >= end) return;
      const Submitted fast = fast_.submit(request), slow = slow_.submit(request);
      ASSERT_EQ(fast, slow) << "submit " << request.index;
      same(state_of(fast_), state_of(slow_), "state after submit");
      if (one) {
        ++next_;
        return;
      }
    }
  }
  void start() {
    const Step& fast = fast_.next_step(now_);
    const Step& slow = slow_.next_step(now_);
    same(text(fast), text(slow), "next_step");
    same(state_of(fast_), state_of(slow_), "state after next_step");
    busy_ = slow.kind != StepKind::none;
    std::int64_t tokens = slow.shape.decode_sequences;
    for (const PrefillChunk& c : slow.shape.prefill) tokens += c.new_tokens;
    ticks_ = 20 + tokens;
    decodes_ = slow.shape.decode_sequences;
  }
  /// Over as many steps as both allow and no request arrives in; each lasts two ticks more than the one before.
  void jump() {
    if (!play_.jumps) return;
    const std::int64_t fast = fast_.steady_steps(), slow = slow_.steady_steps();
    EXPECT_LE(fast, slow) << "at " << now_.ticks();
    std::int64_t steps = std::min(fast, slow), length = 0, fitting = 0;
    for (; fitting < steps; ++fitting) {
      length += ticks_ + 2 * fitting;
      if (next_ < play_.requests.size() && now_ + Time::from_ticks(length) >= play_.requests[next_].arrival) break;
      if (now_ + Time::from_ticks(length) >= slow_.next_wakeup()) break;
    }
    if (fitting == 0) return;
    now_ += Time::from_ticks(fitting * ticks_ + fitting * (fitting - 1));
    jumped_ += fitting;
    same(text(fast_.skip(fitting, ticks_, 2, now_)), text(slow_.skip(fitting, ticks_, 2, now_)), "skip");
    same(state_of(fast_), state_of(slow_), "state after skip");
    ticks_ += 2 * fitting;
  }

  const Play& play_;
  AffineScheduler fast_;
  StepScheduler slow_;
  Time now_;
  std::size_t next_ = 0;
  std::int64_t ticks_ = 0, decodes_ = 0, jumped_ = 0;
  bool busy_ = false;
};

TEST(AffineScheduler, DecidesAsStepSchedulerDoes) {
  std::int64_t preemptions = 0, jumped = 0, hits = 0;
  for (std::uint64_t seed = 1; seed <= 2000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Play play = draw_play(seed);
    ASSERT_TRUE(AffineScheduler::can_follow(play.rules));
    Match match(play);
    match.play_out();
    preemptions += match.preemptions();
    jumped += match.jumped();
    hits += match.hits();
  }
  // Else the plays are too easy.
  EXPECT_GT(preemptions, 1000);
  EXPECT_GT(jumped, 1000);
  EXPECT_GT(hits, 10'000);
}

// Two requests of a class joined in one step, another class between them, and both were evicted before they decoded.
TEST(AffineScheduler, TakesTwoOfOneClassOutOfTheStepTheyJoinedIn) {
  const Play play = draw_play(4041, false);
  Match match(play);
  match.play_out();
}

RC_GTEST_PROP(AffineSchedulerProperty, DecidesAsStepSchedulerDoes, (std::uint64_t seed)) {
  const Play play = draw_play(seed);
  Match match(play);
  match.play_out();
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace
}  // namespace weir::sim
