#pragma once

namespace weir::sim {

/// Sums of ticks times counts pass 2^63 in long overloaded runs (10 ps ticks: 1e4 requests for 1e5 s is 1e20), and the
/// conservation checks compare such sums for equality.
__extension__ typedef __int128 WideInt;
__extension__ typedef unsigned __int128 UnsignedWideInt;

}  // namespace weir::sim
