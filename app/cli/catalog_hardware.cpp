#include "app/cli/catalog_view.h"
#include "reports/decision_view.h"
#include "reports/text_table.h"

namespace weir::cli {
namespace {

using Json = nlohmann::ordered_json;

Json quantity_json(const data::Quantity& quantity) {
  return {{"value", quantity.value ? Json(*quantity.value) : Json(nullptr)},
          {"evidence", data::to_string(quantity.evidence)},
          {"source", quantity.source},
          {"note", quantity.note.empty() ? Json(nullptr) : Json(quantity.note)}};
}

Json accelerator_json(const data::Accelerator& a) {
  Json peaks = Json::object();
  for (const auto& [precision, peak] : a.peak_flops_per_s)
    peaks[std::string(data::to_string(precision))] = quantity_json(peak);
  return {{"id", a.id},
          {"name", a.name},
          {"vendor", a.vendor},
          {"architecture", a.architecture},
          {"aliases", a.aliases},
          {"memory_bytes", quantity_json(a.memory_bytes)},
          {"memory_bandwidth_bytes_per_s", quantity_json(a.memory_bandwidth_bytes_per_s)},
          {"peak_flops_per_s", std::move(peaks)},
          {"tdp_w", quantity_json(a.tdp_w)},
          {"idle_w", quantity_json(a.idle_w)},
          {"interconnect", a.interconnect_name},
          {"interconnect_bytes_per_s", quantity_json(a.interconnect_bytes_per_s)},
          {"pcie_bytes_per_s", quantity_json(a.pcie_bytes_per_s)},
          {"max_per_server", quantity_json(a.max_per_server)},
          {"compute_units", quantity_json(a.compute_units)}};
}

std::string scaled(const data::Quantity& quantity, double divisor) {
  return quantity.value ? reports::trimmed(*quantity.value / divisor, 4) : "-";
}

std::string peak(const data::Accelerator& a, data::Precision precision) {
  const auto found = a.peak_flops_per_s.find(precision);
  return found == a.peak_flops_per_s.end() ? "-" : scaled(found->second, 1e12);
}

std::string list_text(const data::Catalog& catalog, int width) {
  reports::TextTable table({{"Id", false, 0},
                            {"Name", false, 4},
                            {"Memory\n(GB)", true, 0},
                            {"Bandwidth\n(GB/s)", true, 0},
                            {"FP16\n(Tflop/s)", true, 0},
                            {"INT8\n(Top/s)", true, 1},
                            {"FP8\n(Tflop/s)", true, 2},
                            {"TDP\n(W)", true, 0},
                            {"Architecture", false, 5}});
  for (const data::Accelerator& a : catalog.accelerators()) {
    table.add({a.id, a.name, scaled(a.memory_bytes, 1e9), scaled(a.memory_bandwidth_bytes_per_s, 1e9),
               peak(a, data::Precision::fp16), peak(a, data::Precision::int8), peak(a, data::Precision::fp8),
               scaled(a.tdp_w, 1), a.architecture});
  }
  return table.render(width) +
         "\nPeaks are dense. One entry with the source of each value: weir catalog hardware NAME\n";
}

std::string entry_text(const data::Accelerator& a, int width) {
  reports::TextTable table(
      {{"Value", false, 0}, {"", true, 0}, {"Unit", false, 0}, {"Known as", false, 1}, {"Source", false, 0}});
  const auto add = [&](const std::string& what, const data::Quantity& q, double divisor, const char* unit) {
    if (q.source.empty() && !q.value) return;
    table.add({what, scaled(q, divisor), unit, std::string(reports::evidence_word(q.evidence)), q.source});
  };
  add("memory", a.memory_bytes, 1e9, "GB");
  add("memory bandwidth", a.memory_bandwidth_bytes_per_s, 1e9, "GB/s");
  for (const auto& [precision, q] : a.peak_flops_per_s)
    add("peak " + std::string(data::to_string(precision)), q, 1e12, "Tflop/s");
  add("power limit", a.tdp_w, 1, "W");
  add("idle power", a.idle_w, 1, "W");
  add("interconnect, " + (a.interconnect_name.empty() ? "unknown" : a.interconnect_name), a.interconnect_bytes_per_s,
      1e9, "GB/s one way");
  add("PCIe", a.pcie_bytes_per_s, 1e9, "GB/s one way");
  add("cards in a server", a.max_per_server, 1, "at most");
  add("compute units", a.compute_units, 1, "");
  std::string aliases;
  for (const std::string& alias : a.aliases) aliases += (aliases.empty() ? "" : ", ") + alias;
  return a.id + ": " + a.name + ", " + a.architecture + "\n" +
         (aliases.empty() ? "" : reports::wrap_text(aliases, width, "also known as ")) + "\n" + table.render(width);
}

}  // namespace

CatalogView hardware_view(const data::Catalog& catalog, const std::string& name, int width) {
  if (!name.empty()) {
    const data::Accelerator& a = catalog.accelerator(name);
    return {accelerator_json(a), entry_text(a, width)};
  }
  Json all = Json::array();
  for (const data::Accelerator& a : catalog.accelerators()) all.push_back(accelerator_json(a));
  return {std::move(all), list_text(catalog, width)};
}

}  // namespace weir::cli
