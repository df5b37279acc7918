#pragma once

#include <string>

#include "data/efficiency.h"
#include "tests/data/temporary_folder.h"
#include "tests/sim/timing/test_replicas.h"

namespace weir::sim::test {

/// A table whose collectives are of round numbers: NVLink 10 us + 1 us a hop + half of the link, a
/// second line of 2 us + 0.1 of the link; RDMA 11 us + half of the link, Ethernet 30 us + half; PCIe 20 us + 2 us a hop
/// + half; custom kernels one-shot, 1 us + 1 us a hop + half, up to 1 MB.
inline data::EfficiencyTable round_table() {
  const auto line = [](const char* name, const char* base, const char* hop, const char* share) {
    return std::string(R"({"line":")") + name + R"(","base_s":)" + base + R"(,"hop_s":)" + hop + R"(,"share":)" +
           share + "}";
  };
  const auto fit = [](const std::string& link, const std::string& kernels, const std::string& op,
                      const std::string& lines, const std::string& more) {
    return R"({"link":")" + link + R"(","architecture":"*","kernels":")" + kernels + R"(","op":")" + op +
           R"(","lines":[)" + lines + "]," + more +
           R"("n":9,"held_out":9,"error_p50":0.1,"error_p80":0.2,"evidence":"fitted","source":"made up"})";
  };
  const std::string slow = line("low-latency", "2e-6", "0", "0.1") + "," + line("ring", "10e-6", "1e-6", "0.5");
  std::string fits;
  for (const char* op : {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send"}) {
    fits += fit("nvlink", "nccl", op, slow, "") + ",";
    fits += fit("pcie", "nccl", op, line("ring", "20e-6", "2e-6", "0.5"), "") + ",";
  }
  fits += fit("rdma", "nccl", "send", line("direct", "10e-6", "1e-6", "0.5"), "") + ",";
  fits += fit("ethernet", "nccl", "send", line("direct", "30e-6", "0", "0.5"), "") + ",";
  fits += fit("nvlink", "custom-graph", "all_reduce", line("one-shot", "1e-6", "1e-6", "0.5"), R"("most_bytes":1e6,)");
  const std::string text =
      R"({"schema":"weir.efficiency/1","rows":[{"architecture":"*","op":"gemm","precision":"fp16","n":1,"median":0.5,)"
      R"("p10":0.4,"p90":0.6,"evidence":"fitted","source":"made up"}],"collectives":[)" +
      fits +
      R"(],"engines":[{"engine":"compiled-graphs","host_s":0,"sequence_s":0,"kernel_s":0,"kernels_per_layer":0,)"
      R"("relative_error":0.1,"evidence":"fitted","source":"made up"}]})";
  const data::TemporaryFolder folder;
  return data::EfficiencyTable::load(folder.write("round.json", text));
}

}  // namespace weir::sim::test
