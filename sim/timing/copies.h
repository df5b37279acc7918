#pragma once

#include <string>
#include <vector>

#include "data/catalog.h"
#include "data/efficiency.h"
#include "sim/timing/step_timer.h"

namespace weir::sim {

/// Seconds of one copy between pinned host memory and a device, one direction: 10 us + bytes / (0.8 of PCIe). Throws
/// InputError when the catalogue does not know the PCIe of the accelerator.
double copy_s(double bytes, const data::Accelerator& accelerator);
EvidenceNote copy_evidence();

/// The way of KV caches from a prefill replica to a decode replica: `streams` ranks send their parts at once.
struct KvPath {
  std::string name;  ///< "InfiniBand NDR 400 Gb/s", "NVLink 4 / NVSwitch 3"
  data::CollectiveFit send;
  double stream_bytes_per_s = 0;  ///< datasheet rate of one rank's link
  int streams = 1;
};

/// Over `network`, or inside one server when it is null (then both are of the same kind). `from_ranks`, `to_ranks`:
/// tensor-parallel ranks of the two replicas; the smaller number of them bounds the streams, the slower side the rate.
/// Throws InputError when both do not fit into one server or no link is known.
KvPath kv_path(const data::Accelerator& from, int from_ranks, const data::Accelerator& to, int to_ranks,
               const data::Network* network, const data::EfficiencyTable& efficiency);

/// Seconds between the end of a prefill and the arrival of its last KV block. `bytes`: the whole cache of the prompt.
/// Of its `layers` all but the last may leave while later layers are computed, during `overlap` (in [0, 1]; 0 = the
/// cache is sent afterwards) of the prefill's `prefill_s`: latency + max(t / layers, t - overlap x prefill_s), t = time
/// on the wire.
double kv_transfer_s(double bytes, const KvPath& path, int layers, double prefill_s, double overlap);
EvidenceNote kv_evidence(const KvPath& path);

/// Seconds to load `bytes` of weights into `ranks` accelerators of one server: latency of the storage + the longer of
/// reading (at the server's rate) and copying each rank's part over PCIe; both go at once. The runtime's own start is
/// not in it.
double load_s(double bytes, int ranks, const data::Accelerator& accelerator, const data::Storage& storage);
std::vector<EvidenceNote> load_evidence(const data::Storage& storage);

}  // namespace weir::sim
