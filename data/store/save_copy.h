#pragma once

#include <filesystem>
#include <functional>

namespace weir::data {

/// Replaces a project file by what `write` puts into an empty temporary beside it, so that `target` is the old project
/// or the new one whenever the program is killed. A temporary that a killed program left is used again. The target
/// keeps its permissions; a symbolic link keeps pointing to it. Throws SystemError; then `target` is as before.
void save_copy(const std::filesystem::path& target,
               const std::function<void(const std::filesystem::path& temporary)>& write);

}  // namespace weir::data
