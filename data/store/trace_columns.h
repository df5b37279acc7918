#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/trace.h"

namespace weir::data {

inline constexpr std::size_t kChunkRequests = 65'536;

/// Up to kChunkRequests requests as packed columns; schema.sql says how.
struct PackedColumns {
  std::string arrival, input_tokens, output_tokens, items, class_index, status;
};

/// What the prompts of the same requests hold; empty texts when nothing is known of any.
struct PackedPrompts {
  std::string client, session, turn, hash_count, hashes;
  bool empty() const { return client.empty(); }
};

PackedColumns pack(std::span<const Request> requests);

/// The prompts of requests [from, from + count) of the trace.
PackedPrompts pack_prompts(const Trace& trace, std::size_t from, std::size_t count);

/// Gives the trace's requests [from, from + count) their clients and prompts. Returns false when the columns are
/// damaged.
bool unpack_prompts(const PackedPrompts& columns, std::size_t from, std::size_t count, Trace& trace);

/// Appends `count` requests. Returns false when the columns are damaged.
bool unpack(const PackedColumns& columns, std::size_t count, std::vector<Request>& requests);

}  // namespace weir::data
