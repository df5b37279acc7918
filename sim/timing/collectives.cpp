#include "sim/timing/collectives.h"

#include "data/errors.h"

namespace weir::sim {

Link find_link(const data::Accelerator& accelerator, const data::EfficiencyTable& efficiency, int ranks) {
  Link link;
  const bool pairs_only = accelerator.interconnect_name.find("pairs") != std::string::npos;
  const bool own_link = accelerator.interconnect_bytes_per_s.known() && !(pairs_only && ranks > 2);
  if (!own_link && !accelerator.pcie_bytes_per_s.known()) {
    throw data::InputError("", "tensor_parallel", std::to_string(ranks),
                           "the catalogue knows no interconnect of " + accelerator.name + "; expected 1");
  }
  link.efficiency = efficiency.find(accelerator.architecture, accelerator.id,
                                    own_link ? "all_reduce" : "all_reduce_pcie", data::Precision::fp16);
  const double peak = own_link ? *accelerator.interconnect_bytes_per_s.value : *accelerator.pcie_bytes_per_s.value;
  link.name = own_link ? accelerator.interconnect_name : "PCIe";
  link.bytes_per_s = peak * link.efficiency.median;
  link.hop_s = link.efficiency.latency_s;
  return link;
}

double ring_all_reduce_s(double bytes, int ranks, const Link& link) {
  if (ranks <= 1) return 0;
  const double steps = 2.0 * (ranks - 1);
  return steps * (bytes / ranks / link.bytes_per_s + link.hop_s);
}

}  // namespace weir::sim
