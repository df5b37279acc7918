#include "sim/workload/prompt_keeper.h"

#include <algorithm>

namespace weir::sim {
namespace {

constexpr std::int64_t kSessionsOfATrace = std::int64_t{1} << 32;

std::uint64_t origin_of(const data::Trace& trace, PromptContents& contents) {
  auto& origins = contents.origins;
  const auto found =
      std::find_if(origins.begin(), origins.end(), [&](const auto& origin) { return origin.trace == trace.name; });
  if (found != origins.end()) return static_cast<std::uint64_t>(found - origins.begin());
  std::int32_t clients = 0;
  for (const data::Request& row : trace.requests) clients = std::max(clients, row.client + 1);
  origins.push_back({trace.name, contents.clients});
  contents.clients += clients;
  return origins.size() - 1;
}

}  // namespace

PromptKeeper::PromptKeeper(const data::Trace& trace, PromptContents& contents)
    : trace_(trace),
      contents_(contents),
      origin_(origin_of(trace, contents)),
      first_client_(contents.origins[origin_].first_client) {}

const PromptContent* PromptKeeper::content(const data::Request& row) {
  if (row.prompt < 0) return nullptr;
  PromptContent content;
  if (const auto hashes = trace_.hashes_of(row); !hashes.empty()) {
    if (hashes_ == nullptr) {
      hashes_ = &contents_.hashes.emplace_back();
      std::size_t all = 0;
      for (const data::Request& any : trace_.requests) all += trace_.hashes_of(any).size();
      hashes_->reserve(all);  // never more, so that it does not move from under a span
    }
    // Numbers of another trace mean other prompts: a multiple of an odd constant sets them apart.
    for (const std::uint64_t hash : hashes) hashes_->push_back(hash ^ origin_ * 0x9e3779b97f4a7c15ULL);
    content.hashes = std::span(*hashes_).last(hashes.size());
    content.tokens_per_hash = trace_.tokens_per_hash;
    ++by_hashes_;
  } else if (const auto session = trace_.prompts[static_cast<std::size_t>(row.prompt)].session; session >= 0) {
    content.session = session + static_cast<std::int64_t>(origin_) * kSessionsOfATrace;
    ++by_session_;
  } else {
    return nullptr;
  }
  return &contents_.contents.emplace_back(content);
}

}  // namespace weir::sim
