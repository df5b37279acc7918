#include "sim/workload/merged_source.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace weir::sim {

MergedSource::MergedSource(std::vector<Part> parts) {
  for (Part& part : parts) {
    Stream& stream = streams_.emplace_back();
    stream.first_class = static_cast<std::int16_t>(names_.size());
    for (const std::string& name : part.source->class_names()) names_.push_back(part.workload + "/" + name);
    stream.source = std::move(part.source);
  }
  if (streams_.empty()) throw std::logic_error("MergedSource: nothing to merge");
}

/// There is a next request in it.
bool MergedSource::fill(Stream& stream) {
  if (stream.at < stream.batch.size()) return true;
  if (stream.dry) return false;
  stream.batch = stream.source->next();
  stream.at = 0;
  stream.dry = stream.batch.empty();
  return !stream.dry;
}

SimRequest MergedSource::ours(const SimRequest& request, std::size_t stream) const {
  SimRequest r = request;
  r.class_index = static_cast<std::int16_t>(r.class_index + streams_[stream].first_class);
  if (r.client >= 0) {
    const std::int64_t client = std::int64_t{r.client} * static_cast<std::int64_t>(streams_.size());
    r.client = static_cast<std::int32_t>((client + static_cast<std::int64_t>(stream)) & 0x7fffffff);
  }
  return r;
}

std::span<const SimRequest> MergedSource::next() {
  constexpr std::size_t kBatch = 1024;
  merged_.clear();
  while (merged_.size() < kBatch) {
    std::size_t first = streams_.size();
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      if (!fill(streams_[i])) continue;
      const auto arrival = [this](std::size_t s) { return streams_[s].batch[streams_[s].at].arrival; };
      if (first == streams_.size() || arrival(i) < arrival(first)) first = i;
    }
    if (first == streams_.size()) break;
    merged_.push_back(ours(streams_[first].batch[streams_[first].at++], first));
  }
  return merged_;
}

Time MergedSource::end() const {
  Time end;
  for (const Stream& stream : streams_) end = std::max(end, stream.source->end());
  return end;
}

std::vector<std::int64_t> MergedSource::offered_by_class() const {
  std::vector<std::int64_t> all;
  for (const Stream& stream : streams_) {
    const std::vector<std::int64_t> some = stream.source->offered_by_class();
    if (some.empty()) return {};
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

bool MergedSource::reacts() const {
  return std::ranges::any_of(streams_, [](const Stream& s) { return s.source->reacts(); });
}

std::size_t MergedSource::stream_of(std::int16_t class_index) const {
  std::size_t found = 0;
  while (found + 1 < streams_.size() && streams_[found + 1].first_class <= class_index) ++found;
  return found;
}

std::optional<SimRequest> MergedSource::after(const LeftRequest& left) {
  const std::size_t stream = stream_of(left.class_index);
  if (!streams_[stream].source->reacts()) return {};
  LeftRequest theirs = left;
  theirs.class_index = static_cast<std::int16_t>(left.class_index - streams_[stream].first_class);
  const std::optional<SimRequest> next = streams_[stream].source->after(theirs);
  return next ? std::optional(ours(*next, stream)) : std::nullopt;
}

}  // namespace weir::sim
