#pragma once

#include <string>

#include "data/catalog.h"
#include "data/json_reader.h"
#include "data/scenario.h"

namespace weir::data {

/// Reads weir.scenario/1. Each function throws InputError with file and JSON pointer.
class ScenarioReader {
 public:
  explicit ScenarioReader(const Catalog& catalog) : catalog_(catalog) {}

  Scenario scenario(const JsonReader& reader) const;

 private:
  Workload workload(const JsonReader& reader) const;
  ModelChoice model(const JsonReader& reader, WorkloadKind kind) const;
  std::string accelerator(const JsonReader& reader) const;
  Candidates candidates(const JsonReader& reader, const std::string& engine) const;
  DeploymentChoice deployment(const JsonReader& reader) const;
  std::vector<PoolChoice> pools(const JsonReader& reader) const;
  CostChoice cost(const JsonReader& reader) const;
  /// Key of cost.overrides in its canonical spelling, and its value.
  std::pair<std::string, double> override_of(const std::string& key, const JsonReader& reader) const;

  const Catalog& catalog_;
};

/// Parts that need no catalogue.
TraceReference read_trace_reference(const JsonReader& reader);
RequestClass read_request_class(const JsonReader& reader, WorkloadKind kind, bool workload_has_trace);
Serving read_serving(const JsonReader& reader, WorkloadKind kind);

}  // namespace weir::data
