#pragma once

namespace weir::cli {

/// From now on the first Ctrl-C (or SIGTERM) asks the work to stop; a second one ends the program at once.
void watch_for_interrupt();
bool interrupted();

}  // namespace weir::cli
