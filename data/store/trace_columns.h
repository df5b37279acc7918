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

PackedColumns pack(std::span<const Request> requests);

/// Appends `count` requests. Returns false when the columns are damaged.
bool unpack(const PackedColumns& columns, std::size_t count, std::vector<Request>& requests);

}  // namespace weir::data
