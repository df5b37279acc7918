#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/progress.h"
#include "data/trace.h"

namespace weir::data {

/// A column of the file and what it was taken for.
struct ImportedColumn {
  std::string name;
  std::string meaning;              ///< "arrival time", "input tokens", "output tokens", "items", "class", "status",
                                    ///< "request id", "path", "session", "turn", "prefix hashes", "client"; empty =
                                    ///< not used
  std::vector<std::string> values;  ///< of the first rows, at most kPreviewRows
  static constexpr std::size_t kPreviewRows = 5;
};

struct ImportOptions {
  std::string as;      ///< "", "trace": anything but a trace is an InputError naming the kind that was found
  std::string format;  ///< "" = detect; else azure-llm-2023, vidur, mooncake, plain-csv, plain-jsonl
  std::optional<int> max_context_tokens;  ///< rows above it get the status over_context
  std::optional<int> tokens_per_hash;     ///< for prefix hashes; empty = found from their number
  bool keep_health = false;
  Progress progress;
  std::vector<ImportedColumn>* columns = nullptr;  ///< set: receives the columns, for a preview
};

/// Reads a trace by streaming through it. A broken row is rejected and counted; throws InputError when the file is
/// missing, empty, of another kind, has columns that cannot be told, or holds no usable row; Cancelled on cancel.
Trace import_trace(const std::filesystem::path& file, const ImportOptions& options = {});

}  // namespace weir::data
