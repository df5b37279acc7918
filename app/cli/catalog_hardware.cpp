#include "app/cli/catalog_view.h"
#include "reports/decision_view.h"
#include "reports/text_table.h"

namespace weir::cli {
namespace {

using Json = nlohmann::ordered_json;
using reports::say;

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

std::string list_text(const data::Catalog& catalog, TextStyle style) {
  const auto head = [&](std::string_view english) { return say(style.language, english); };
  reports::TextTable table({{head("Id"), false, 0},
                            {head("Name"), false, 4},
                            {head("Memory\n(GB)"), true, 0},
                            {head("Bandwidth\n(GB/s)"), true, 0},
                            {head("FP16\n(Tflop/s)"), true, 0},
                            {head("INT8\n(Top/s)"), true, 1},
                            {head("FP8\n(Tflop/s)"), true, 2},
                            {head("TDP\n(W)"), true, 0},
                            {head("Architecture"), false, 5}});
  for (const data::Accelerator& a : catalog.accelerators()) {
    table.add({a.id, a.name, scaled(a.memory_bytes, 1e9), scaled(a.memory_bandwidth_bytes_per_s, 1e9),
               peak(a, data::Precision::fp16), peak(a, data::Precision::int8), peak(a, data::Precision::fp8),
               scaled(a.tdp_w, 1), a.architecture});
  }
  return table.render(style.width) + "\n" +
         say(style.language, "Peaks are dense. One entry with the source of each value: weir catalog hardware NAME") +
         "\n";
}

std::string entry_text(const data::Accelerator& a, TextStyle style) {
  const auto in_words = [&](std::string_view english) { return say(style.language, english); };
  reports::TextTable table({{in_words("Value"), false, 0},
                            {"", true, 0},
                            {in_words("Unit"), false, 0},
                            {in_words("Known as"), false, 1},
                            {in_words("Source"), false, 0}});
  const auto add = [&](const std::string& what, const data::Quantity& q, double divisor, const char* unit) {
    if (q.source.empty() && !q.value) return;
    table.add({what, scaled(q, divisor), in_words(unit), reports::evidence_word(q.evidence, style.language), q.source});
  };
  add(in_words("memory size"), a.memory_bytes, 1e9, "GB");
  add(in_words("memory bandwidth"), a.memory_bandwidth_bytes_per_s, 1e9, "GB/s");
  for (const auto& [precision, q] : a.peak_flops_per_s)
    add(say(style.language, "peak {precision}", {{"precision", std::string(data::to_string(precision))}}), q, 1e12,
        "Tflop/s");
  add(in_words("power limit"), a.tdp_w, 1, "W");
  add(in_words("idle power"), a.idle_w, 1, "W");
  add(say(style.language, "interconnect, {name}",
          {{"name", in_words(a.interconnect_name.empty() ? "unknown" : a.interconnect_name)}}),
      a.interconnect_bytes_per_s, 1e9, "GB/s one way");
  add("PCIe", a.pcie_bytes_per_s, 1e9, "GB/s one way");
  add(in_words("cards in a server"), a.max_per_server, 1, "at most");
  add(in_words("compute units"), a.compute_units, 1, "");
  std::string aliases;
  for (const std::string& alias : a.aliases) aliases += (aliases.empty() ? "" : ", ") + alias;
  return a.id + ": " + a.name + ", " + a.architecture + "\n" +
         (aliases.empty() ? "" : reports::wrap_text(aliases, style.width, in_words("also known as "))) + "\n" +
         table.render(style.width);
}

}  // namespace

CatalogView hardware_view(const data::Catalog& catalog, const std::string& name, TextStyle style) {
  if (!name.empty()) {
    const data::Accelerator& a = catalog.accelerator(name);
    return {accelerator_json(a), entry_text(a, style)};
  }
  Json all = Json::array();
  for (const data::Accelerator& a : catalog.accelerators()) all.push_back(accelerator_json(a));
  return {std::move(all), list_text(catalog, style)};
}

}  // namespace weir::cli
