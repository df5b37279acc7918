#include "sim/fleet/host_stage.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "data/errors.h"
#include "sim/core/random.h"

namespace weir::sim {

HostStage::HostStage(const data::HostStage& stage, std::uint64_t seed, std::string purpose)
    : stage_(stage), seed_(seed), purpose_(std::move(purpose)) {
  if (stage.servers < 1) throw std::logic_error("HostStage: a stage has at least one server");
  for (int i = 0; i < stage.servers; ++i) free_at_.push(Time());
}

Time HostStage::duration(const QueuedRequest& request) const {
  const double mean_s = stage_.s_per_request + stage_.s_per_item * request.items;
  if (!stage_.exponential) return Time::from_seconds(mean_s);
  return Time::from_seconds(RandomStream(seed_, purpose_, request.index).exponential(mean_s));
}

void HostStage::refuse_backlog() const {
  throw data::InputError("scenario", "/serving/pipeline/" + purpose_ + "/servers", std::to_string(stage_.servers),
                         "more: these do not get through the demand within " +
                             std::to_string(static_cast<std::int64_t>(Time::never().seconds() / 86'400)) +
                             " days of simulated time");
}

Time HostStage::done(const QueuedRequest& request, Time now) {
  const Time end = std::max(free_at_.top(), now) + duration(request);
  if (end >= Time::never()) refuse_backlog();
  free_at_.pop();
  free_at_.push(end);
  return end;
}

HostStages::HostStages(const data::OneShotPipeline& pipeline, int replicas, std::uint64_t seed) {
  for (int i = 0; i < replicas; ++i) {
    if (pipeline.preprocess.servers > 0) before_.emplace_back(pipeline.preprocess, seed, "preprocess");
    if (pipeline.postprocess.servers > 0) after_.emplace_back(pipeline.postprocess, seed, "postprocess");
  }
}

Time HostStages::enters(const QueuedRequest& request, Time now, std::int32_t replica) {
  return before_.empty() ? now : before_[static_cast<std::size_t>(replica)].done(request, now);
}

Time HostStages::leaves(const ServedRequest& served, Time now, std::int32_t replica) {
  return after_.empty() ? now : after_[static_cast<std::size_t>(replica)].done(served.request, now);
}

}  // namespace weir::sim
