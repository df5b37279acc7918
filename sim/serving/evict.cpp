// What a scheduler holds when its replica is lost.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "sim/serving/dynamic_scheduler.h"
#include "sim/serving/step_scheduler.h"

namespace weir::sim {
namespace {

void evict_waiting(WaitingQueue& waiting, std::vector<HeldRequest>& to) {
  for (; !waiting.new_empty(); waiting.pop()) to.push_back({waiting.front(), 0, 0});
}

void sort_by_index(std::vector<HeldRequest>& held) {
  std::ranges::sort(held, {}, [](const HeldRequest& h) { return h.request.index; });
}

}  // namespace

void Scheduler::evict_all(std::vector<HeldRequest>&) {
  throw std::logic_error("this scheduler does not keep every request's state");
}

void StepScheduler::evict_all(std::vector<HeldRequest>& to) {
  if (rules_.restart_cuts_prompt) throw std::logic_error("StepScheduler: what was written is not kept under this rule");
  std::vector<char> live(jobs_.size(), 1);
  for (const std::int32_t slot : unused_) live[static_cast<std::size_t>(slot)] = 0;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const Job& j = jobs_[i];
    if (live[i] != 0) to.push_back({j.served.request, j.covered, j.written});
  }
  evict_waiting(waiting_, to);
  sort_by_index(to);
}

void DynamicScheduler::evict_all(std::vector<HeldRequest>& to) {
  for (const Batch& batch : in_flight_) {
    for (const ServedRequest& served : batch) to.push_back({served.request, 0, 0});
  }
  evict_waiting(waiting_, to);
  sort_by_index(to);
}

}  // namespace weir::sim
