#include "data/scenario_deployment.h"

#include <algorithm>

namespace weir::data {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostStages = 64, kMostMicroBatches = 32, kMostGroups = 1024;

std::vector<int> degrees(const ObjectReader& candidates, std::string_view key, int most) {
  std::vector<int> all;
  const auto list = candidates.find(key);
  if (!list) return all;
  for (const JsonReader& entry : list->non_empty_array()) {
    all.push_back(entry.small_integer(1, most));
    if (std::count(all.begin(), all.end(), all.back()) > 1) entry.fail("this entry stands twice in the list");
  }
  return all;
}

Json list_or_null(const std::vector<int>& all) { return all.empty() ? Json() : Json(all); }

}  // namespace

ParallelChoice read_parallel(const ObjectReader& deployment) {
  ParallelChoice p;
  p.pipeline = deployment.integer_or("pipeline_parallel", 1, 1, kMostStages);
  p.expert = deployment.integer_or("expert_parallel", 1, 1, kMostGroups);
  if (const auto parts = deployment.find("micro_batches")) p.micro_batches = parts->small_integer(1, kMostMicroBatches);
  return p;
}

void write_parallel(const ParallelChoice& parallel, Json& deployment) {
  deployment["pipeline_parallel"] = parallel.pipeline;
  deployment["micro_batches"] = parallel.micro_batches == 0 ? Json() : Json(parallel.micro_batches);
  deployment["expert_parallel"] = parallel.expert;
}

ParallelLists read_parallel_lists(const ObjectReader& candidates) {
  return {degrees(candidates, "pipeline_parallel", kMostStages), degrees(candidates, "expert_parallel", kMostGroups)};
}

void write_parallel_lists(const ParallelLists& lists, Json& candidates) {
  candidates["pipeline_parallel"] = list_or_null(lists.pipeline);
  candidates["expert_parallel"] = list_or_null(lists.expert);
}

}  // namespace weir::data
