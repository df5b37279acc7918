#include "data/scenario_pipeline.h"

#include "data/json_reader.h"

namespace weir::data {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostServers = 4096, kMostInstances = 8;
constexpr NumberRange kStageSeconds{0, 3600}, kItemBytes{0, 1e12};

HostStage read_stage(const std::optional<JsonReader>& reader) {
  HostStage stage;
  if (!reader) return stage;
  const auto entry = reader->object({"servers", "s_per_item", "s_per_request", "distribution"});
  stage.servers = entry.at("servers").small_integer(1, kMostServers);
  stage.s_per_item = entry.number_or("s_per_item", 0, kStageSeconds);
  stage.s_per_request = entry.number_or("s_per_request", 0, kStageSeconds);
  if (stage.s_per_item == 0 && stage.s_per_request == 0)
    entry.fail_at("s_per_item", "seconds > 0 an item or a request");
  if (const auto distribution = entry.find("distribution")) {
    stage.exponential = distribution->one_of({"fixed", "exponential"}) == "exponential";
  }
  return stage;
}

std::vector<int> read_sizes(const JsonReader& reader, int max_batch) {
  std::vector<int> sizes;
  for (const JsonReader& size : reader.array()) {
    const int items = size.small_integer(1, max_batch);
    if (!sizes.empty() && items <= sizes.back()) size.fail("batch sizes in ascending order, each once");
    sizes.push_back(items);
  }
  return sizes;
}

Json stage_json(const HostStage& stage) {
  if (stage.servers == 0) return nullptr;
  return Json{{"servers", stage.servers},
              {"s_per_item", stage.s_per_item},
              {"s_per_request", stage.s_per_request},
              {"distribution", stage.exponential ? "exponential" : "fixed"}};
}

}  // namespace

OneShotPipeline read_one_shot_pipeline(const JsonReader& pipeline, int max_batch) {
  const auto entry =
      pipeline.object({"preprocess", "postprocess", "copies", "instances", "preferred_batches", "drop_older_frames"});
  OneShotPipeline p;
  p.preprocess = read_stage(entry.find("preprocess"));
  p.postprocess = read_stage(entry.find("postprocess"));
  if (const auto copies = entry.find("copies")) {
    const auto bytes = copies->object({"in_bytes_per_item", "out_bytes_per_item"});
    p.copy_in_bytes_per_item = bytes.number_or("in_bytes_per_item", 0, kItemBytes);
    p.copy_out_bytes_per_item = bytes.number_or("out_bytes_per_item", 0, kItemBytes);
  }
  p.instances = entry.integer_or("instances", p.instances, 1, kMostInstances);
  if (const auto sizes = entry.find("preferred_batches")) p.preferred_batches = read_sizes(*sizes, max_batch);
  p.drop_older_frames = entry.boolean_or("drop_older_frames", p.drop_older_frames);
  return p;
}

Json to_json(const OneShotPipeline& p) {
  if (p == OneShotPipeline{}) return nullptr;
  return Json{
      {"preprocess", stage_json(p.preprocess)},
      {"postprocess", stage_json(p.postprocess)},
      {"copies", {{"in_bytes_per_item", p.copy_in_bytes_per_item}, {"out_bytes_per_item", p.copy_out_bytes_per_item}}},
      {"instances", p.instances},
      {"preferred_batches", p.preferred_batches},
      {"drop_older_frames", p.drop_older_frames}};
}

}  // namespace weir::data
