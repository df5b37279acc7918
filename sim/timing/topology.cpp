#include "sim/timing/topology.h"

#include <algorithm>
#include <stdexcept>

#include "data/errors.h"

namespace weir::sim {
namespace {

constexpr int kRackAccelerators = 72;  // of the NVL72 racks, the only ones that NVLink joins

bool contains(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

Wiring wiring_of(const data::Accelerator& accelerator) {
  if (!accelerator.interconnect_bytes_per_s.known()) return Wiring::pcie;
  const std::string& name = accelerator.interconnect_name;
  if (contains(name, "pairs")) return Wiring::pairs;
  const bool mesh = contains(name, "Infinity Fabric") || contains(name, "HCCS") || contains(name, "GbE RoCE");
  return mesh ? Wiring::mesh : Wiring::switched;
}

int per_node_of(const data::Accelerator& accelerator, int accelerators) {
  if (contains(accelerator.interconnect_name, "rack switch")) return kRackAccelerators;
  return static_cast<int>(accelerator.max_per_server.value.value_or(accelerators));
}

}  // namespace

double network_rate(const data::Network& network, int active) {
  const double adapters = *network.adapters_per_node.value;
  return *network.adapter_bytes_per_s.value * std::min(1.0, adapters / std::max(active, 1));
}

Topology make_topology(const data::Accelerator& accelerator, int accelerators, const data::Network* network) {
  Topology t;
  t.accelerator = accelerator.name;
  t.architecture = accelerator.architecture;
  t.wiring = wiring_of(accelerator);
  t.interconnect_name = accelerator.interconnect_name;
  t.interconnect_bytes_per_s = accelerator.interconnect_bytes_per_s.value.value_or(0);
  t.pcie_bytes_per_s = accelerator.pcie_bytes_per_s.value.value_or(0);
  t.per_node = std::max(1, per_node_of(accelerator, accelerators));
  t.nodes = (accelerators + t.per_node - 1) / t.per_node;
  if (network != nullptr) {
    t.network_name = network->name;
    t.network_kind = network->kind;
    t.network_bytes_per_s = network_rate(*network, t.per_node);
  } else if (t.nodes > 1) {
    throw data::InputError("", "network", std::to_string(accelerators),
                           "a server holds " + std::to_string(t.per_node) + " of " + accelerator.name +
                               "; name the network between servers");
  }
  if (std::min(accelerators, t.per_node) > 1) node_link(t, std::min(accelerators, t.per_node));
  return t;
}

Link node_link(const Topology& t, int ranks) {
  const bool own =
      t.wiring == Wiring::switched || t.wiring == Wiring::mesh || (t.wiring == Wiring::pairs && ranks <= 2);
  if (own) {
    const int others = std::max(1, t.per_node - 1);
    const double share = t.wiring == Wiring::mesh ? std::min(1.0, static_cast<double>(ranks - 1) / others) : 1.0;
    return {t.interconnect_name, "nvlink", t.interconnect_bytes_per_s * share};
  }
  if (t.pcie_bytes_per_s <= 0) {
    throw data::InputError("", "tensor_parallel", std::to_string(ranks),
                           "the catalogue knows no interconnect of " + t.accelerator + "; expected 1");
  }
  return {"PCIe", "pcie", t.pcie_bytes_per_s};
}

Link network_link(const Topology& t) {
  if (t.network_bytes_per_s <= 0) throw std::logic_error("no network between the servers");
  return {t.network_name, t.network_kind, t.network_bytes_per_s};
}

}  // namespace weir::sim
