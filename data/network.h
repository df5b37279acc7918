#pragma once

#include <string>

#include "data/evidence.h"

namespace weir::data {

/// A network between servers, as its adapters are sold.
struct Network {
  std::string id;                ///< "ib-ndr-400"
  std::string name;              ///< "InfiniBand NDR 400 Gb/s"
  std::string kind;              ///< "rdma" (adapters read device memory) or "ethernet" (through the host)
  Quantity adapter_bytes_per_s;  ///< one direction, > 0
  Quantity adapters_per_node;    ///< that the accelerators of one server share, >= 1
  std::string note;
};

/// Where weights come from when a server starts.
struct Storage {
  std::string id;        ///< "nvme"
  std::string name;      ///< "local NVMe drives"
  Quantity bytes_per_s;  ///< of one server, > 0
  Quantity latency_s;    ///< to open and look up, once, >= 0
  std::string note;
};

}  // namespace weir::data
