#pragma once

#include <QIcon>

namespace weir::desktop {

enum class Symbol { new_file, open, save, undo, redo, run, stop, export_file, copy, panel, weir };

/// Line icons drawn on a grid of 16, in the colour of the text around them: they follow theme, state and resolution.
QIcon icon(Symbol symbol);

}  // namespace weir::desktop
