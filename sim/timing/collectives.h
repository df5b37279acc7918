#pragma once

#include <optional>
#include <string>

#include "data/catalog.h"
#include "data/efficiency.h"

namespace weir::sim {

/// What a ring all-reduce between the ranks of one replica runs over.
struct Link {
  std::string name;             ///< "NVLink 3 / NVSwitch 2", "PCIe"
  double bytes_per_s = 0;       ///< one direction, at the share of it that collectives reach
  double hop_s = 0;             ///< latency of one step of the ring
  data::Efficiency efficiency;  ///< where share and latency come from
};

/// The link `ranks` accelerators use: the interconnect if there is one, else PCIe. Bridges that join pairs serve two
/// ranks only. Throws InputError when the catalogue knows neither.
Link find_link(const data::Accelerator& accelerator, const data::EfficiencyTable& efficiency, int ranks);

/// Seconds of a ring all-reduce of `bytes`: 2 (r - 1) steps, each moves bytes / r (Patarasuk and Yuan 2009). 0 for one
/// rank.
double ring_all_reduce_s(double bytes, int ranks, const Link& link);

}  // namespace weir::sim
