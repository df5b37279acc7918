#pragma once

#include <functional>
#include <string_view>

namespace weir::data {

/// Called now and then by long work, from one thread at a time. fraction is in [0, 1]. Returning false cancels: the
/// work throws Cancelled and leaves nothing behind. An empty function means "no progress wanted, cannot cancel".
using Progress = std::function<bool(double fraction, std::string_view what)>;

}  // namespace weir::data
