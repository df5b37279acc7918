#include "reports/document/builder.h"

namespace weir::reports::document {
namespace {

Column column(std::string head, Align align = Align::left, double weight = 0) {
  Column c;
  c.head = std::move(head);
  c.align = align;
  c.weight = weight;
  return c;
}

std::string whole(sim::Money amount) { return grouped_fixed(amount.units(), 0, Spelling::typographic); }

Row total_row(const std::string& name, const std::string& formula, sim::Money amount) {
  Row row;
  row.total = true;
  row.cells = {text_cell(name), quiet_cell(formula), text_cell(whole(amount))};
  row.cells[0].strong = row.cells[2].strong = true;
  return row;
}

Table cost_lines(const Source& in, const sim::PlanOption& option) {
  Table table;
  table.id = "cost_lines." + std::to_string(option.rank);
  table.small = true;
  table.columns = {column(in.say("Line")), column(in.say("Formula with its numbers"), Align::left, 1),
                   column(in.say("Total\n({currency})", {{"currency", currency_name(in.plan.currency, in.language)}}),
                          Align::right)};
  for (const sim::CostLine& line : option.cost->lines) {
    Row row;
    row.cells = {text_cell(words_of_key(line.key, in.language)), quiet_cell(in.engine(line.formula)),
                 text_cell(whole(line.total))};
    table.rows.push_back(std::move(row));
  }
  table.rows.push_back(total_row("TCO", in.say("sum of the lines, undiscounted"), option.cost->total));
  table.rows.push_back(total_row("NPV", in.say("the same cash flow, discounted monthly"), option.cost->npv));
  return table;
}

void add_option(Section& section, const Source& in, const sim::PlanOption& option) {
  section.blocks.emplace_back(Heading{
      in.say("Option {rank}: {card}, {tenure}", {{"rank", std::to_string(option.rank)},
                                                 {"card", hardware_short(option, in.language)},
                                                 {"tenure", tenure_words(option, in.plan.scenario, in.language)}}),
      3});
  section.blocks.emplace_back(cost_lines(in, option));
}

std::string plain(double value) { return trimmed(value, 4, Spelling::typographic); }

Row input_row(const Source& in, const sim::CostInput& input) {
  const data::RangedQuantity& value = input.value;
  Row row;
  row.cells.push_back(text_cell(words_of_key(input.key, in.language)));
  row.cells.back().mark = value.evidence;
  row.cells.back().note = in.say("{evidence}; key {key} of cost.overrides",
                                 {{"evidence", evidence_long_word(value.evidence, in.language)}, {"key", input.key}});
  if (input.overridden) row.cells.back().muted = in.say("(yours)");
  row.cells.push_back(text_cell(plain(value.mid)));
  row.cells.push_back(
      text_cell(value.low == value.high ? std::string(kNothing) : plain(value.low) + "\u2013" + plain(value.high)));
  row.cells.push_back(quiet_cell(translate(in.language, value.unit)));
  row.cells.push_back(quiet_cell(in.engine(value.source)));
  return row;
}

}  // namespace

Section cost_section(const Source& in) {
  Section section;
  section.title = in.say("Cost, line by line");
  const sim::PlanOption* best = recommended(in.plan);
  if (best == nullptr || !best->cost) return section;
  section.blocks.emplace_back(Heading{section.title, 2});
  if (auto figure = parts_figure(in)) section.blocks.emplace_back(Figures{{std::move(*figure)}});
  add_option(section, in, *best);
  const sim::PlanOption* other = other_tenure(in.plan, *best);
  if (other != nullptr && other->cost) add_option(section, in, *other);
  return section;
}

Section input_section(const Source& in) {
  Section section;
  section.title = in.say("Inputs and their sources");
  if (in.plan.cost_inputs.empty()) return section;
  section.blocks.emplace_back(Heading{section.title, 2});
  section.blocks.emplace_back(Paragraph{
      in.say("Ranges are read as P5 to P95. Set your own values under cost.overrides of the scenario."), Tone::quiet});
  Table table;
  table.id = "inputs";
  table.small = true;
  table.mark_legend = true;
  table.columns = {column(in.say("Input"), Align::left, 1), column(in.say("Value"), Align::right),
                   column(in.say("Range"), Align::right), column(in.say("Unit")),
                   column(in.say("Source"), Align::left, 2)};
  for (const sim::CostInput& input : in.plan.cost_inputs) table.rows.push_back(input_row(in, input));
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace weir::reports::document
