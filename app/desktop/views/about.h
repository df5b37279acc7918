#pragma once

class QMainWindow;

namespace weir::desktop {

/// What this program is, and under which licences its parts are used.
void show_about(QMainWindow* window);
/// All keyboard shortcuts, read from the menus.
void show_shortcuts(QMainWindow* window);

}  // namespace weir::desktop
