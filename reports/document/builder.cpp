#include "reports/document/builder.h"

#include <nlohmann/json.hpp>

#include "data/embedded.h"

namespace weir::reports::document {
namespace {

std::string read_price_date() {
  for (const data::EmbeddedFile& file : data::embedded_files()) {
    if (file.path == "catalog/prices.json") return nlohmann::json::parse(file.text).at("date").get<std::string>();
  }
  throw std::logic_error("no price catalogue is embedded");
}

/// Of the price catalogue.
const std::string& price_date() {
  static const std::string date = read_price_date();
  return date;
}

}  // namespace

Cell text_cell(std::string text) {
  Cell cell;
  cell.text = std::move(text);
  return cell;
}

Cell quiet_cell(std::string text) {
  Cell cell;
  cell.muted = std::move(text);
  return cell;
}

Cell option_cell(const Source& in, const sim::PlanOption& option) {
  Cell cell = text_cell(hardware_short(option, in.language));
  cell.strong = &option == recommended(in.plan);
  if (option.feasible) {
    cell.muted = tenure_words(option, in.plan.scenario, in.language);
  } else if (is_this_machine(option)) {
    cell.muted = in.say("measured here");
  }
  cell.marker = Marker{hardware_shape(option.hardware),
                       option.feasible ? tenure_role(option) : charts::Role::text_secondary, !option.feasible};
  return cell;
}

Cell number_cell(const std::optional<double>& value, double factor, int decimals) {
  return text_cell(value ? grouped_fixed(*value * factor, decimals, Spelling::typographic) : kNothing);
}

Row sentence_row(std::size_t columns, Cell first, Cell second, Cell sentence) {
  sentence.span = static_cast<int>(columns) - 2;
  Row row;
  row.cells = {std::move(first), std::move(second), std::move(sentence)};
  return row;
}

Document decision_document(const Decision& decision, Language language) {
  const sim::PlanResult& plan = decision.plan;
  const Source in{decision, plan, shortlist(plan), language};
  Document document;
  document.language = language;
  document.title = in_language(language, plan.scenario.title, plan.scenario.name);
  document.subject = in.say("GPU inference: capacity and cost");
  document.date = price_date();
  document.footer =
      in.say("Weir {version}, scenario {name}, seed {seed}, prices of {date}", {{"version", decision.weir_version},
                                                                                {"name", plan.scenario.name},
                                                                                {"seed", std::to_string(plan.seed)},
                                                                                {"date", document.date}});
  document.sections = {cover(in),         decision_section(in), support_section(in), cost_section(in),
                       input_section(in), timing_section(in),   options_section(in), method_section(in)};
  std::erase_if(document.sections, [](const Section& section) { return section.blocks.empty(); });
  return document;
}

}  // namespace weir::reports::document
