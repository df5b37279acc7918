#include "tests/field/vllm_fidelity/profile_files.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "data/errors.h"

namespace weir::field {
namespace {

using data::InputError;
constexpr double kMicro = 1e-6;

std::vector<std::string> cells_of(std::string line) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

/// A CSV file with a header; text and number cells by column.
class Table {
 public:
  Table(const std::filesystem::path& path, const std::vector<std::string>& columns) : file_(path.string()) {
    std::ifstream in(path);
    std::string line;
    if (!in || !std::getline(in, line)) throw InputError(file_, "", "", "the file can't be opened or is empty");
    const std::vector<std::string> header = cells_of(line);
    for (const std::string& name : columns) {
      const auto found = std::find(header.begin(), header.end(), name);
      if (found == header.end()) throw InputError(file_, "line 1", line, "expected a column " + name);
      index_[name] = static_cast<std::size_t>(found - header.begin());
    }
    for (std::size_t n = 2; std::getline(in, line); ++n) {
      if (line.empty() || line == "\r") continue;
      rows_.push_back(cells_of(line));
      if (rows_.back().size() != header.size()) {
        throw InputError(file_, "line " + std::to_string(n), line,
                         "expected " + std::to_string(header.size()) + " cells");
      }
    }
    if (rows_.empty()) throw InputError(file_, "", "", "expected at least one row");
  }

  const std::string& file() const { return file_; }
  std::size_t rows() const { return rows_.size(); }
  const std::string& text(std::size_t row, const std::string& column) const { return rows_[row][index_.at(column)]; }
  double number(std::size_t row, const std::string& column) const {
    const std::string& cell = text(row, column);
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || !(value >= 0)) {
      throw InputError(file_, "row " + std::to_string(row + 1) + ", " + column, cell, "expected a number >= 0");
    }
    return value;
  }
  std::int64_t count(std::size_t row, const std::string& column) const {
    return static_cast<std::int64_t>(number(row, column));
  }

 private:
  std::string file_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::vector<std::string>> rows_;
};

using Points = std::vector<std::pair<double, double>>;

std::map<std::string, Points> by_layer(const Table& table, const std::string& axis) {
  std::map<std::string, Points> layers;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    layers[table.text(i, "layer")].emplace_back(table.number(i, axis), table.number(i, "time_us") * kMicro);
  }
  return layers;
}

void need(const std::map<std::string, Points>& layers, const std::string& file,
          std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (!layers.contains(name)) throw InputError(file, "layer", name, "expected rows of this layer");
  }
}

std::filesystem::path shard_folder(const std::filesystem::path& folder, int tensor_parallel) {
  std::filesystem::path shard = folder / ("tp" + std::to_string(tensor_parallel));
  if (!std::filesystem::is_directory(shard)) {
    throw InputError(shard.string(), "", "", "expected the profile of this tensor parallelism");
  }
  return shard;
}

/// The constructors of tables refuse a point that is there twice, without knowing which file it came from.
template <class Make>
auto checked(const std::string& file, const Make& make) {
  try {
    return make();
  } catch (const std::logic_error& error) {
    throw InputError(file, "", error.what(), "expected every point once");
  }
}

sim::LinearCurve curve_of(const Points& points, const std::string& file) {
  return checked(file, [&] { return sim::LinearCurve(points); });
}

void read_dense(const std::filesystem::path& shard, bool experts, sim::KernelProfile& profile) {
  const Table table(shard / "dense.csv", {"layer", "tokens", "time_us"});
  auto layers = by_layer(table, "tokens");
  need(layers, table.file(), {"layernorm", "qkv_proj", "o_proj", "embedding", "final_layernorm"});
  if (!experts) need(layers, table.file(), {"gate_up_proj", "down_proj"});
  const std::set<std::string> of_step = {"embedding", "final_layernorm"};
  for (auto& [name, points] : layers) {
    auto& parts = of_step.contains(name) ? profile.per_step : profile.per_layer;
    const int calls = name == "layernorm" ? 2 : 1;  // before attention and before the MLP
    parts.push_back({name, curve_of(points, table.file()), calls});
  }
}

void read_per_sequence(const std::filesystem::path& shard, sim::KernelProfile& profile) {
  const Table table(shard / "per_sequence.csv", {"layer", "sequences", "time_us"});
  auto layers = by_layer(table, "sequences");
  need(layers, table.file(), {"lm_head", "sampler"});
  for (auto& [name, points] : layers) {
    profile.per_row.push_back({name, curve_of(points, table.file()), 1});
  }
}

void read_attention(const std::filesystem::path& shard, sim::KernelProfile& profile) {
  const Table table(shard / "attention.csv", {"prefill_chunk", "kv_prefill", "n_decode", "kv_decode", "time_us"});
  std::vector<sim::AttentionPoint> points;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    points.push_back({table.count(i, "prefill_chunk"), table.count(i, "kv_prefill"), table.count(i, "n_decode"),
                      table.count(i, "kv_decode"), table.number(i, "time_us") * kMicro});
  }
  profile.attention = checked(table.file(), [&] { return sim::AttentionTable(points); });
}

const std::vector<std::string> kExpertColumns = {"tokens", "activated_experts", "time_us"};

void read_experts(const std::filesystem::path& file, sim::KernelProfile& profile) {
  const Table table(file, kExpertColumns);
  std::vector<sim::ExpertTable::Point> points;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    points.push_back(
        {table.number(i, "tokens"), table.number(i, "activated_experts"), table.number(i, "time_us") * kMicro});
  }
  profile.experts = checked(table.file(), [&] { return sim::ExpertTable(points); });
}

}  // namespace

ProfileMeta read_profile_meta(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "meta.yaml";
  std::ifstream in(file);
  if (!in) throw InputError(file.string(), "", "", "the file can't be opened: expected the bf16 folder of a profile");
  ProfileMeta meta;
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos || line[0] == ' ') continue;
    std::string value = line.substr(colon + 2);
    while (!value.empty() && (value.back() == '\r' || value.back() == ' ')) value.pop_back();
    const std::string key = line.substr(0, colon);
    if (key == "gpu") meta.gpu = value;
    if (key == "model") meta.model = value;
  }
  if (meta.gpu.empty()) throw InputError(file.string(), "gpu", "", "expected the name of the accelerator");
  return meta;
}

sim::KernelProfile read_profile(const std::filesystem::path& folder, int tensor_parallel) {
  const std::filesystem::path shard = shard_folder(folder, tensor_parallel);
  const bool experts = std::filesystem::exists(shard / "moe.csv");
  sim::KernelProfile profile;
  read_dense(shard, experts, profile);
  read_per_sequence(shard, profile);
  read_attention(shard, profile);
  if (experts) read_experts(shard / "moe.csv", profile);
  return profile;
}

ExpertCounts read_expert_counts(const std::filesystem::path& folder, int tensor_parallel) {
  const Table table(shard_folder(folder, tensor_parallel) / "moe.csv", kExpertColumns);
  ExpertCounts counts;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const int chosen = static_cast<int>(table.count(i, "activated_experts"));
    counts.experts = std::max(counts.experts, chosen);
    if (table.count(i, "tokens") == 1) counts.per_token = chosen;
  }
  if (counts.per_token < 1) throw InputError(table.file(), "tokens", "1", "expected a row of one token");
  return counts;
}

}  // namespace weir::field
