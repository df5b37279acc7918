#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/workload/request_source.h"

namespace weir::sim {

/// The demand of several workloads that share one fleet, in order of arrival; at one tick in the order of the
/// workloads. Classes are those of all, named "workload/class". Clients of different workloads are different; sessions
/// and contents of prompts are not told apart.
class MergedSource final : public RequestSource {
 public:
  struct Part {
    std::string workload;
    std::unique_ptr<RequestSource> source;
  };
  explicit MergedSource(std::vector<Part> parts);

  std::span<const SimRequest> next() override;
  const std::vector<std::string>& class_names() const override { return names_; }
  Time end() const override;
  std::vector<std::int64_t> offered_by_class() const override;
  bool reacts() const override;
  std::optional<SimRequest> after(const LeftRequest& left) override;

 private:
  struct Stream {
    std::unique_ptr<RequestSource> source;
    std::int16_t first_class = 0;
    std::span<const SimRequest> batch;
    std::size_t at = 0;
    bool dry = false;
  };
  bool fill(Stream& stream);
  SimRequest ours(const SimRequest& request, std::size_t stream) const;
  std::size_t stream_of(std::int16_t class_index) const;

  std::vector<Stream> streams_;
  std::vector<std::string> names_;
  std::vector<SimRequest> merged_;
};

}  // namespace weir::sim
