#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "data/progress.h"

namespace weir::sim {

/// Runs work(i, progress) for i = 0 .. count - 1 on `threads` threads. What each index does must not depend on the
/// others. `progress`, given to the work, reports the whole and answers false once the caller cancelled. When several
/// indices throw, the exception of the lowest is rethrown. Throws data::Cancelled.
void for_each_index(std::size_t count, int threads, const data::Progress& progress, const std::string& what,
                    const std::function<void(std::size_t, const data::Progress&)>& work);

}  // namespace weir::sim
