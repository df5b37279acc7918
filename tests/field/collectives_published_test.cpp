// Collectives against published measurements: the sizes that make_efficiency.py holds out, and tables that no fit has
// seen (pair bridges, several servers, expert all-to-alls of H800). Then what link rates mean for a model of 70B.
// Prints; asserts that the errors are as the catalogue says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "data/catalog.h"
#include "data/efficiency.h"
#include "sim/timing/deployment_timer.h"
#include "sim/timing/replica_model.h"

namespace {

using namespace weir;
namespace fs = std::filesystem;

using Row = std::map<std::string, std::string>;

const char* profiles() { return std::getenv("WEIR_FIELD_DATA"); }

std::vector<Row> rows_of(const fs::path& file) {
  std::ifstream stream(file);
  const auto cells = [](const std::string& line) {
    std::vector<std::string> all;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) all.push_back(cell);
    return all;
  };
  std::string line;
  std::getline(stream, line);
  const std::vector<std::string> names = cells(line);
  std::vector<Row> rows;
  while (std::getline(stream, line)) {
    const std::vector<std::string> values = cells(line);
    Row row;
    for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) row[names[i]] = values[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

double number(const Row& row, const char* key) { return std::strtod(row.at(key).c_str(), nullptr); }

sim::Collectives collectives(const char* id, int accelerators, const char* kernels, const char* network = nullptr) {
  const data::Catalog& catalog = data::Catalog::builtin();
  return {sim::make_topology(catalog.accelerator(id), accelerators, network ? &catalog.network(network) : nullptr),
          data::EfficiencyTable::builtin(), kernels};
}

struct Errors {
  std::vector<double> logs;
  void add(double predicted, double measured) { logs.push_back(std::log(predicted / measured)); }
  double quantile(double q) const {
    std::vector<double> sizes;
    for (const double e : logs) sizes.push_back(std::abs(e));
    std::sort(sizes.begin(), sizes.end());
    return sizes.empty() ? 1e9 : sizes[static_cast<std::size_t>(q * static_cast<double>(sizes.size() - 1))];
  }
  void print(const std::string& name) const {
    std::printf("  %s: n %zu, median error %.0f %%, P80 %.0f %%\n", name.c_str(), logs.size(), 100 * quantile(0.5),
                100 * quantile(0.8));
  }
};

double time_of(const sim::Collectives& c, const std::string& op, double bytes, int ranks) {
  if (op == "all_reduce") return c.all_reduce_s(bytes, ranks);
  if (op == "all_gather") return c.all_gather_s(bytes, ranks);
  if (op == "reduce_scatter") return c.reduce_scatter_s(bytes, ranks);
  return c.all_to_all_s(bytes, ranks);
}

bool held_out(double bytes) { return std::lround(std::log2(bytes)) % 2 == 0; }

TEST(CollectivesPublished, SizesHeldOutOfNcclAndOfCustomKernels) {
  if (!profiles()) GTEST_SKIP() << "set WEIR_FIELD_DATA to the folder of published measurements";
  const fs::path folder = fs::path(profiles()) / "data/profiles/aiconfigurator";
  for (const auto& [system, id, nccl] : {std::tuple{"a100_sxm", "a100-sxm4-80gb", "nccl_2.27.3.csv"},
                                         std::tuple{"h100_sxm", "h100-sxm5-80gb", "nccl_2.29.2.csv"},
                                         std::tuple{"h200_sxm", "h200-sxm5-141gb", "nccl_2.29.2.csv"}}) {
    std::map<std::string, Errors> errors;
    const sim::Collectives library = collectives(id, 8, "nccl"), custom = collectives(id, 8, "custom-graph");
    for (const Row& row : rows_of(folder / system / nccl)) {
      const double bytes = 2 * number(row, "message_size");
      if (row.at("nccl_dtype") != "half" || !held_out(bytes)) continue;
      const std::string& op = row.at("op_name");
      errors["NCCL " + op].add(time_of(library, op, bytes, std::atoi(row.at("num_gpus").c_str())),
                               number(row, "latency") * 1e-3);
    }
    for (const Row& row : rows_of(folder / system / "vllm_0.14.0/custom_allreduce_perf.csv")) {
      const double bytes = 2 * number(row, "message_size");
      if (row.at("backend") != "vllm_graph" || !held_out(bytes)) continue;
      errors["vLLM in graphs, all_reduce"].add(custom.all_reduce_s(bytes, std::atoi(row.at("num_gpus").c_str())),
                                               number(row, "latency") * 1e-3);
    }
    ASSERT_EQ(errors.size(), 5u);
    for (const auto& [name, e] : errors) {
      e.print(std::string(id) + " " + name);
      EXPECT_LT(e.quantile(0.5), 0.12) << id << ' ' << name;
      EXPECT_LT(e.quantile(0.8), 0.25) << id << ' ' << name;
    }
  }
}

/// Rows of a node of the Vidur tables.
Errors vidur(const std::string& node, const char* op, int ranks, int per_node,
             const std::function<double(double)>& predicted) {
  Errors errors;
  const std::string median = std::string("time_stats.") + op + ".median";
  for (const Row& row :
       rows_of(fs::path(profiles()) / "data/profiles/vidur/network" / node / (std::string(op) + ".csv"))) {
    if (std::atoi(row.at("num_workers").c_str()) != ranks) continue;
    if (std::atoi(row.at("devices_per_node").c_str()) != per_node) continue;
    errors.add(predicted(number(row, "size")), number(row, median.c_str()) * 1e-3);
  }
  return errors;
}

TEST(CollectivesPublished, PairBridgesThatNoFitHasSeen) {
  if (!profiles()) GTEST_SKIP() << "set WEIR_FIELD_DATA to the folder of published measurements";
  const sim::Collectives pair = collectives("a100-pcie-80gb", 2, "nccl-eager");
  const Errors e = vidur("a100_pairwise_nvlink", "all_reduce", 2, 2, [&](double b) { return pair.all_reduce_s(b, 2); });
  e.print("A100 pair bridge, all_reduce");
  EXPECT_LT(e.quantile(0.5), 0.25);
}

TEST(CollectivesPublished, SeveralServersThatNoFitHasSeen) {
  if (!profiles()) GTEST_SKIP() << "set WEIR_FIELD_DATA to the folder of published measurements";
  for (const int per_node : {1, 2, 4, 8}) {
    data::Accelerator a100 = data::Catalog::builtin().accelerator("a100-sxm4-80gb");
    a100.max_per_server.value = per_node;
    const sim::Collectives c{sim::make_topology(a100, 2 * per_node, &data::Catalog::builtin().network("eth-100")),
                             data::EfficiencyTable::builtin(), "nccl-eager"};
    const Errors e = vidur("a100_dgx", "all_reduce", 2 * per_node, per_node,
                           [&](double b) { return c.all_reduce_s(b, 2 * per_node); });
    e.print("A100, 2 servers of " + std::to_string(per_node) + ", all_reduce");
    EXPECT_LT(e.quantile(0.5), 0.6);
  }
}

// DeepEP, low-latency kernels on H800 with one 400 Gb/s InfiniBand adapter each (deepseek-ai/DeepEP, docs/legacy.md):
// 128 tokens of hidden 7168 to 8 experts each; dispatch in fp8, combine in bf16.
TEST(CollectivesPublished, ExpertAllToAllsOfH800) {
  const sim::Collectives c = collectives("h800-sxm5-80gb", 128, "nccl", "ib-ndr-400");
  const double dispatch = 128 * 8 * 7168.0, combine = 2 * dispatch;
  struct Measured {
    int ranks;
    double bytes, us;
  };
  Errors errors;
  for (const Measured& m : {Measured{16, dispatch, 118}, Measured{32, dispatch, 155}, Measured{64, dispatch, 173},
                            Measured{128, dispatch, 192}, Measured{8, combine, 114}, Measured{16, combine, 195},
                            Measured{32, combine, 273}, Measured{128, combine, 369}}) {
    const double us = 1e6 * c.all_to_all_s(m.bytes, m.ranks);
    std::printf("  %d ranks, %.1f MB: predicted %.0f us, measured %.0f us\n", m.ranks, m.bytes / 1e6, us, m.us);
    errors.add(us, m.us);
  }
  errors.print("DeepEP low latency, H800");
  EXPECT_LT(errors.quantile(0.5), 0.15);
  EXPECT_LT(errors.quantile(1), 0.25);
}

// The table of sim/README.md.
TEST(CollectivesPublished, CutLinksUnderAModelOf70B) {
  const data::EfficiencyTable& table = data::EfficiencyTable::builtin();
  std::printf("  | TP | link | decode, 32 x 1024 | all-reduce | prefill of 2048 | all-reduce |\n");
  std::map<std::string, double> seconds;
  for (const int ranks : {2, 4, 8}) {
    for (const auto& [id, link] : {std::pair{"h800-sxm5-80gb", "400"}, std::pair{"h100-sxm5-80gb", "900"}}) {
      sim::ReplicaSpec replica;
      replica.accelerator = data::Catalog::builtin().accelerator("h100-sxm5-80gb");
      replica.accelerator.interconnect_bytes_per_s =
          data::Catalog::builtin().accelerator(id).interconnect_bytes_per_s;  // nothing else differs
      replica.model = data::Catalog::builtin().model("llama-3.1-70b");
      replica.weights = replica.activations = data::Precision::fp8;
      replica.tensor_parallel = ranks;
      const auto timer = sim::make_step_timer(replica, table, nullptr);
      const sim::Collectives c = sim::make_collectives(replica, table, ranks);
      const double token = 2.0 * 80 * 1;  // all-reduces a step
      const std::vector<sim::PrefillChunk> prompt{{2048, 0}};
      const double decode = timer->iteration({{}, 32, 32 * 1024}).seconds(),
                   prefill = timer->iteration({prompt, 0, 0}).seconds();
      const double in_decode = token * c.all_reduce_s(32 * 8192.0 * 2, ranks),
                   in_prefill = token * c.all_reduce_s(2048 * 8192.0 * 2, ranks);
      std::printf("  | %d | %s GB/s | %.1f ms | %.0f %% | %.1f ms | %.0f %% |\n", ranks, link, 1e3 * decode,
                  100 * in_decode / decode, 1e3 * prefill, 100 * in_prefill / prefill);
      seconds[std::string(link) + " decode"] = decode;
      seconds[std::string(link) + " prefill"] = prefill;
    }
    EXPECT_GT(seconds["400 prefill"] / seconds["900 prefill"], seconds["400 decode"] / seconds["900 decode"]);
    EXPECT_GE(seconds["400 decode"], seconds["900 decode"]);
  }
}

}  // namespace
