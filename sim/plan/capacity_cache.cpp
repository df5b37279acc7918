#include "sim/plan/capacity_cache.h"

#include <array>
#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace weir::sim {
namespace {

/// 128 bits of a stream of words: two mixers that share no constant.
class Digest {
 public:
  void add(std::uint64_t word) {
    a_ = std::rotl((a_ ^ word) * 0x9e3779b97f4a7c15U, 29) * 0xbf58476d1ce4e5b9U;
    b_ = (std::rotl(b_, 31) + word) * 0x94d049bb133111ebU;
    b_ ^= b_ >> 32U;
  }
  void add(std::string_view text) {
    add(text.size());
    for (std::size_t at = 0; at < text.size(); at += 8) {
      std::uint64_t word = 0;
      for (std::size_t i = at; i < std::min(at + 8, text.size()); ++i) {
        word = word << 8U | static_cast<unsigned char>(text[i]);
      }
      add(word);
    }
  }
  std::string text() const { return std::to_string(a_) + "." + std::to_string(b_); }

 private:
  std::uint64_t a_ = 0x243f6a8885a308d3U, b_ = 0x13198a2e03707344U;
};

std::uint64_t pack(std::int32_t high, std::int32_t low) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32U | static_cast<std::uint32_t>(low);
}

void add(Digest& digest, const PromptContent& content) {
  digest.add(pack(content.tokens_per_hash, static_cast<std::int32_t>(content.hashes.size())));
  digest.add(static_cast<std::uint64_t>(content.session));
  for (const std::uint64_t hash : content.hashes) digest.add(hash);
}

std::string digest_of(const RequestList& list) {
  Digest digest;
  std::unordered_map<const PromptContent*, std::uint64_t> contents;  // each is added once, then named by its number
  for (const SimRequest& r : list.requests) {
    digest.add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(r.client)));
    const auto [content, is_new] = contents.emplace(r.content, contents.size());
    digest.add(content->second);
    if (is_new && r.content != nullptr) add(digest, *r.content);
    digest.add(r.content == nullptr ? 0 : 1);
    digest.add(static_cast<std::uint64_t>(r.arrival.ticks()));
    digest.add(pack(r.input_tokens, r.output_tokens));
    digest.add(pack(r.items, r.class_index));
    digest.add(static_cast<std::uint64_t>(r.cancel_after.ticks()));
  }
  for (const std::string& name : list.class_names) digest.add(name);
  return digest.text();
}

/// The parts of a key, each with its length, so that no two lists of parts look the same.
class Key {
 public:
  Key& add(std::string_view text) {
    key_ += std::to_string(text.size()) + ":";
    key_ += text;
    return *this;
  }
  Key& add(double value) { return add(std::to_string(std::bit_cast<std::uint64_t>(value))); }
  Key& add(const data::Quantity& quantity) {
    add(quantity.value ? *quantity.value : -1.0).add(data::to_string(quantity.evidence));
    return add(quantity.source).add(quantity.note);
  }
  std::string take() { return std::move(key_); }

 private:
  std::string key_;
};

void add(Key& key, const data::Accelerator& a) {
  key.add(a.id).add(a.name).add(a.architecture).add(a.interconnect_name).add(a.form_factor);
  for (const data::Quantity* quantity :
       {&a.memory_bytes, &a.memory_bandwidth_bytes_per_s, &a.tdp_w, &a.idle_w, &a.interconnect_bytes_per_s,
        &a.pcie_bytes_per_s, &a.max_per_server, &a.compute_units}) {
    key.add(*quantity);
  }
  for (const auto& [precision, peak] : a.peak_flops_per_s) key.add(data::to_string(precision)).add(peak);
  key.add(a.chips_on_board);
}

