#pragma once

#include <string_view>

#include "data/catalog.h"

namespace weir::data {

/// A Multi-Instance GPU slice of an accelerator as an accelerator of its own: "1g", "2g", "3g", "4g" or "7g" ("1g.10gb"
/// is the same as "1g" when the memory agrees). It has its part of the compute units, memory and bandwidth by NVIDIA's
/// MIG User Guide ("Supported MIG Profiles": sevenths of the SMs, eighths of the memory; quarters on the A30); no link
/// to other slices; PCIe shared evenly by all that fit on the card; power by its part of the compute, which nobody
/// measured (assumption).
/// `slices_per_card` receives how many of them one card holds. Throws InputError, at `file` and `pointer`, for a card
/// that cannot be cut and for a profile it does not have.
Accelerator mig_slice(const Accelerator& card, std::string_view profile, const std::string& file,
                      const std::string& pointer, int& slices_per_card);

}  // namespace weir::data
