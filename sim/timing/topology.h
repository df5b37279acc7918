#pragma once

#include <string>

#include "data/catalog.h"

namespace weir::sim {

/// How the accelerators of one server are joined.
enum class Wiring {
  switched,  ///< any rank reaches any other with all of its links (NVSwitch; unknown fabrics are taken so)
  mesh,      ///< a link of its own to each of the others (Infinity Fabric, HCCS, Gaudi): r ranks use r - 1 of them
  pairs,     ///< bridges between two cards; more than two use PCIe
  pcie       ///< nothing but PCIe
};

/// What the ranks of one replica send over. Rates are datasheet bytes/s of one accelerator in one direction; 0 = not
/// there.
struct Topology {
  std::string accelerator, architecture;
  Wiring wiring = Wiring::pcie;
  std::string interconnect_name;
  double interconnect_bytes_per_s = 0, pcie_bytes_per_s = 0;
  int per_node = 1;                        ///< accelerators of one server (of one rack, where NVLink joins a rack)
  int nodes = 1;                           ///< servers the replica needs
  std::string network_name, network_kind;  ///< "InfiniBand NDR 400 Gb/s", "rdma"; empty = none
  double network_bytes_per_s = 0;          ///< of one accelerator when all of its server send
};

/// One hop inside a server or between servers.
struct Link {
  std::string name;  ///< "NVLink 3 / NVSwitch 2", "PCIe", "InfiniBand NDR 400 Gb/s"
  std::string kind;  ///< CollectiveFit::link
  double bytes_per_s = 0;
};

/// The topology of a replica of `accelerators` (tensor x pipeline x expert parallel ranks), packed into as few servers
/// as hold them. Throws InputError when they need more than one and `network` is null, and when the catalogue knows no
/// link between two of them.
Topology make_topology(const data::Accelerator& accelerator, int accelerators, const data::Network* network = nullptr);

/// What `ranks` neighbours in one server use: the interconnect, or PCIe where bridges join pairs only.
Link node_link(const Topology& topology, int ranks);
/// What one rank uses to reach another server. `network_bytes_per_s` > 0 is a precondition.
Link network_link(const Topology& topology);
/// Bytes/s that one accelerator of a server with `active` senders has of this network.
double network_rate(const data::Network& network, int active);

}  // namespace weir::sim
