#include <algorithm>
#include <set>

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

Cell met_cell(const Source& in, bool met) {
  Cell cell = text_cell(met ? in.say("met") : in.say("missed"));
  cell.problem = !met;
  return cell;
}

Table checks_table(const Source& in) {
  Table table;
  table.id = "checks";
  table.columns = {column(in.say("What ran"), Align::left, 1), column(in.say("Predicted"), Align::right),
                   column(in.say("Measured"), Align::right), column("\u00b1 MAD", Align::right),
                   column(in.say("Error (%)"), Align::right)};
  for (const LayerCheck& check : in.decision.checks) {
    const bool known = check.measured_s > 0;
    const double error = known ? (check.predicted_s / check.measured_s - 1) * 100 : 0;
    const std::string shown = grouped_fixed(error, 1, Spelling::typographic);
    Row row;
    row.cells = {text_cell(in.engine(check.what)), text_cell(in.seconds(check.predicted_s)),
                 text_cell(in.seconds(check.measured_s)),
                 text_cell(check.n > 1 ? in.seconds(check.measured_mad_s) : kNothing),
                 text_cell(!known      ? kNothing
                           : error > 0 ? "+" + shown
                                       : shown)};
    row.cells[2].mark = data::Evidence::measured_here;
    table.rows.push_back(std::move(row));
  }
  return table;
}

void add_checks(Section& section, const Source& in) {
  if (in.decision.checks.empty()) return;
  section.blocks.emplace_back(Heading{in.say("Predicted against measured, on this machine"), 2});
  std::vector<std::string> all;
  if (in.decision.calibration) {
    all.push_back(in.say("{device}, kernel set {name}.", {{"device", in.decision.calibration->device_name},
                                                          {"name", in.decision.calibration->kernel_set}}));
  }
  all.push_back(in.say(
      "These layers were run and timed here, and are not among the samples that the timing tables were fitted to."));
  section.blocks.emplace_back(Paragraph{sentences(all, in.language), Tone::quiet});
  if (in.decision.calibration && in.decision.calibration->contended)
    section.blocks.emplace_back(Paragraph{in.say("The machine was busy with other work."), Tone::problem});
  section.blocks.emplace_back(checks_table(in));
}

}  // namespace

Table targets_table(const Source& in, const sim::PlanOption& option) {
  Table table;
  table.id = "targets";
  table.columns = {column(in.say("Class")), column(in.say("Target")), column(in.say("Limit"), Align::right),
                   column(in.say("Option {rank}", {{"rank", std::to_string(option.rank)}}), Align::right),
                   column(in.say("Result"))};
  for (const sim::SloTarget& target : option.run->slo.targets) {
    Row row;
    row.cells = {text_cell(target.class_name), text_cell(target_name(target)), text_cell(in.seconds(target.limit_s)),
                 text_cell(target.value_s ? in.seconds(*target.value_s) : kNothing), met_cell(in, target.met)};
    table.rows.push_back(std::move(row));
  }
  for (const sim::ClassResult& c : option.run->classes) {
    if (!c.slo.attainment) continue;
    Row row;
    row.cells = {text_cell(c.name), text_cell(in.say("requests within all limits")),
                 text_cell("\u2265 " + in.share(c.slo.required_attainment)), text_cell(in.share(*c.slo.attainment)),
                 met_cell(in, *c.slo.attainment >= c.slo.required_attainment)};
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<TimingNote> timing_notes(const Source& in) {
  std::vector<std::size_t> order = in.list.rows;
  order.insert(order.end(), in.list.not_eligible.begin(), in.list.not_eligible.end());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return in.plan.options[a].hardware < in.plan.options[b].hardware;
  });
  std::vector<TimingNote> notes;
  std::set<std::string> seen;
  for (const std::size_t i : order) {
    const sim::PlanOption& option = in.plan.options[i];
    if (!option.run) continue;
    for (const sim::EvidenceNote& note : option.run->evidence) {
      if (seen.insert(option.hardware + "\n" + note.what + "\n" + note.source).second)
        notes.push_back({&option, &note});
    }
  }
  return notes;
}

Section timing_section(const Source& in) {
  Section section;
  section.title = in.say("How the times are known");
  add_checks(section, in);
  const std::vector<TimingNote> notes = timing_notes(in);
  if (notes.empty()) return section;
  section.blocks.emplace_back(Heading{section.title, 2});
  Table table;
  table.id = "timing";
  table.small = true;
  table.columns = {column(in.say("Card")), column(in.say("Part of the prediction"), Align::left, 1),
                   column(in.say("Known from"), Align::left, 2)};
  std::string last;
  for (const TimingNote& note : notes) {
    const std::string card = hardware_short(*note.option, in.language);
    Row row;
    row.cells = {text_cell(card == last ? "" : card), text_cell(in.engine(note.note->what)),
                 quiet_cell(in.engine(note.note->source))};
    row.cells[0].strong = true;
    row.cells[1].mark = note.note->evidence;
    table.rows.push_back(std::move(row));
    last = card;
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace weir::reports::document
