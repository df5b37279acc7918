#pragma once

#include <QString>

namespace weir::desktop {

class Workbench;

/// One line about the state of each step, and of the whole, for navigation and status bar.
QString workload_summary(const Workbench& bench);
QString hardware_summary(const Workbench& bench);
QString costs_summary(const Workbench& bench);
QString decision_summary(const Workbench& bench);
QString state_summary(const Workbench& bench);
QString result_details(const Workbench& bench);

}  // namespace weir::desktop