void add(Key& key, const data::Model& m) {
  key.add(m.id).add(m.name).add(m.attention).add(m.source).add(m.family).add(static_cast<double>(m.kind));
  for (const int value : {m.layers,
                          m.hidden,
                          m.heads,
                          m.kv_heads,
                          m.head_dim,
                          m.intermediate,
                          m.vocabulary,
                          m.max_positions,
                          m.mlp_matrices,
                          m.tied_embeddings ? 1 : 0,
                          m.mixture_of_experts ? 1 : 0,
                          m.experts.count,
                          m.experts.active,
                          m.experts.intermediate,
                          m.experts.shared_intermediate,
                          m.experts.dense_layers,
                          m.latent.kv_rank,
                          m.latent.query_rank,
                          m.latent.nope_dim,
                          m.latent.rope_dim,
                          m.latent.value_dim,
                          m.sliding_window,
                          m.sliding_layers}) {
    key.add(value);
  }
  key.add(m.parameters).add(data::to_string(m.evidence));
}

/// The scenario without what no simulation of a fleet reads.
data::Scenario simulated_part(const CapacityTask& task) {
  data::Scenario scenario;
  scenario.name = task.scenario.name;
  scenario.workloads = {task.workload};
  scenario.workloads.front().growth_per_year = 0;
  scenario.serving = task.scenario.serving;
  scenario.fleet = task.scenario.fleet;
  scenario.candidates.max_replicas = task.scenario.candidates.max_replicas;
  return scenario;
}

}  // namespace

std::optional<Capacity> CapacityMemo::capacity() const {
  const std::lock_guard lock(mutex_);
  return capacity_;
}

void CapacityMemo::keep(const Capacity& capacity) {
  const std::lock_guard lock(mutex_);
  capacity_ = capacity;
}

std::optional<bool> CapacityMemo::carries(double factor) const {
  const std::lock_guard lock(mutex_);
  const auto found = carries_.find(factor);
  return found == carries_.end() ? std::nullopt : std::optional<bool>(found->second);
}

void CapacityMemo::keep_carries(double factor, bool carries) {
  const std::lock_guard lock(mutex_);
  carries_[factor] = carries;
}

std::shared_ptr<CapacityMemo> CapacityCache::memo(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    entries_.splice(entries_.begin(), entries_, found->second);
    return entries_.front().second;
  }
  entries_.emplace_front(key, std::make_shared<CapacityMemo>());
  by_key_[key] = entries_.begin();
  if (entries_.size() > most_) {
    by_key_.erase(entries_.back().first);
    entries_.pop_back();
  }
  return entries_.front().second;
}

std::size_t CapacityCache::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

CapacityKeys::CapacityKeys(const CapacityTask& task) {
  Key key;
  key.add(data::to_json(simulated_part(task)).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  key.add(digest_of(task.requests)).add(std::to_string(reinterpret_cast<std::uintptr_t>(&task.efficiency)));
  key.add(task.power_a).add(task.power_b).add(task.idle_share_of_tdp).add(std::to_string(task.seed));
  task_ = key.take();
}

std::string CapacityKeys::of(const Variant& variant) const {
  const ReplicaSpec& replica = variant.replica;
  Key key;
  add(key, replica.accelerator);
  add(key, replica.model);
  for (const data::Precision precision : {replica.weights, replica.activations, replica.kv, variant.precision}) {
    key.add(data::to_string(precision));
  }
  key.add(replica.engine).add(replica.tensor_parallel).add(replica.all_reduce_overlap);
  key.add(replica.pipeline_parallel).add(replica.micro_batches).add(replica.expert_parallel);
  key.add(replica.expert_skew).add(replica.sparse ? 1 : 0);
  if (replica.network) {
    key.add(replica.network->id).add(replica.network->kind).add(replica.network->adapter_bytes_per_s);
    key.add(replica.network->adapters_per_node);
  }
  if (variant.calibration != nullptr) {
    Digest digest;
    digest.add(
        data::to_json(*variant.calibration).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    key.add(digest.text());
  }
  return task_ + key.take();
}

}  // namespace weir::sim
