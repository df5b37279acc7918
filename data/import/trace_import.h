#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "data/progress.h"
#include "data/trace.h"

namespace weir::data {

struct ImportOptions {
  std::string as;      ///< "", "trace": anything but a trace is an InputError naming the kind that was found
  std::string format;  ///< "" = detect; else azure-llm-2023, vidur, plain-csv, plain-jsonl
  std::optional<int> max_context_tokens;  ///< rows above it get the status over_context
  bool keep_health = false;
  Progress progress;
};

/// Reads a trace by streaming through it. A broken row is rejected and counted; throws InputError when the file is
/// missing, empty, of another kind, has columns that cannot be told, or holds no usable row; Cancelled on cancel.
Trace import_trace(const std::filesystem::path& file, const ImportOptions& options = {});

}  // namespace weir::data
