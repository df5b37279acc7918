#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "sim/serving/step_scheduler.h"

namespace weir::sim::testing {

inline QueuedRequest request(std::uint64_t index, int input, int output, std::int64_t arrival_ticks = 0) {
  QueuedRequest r;
  r.index = index;
  r.arrival = Time::from_ticks(arrival_ticks);
  r.input_tokens = input;
  r.output_tokens = output;
  return r;
}

/// "decode 2 (133) read 60+0 30+8": sequences that decode, their tokens of context, new + past tokens of each prompt.
inline std::string text(const Step& step) {
  if (step.kind == StepKind::none) return "nothing";
  std::ostringstream out;
  const char* gap = "";
  if (step.shape.decode_sequences > 0) {
    out << "decode " << step.shape.decode_sequences << " (" << step.shape.decode_context_tokens << ")";
    gap = " ";
  }
  if (!step.shape.prefill.empty()) out << gap << "read";
  for (const PrefillChunk& chunk : step.shape.prefill) out << ' ' << chunk.new_tokens << '+' << chunk.past_tokens;
  return out.str();
}

/// A scheduler whose steps all last 100 ticks, in words.
class ByHand {
 public:
  explicit ByHand(const Rules& rules) : scheduler(rules) {}

  std::string next() { return text(scheduler.next_step(now)); }
  /// Ends the oldest step; who is done, by index.
  std::string end() {
    now += Time::from_ticks(100);
    outcome = &scheduler.finish_step(now);
    std::ostringstream out;
    const char* gap = "";
    for (const ServedRequest* served : outcome->finished) {
      out << gap << served->request.index;
      gap = " ";
      done.push_back(*served);
    }
    return out.str();
  }
  /// The end of the oldest step, then the next one.
  std::string end_and_next() {
    const std::string finished = end();
    return (finished.empty() ? "" : "done " + finished + "; ") + next();
  }

  StepScheduler scheduler;
  Time now;
  const StepOutcome* outcome = nullptr;
  std::vector<ServedRequest> done;
};

}  // namespace weir::sim::testing
