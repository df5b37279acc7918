#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "sim/plan/capacity.h"

namespace weir::sim {

/// What was simulated for one variant under one demand. Thread-safe.
class CapacityMemo {
 public:
  std::optional<Capacity> capacity() const;  ///< without the load factor
  void keep(const Capacity& capacity);
  /// Whether that fleet carries this multiple of the load within the targets.
  std::optional<bool> carries(double factor) const;
  void keep_carries(double factor, bool carries);

 private:
  mutable std::mutex mutex_;
  std::optional<Capacity> capacity_;
  std::map<double, bool> carries_;
};

/// Capacities from one plan to the next: a change that no simulation depends on (a price, the horizon) re-plans without
/// one. The most recently used are kept. Thread-safe. Use one cache with one efficiency table.
class CapacityCache {
 public:
  explicit CapacityCache(std::size_t most = 512) : most_(most) {}

  /// The memo under this key, a new one when it is not known.
  std::shared_ptr<CapacityMemo> memo(const std::string& key);
  std::size_t size() const;

 private:
  using Entry = std::pair<std::string, std::shared_ptr<CapacityMemo>>;
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  ///< the latest first
  std::map<std::string, std::list<Entry>::iterator, std::less<>> by_key_;
};

/// Names everything that find_capacity rests on: demand, workload and its targets, serving, seed, power curve, and of a
/// variant hardware, model, precisions, parallelism, engine and calibration. Not: prices, candidates, growth, horizon.
class CapacityKeys {
 public:
  explicit CapacityKeys(const CapacityTask& task);
  std::string of(const Variant& variant) const;

 private:
  std::string task_;
};

}  // namespace weir::sim
