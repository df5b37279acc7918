#include "sim/timing/copies.h"

#include <algorithm>

#include "data/errors.h"
#include "sim/timing/collectives.h"
#include "sim/timing/topology.h"

namespace weir::sim {
namespace {

constexpr double kCopyLatency_s = 10e-6;
constexpr double kPinnedShare = 0.8;

double copy_rate(const data::Accelerator& accelerator) {
  if (accelerator.pcie_bytes_per_s.known()) return kPinnedShare * *accelerator.pcie_bytes_per_s.value;
  throw data::InputError("", "accelerator", accelerator.id, "its PCIe rate is unknown; add it to the catalogue");
}

}  // namespace

double copy_s(double bytes, const data::Accelerator& accelerator) {
  return bytes <= 0 ? 0 : kCopyLatency_s + bytes / copy_rate(accelerator);
}

EvidenceNote copy_evidence() {
  return {"copies over PCIe", data::Evidence::assumption, "10 us and 0.8 of the link from pinned memory"};
}

KvPath kv_path(const data::Accelerator& from, int from_ranks, const data::Accelerator& to, int to_ranks,
               const data::Network* network, const data::EfficiencyTable& efficiency) {
  KvPath path;
  path.streams = std::max(1, std::min(from_ranks, to_ranks));
  if (network != nullptr) {
    path.name = network->name;
    path.send = efficiency.collective(network->kind, from.architecture, "nccl", "send");
    path.stream_bytes_per_s = network_rate(*network, path.streams);
    return path;
  }
  Topology topology = make_topology(from, from_ranks + to_ranks);  // refuses what one server does not hold
  if (to.id != from.id) {
    throw data::InputError(
        "", "network", to.id,
        "other accelerators than " + from.id + " are in another server; name the network between servers");
  }
  const Link link = node_link(topology, topology.wiring == Wiring::pairs ? from_ranks + to_ranks : 2);
  path.name = link.name;
  path.send = efficiency.collective(link.kind, from.architecture, "nccl", "send");
  path.stream_bytes_per_s = link.bytes_per_s;
  return path;
}

double kv_transfer_s(double bytes, const KvPath& path, int layers, double prefill_s, double overlap) {
  if (bytes <= 0) return 0;
  const double latency = fit_seconds(path.send, CollectiveOp::send, 0, 2, path.stream_bytes_per_s);
  const double whole =
      fit_seconds(path.send, CollectiveOp::send, bytes / path.streams, 2, path.stream_bytes_per_s) - latency;
  return latency + std::max(whole / std::max(layers, 1), whole - overlap * prefill_s);
}

EvidenceNote kv_evidence(const KvPath& path) {
  return {"KV transfer over " + path.name, path.send.evidence, describe(path.send)};
}

double load_s(double bytes, int ranks, const data::Accelerator& accelerator, const data::Storage& storage) {
  if (bytes <= 0) return 0;
  const double read = bytes / *storage.bytes_per_s.value;
  return *storage.latency_s.value + std::max(read, copy_s(bytes / std::max(ranks, 1), accelerator));
}

std::vector<EvidenceNote> load_evidence(const data::Storage& storage) {
  return {{"weights from " + storage.name, storage.bytes_per_s.evidence, storage.bytes_per_s.source}, copy_evidence()};
}

}  // namespace weir::sim
