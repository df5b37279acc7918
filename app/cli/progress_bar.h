#pragma once

#include "app/cli/common_options.h"
#include "data/progress.h"

namespace weir::cli {

/// Progress for long work: a bar with the time left on a terminal, silence in a pipe or with --quiet. It also carries
/// Ctrl-C: after that it asks the work to stop. The bar is wiped when the work is done (fraction 1) or stopped.
data::Progress make_progress(const CommonOptions& common);

}  // namespace weir::cli
