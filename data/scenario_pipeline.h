#pragma once

#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace weir::data {

class JsonReader;

/// Work on the host's processors before or after the accelerator: decoding and resizing an image, picking boxes.
struct HostStage {
  int servers = 0;           ///< processor cores (or threads) of one replica that do nothing else; 0 = no such stage
  double s_per_item = 0;     ///< seconds of one core
  double s_per_request = 0;  ///< the same, whatever the request's items; one of the two is > 0
  bool exponential = false;  ///< durations are exponential with that mean; else fixed
  bool operator==(const HostStage&) const = default;
};

/// What a one-shot request goes through besides its batch. Everything off is the batch alone.
struct OneShotPipeline {
  HostStage preprocess, postprocess;
  /// Bytes an item moves over PCIe to the accelerator and back; 0 = not counted.
  double copy_in_bytes_per_item = 0, copy_out_bytes_per_item = 0;
  /// Batches that one replica holds at a time: the copies of one go on while another computes. One computes at a time.
  int instances = 1;
  /// Batch sizes the engine was built for, ascending; a batch takes the largest that is full, and when its time is up
  /// runs as the next larger one. Empty = any size.
  std::vector<int> preferred_batches;
  /// A frame that waits is dropped when its stream sends a newer one.
  bool drop_older_frames = false;

  bool has_host_stages() const { return preprocess.servers > 0 || postprocess.servers > 0; }
  bool has_copies() const { return copy_in_bytes_per_item > 0 || copy_out_bytes_per_item > 0; }
  bool operator==(const OneShotPipeline&) const = default;
};

/// Reads serving.pipeline; `max_batch` is the scenario's. Throws InputError.
OneShotPipeline read_one_shot_pipeline(const JsonReader& pipeline, int max_batch);
/// null when everything is off.
nlohmann::ordered_json to_json(const OneShotPipeline& pipeline);

}  // namespace weir::data
