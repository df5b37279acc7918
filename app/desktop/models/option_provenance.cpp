#include "app/desktop/models/option_provenance.h"

#include <QStringList>

#include "reports/decision_view.h"
#include "reports/format.h"

namespace weir::desktop {
namespace {

using reports::Language;
using reports::Spelling;

/// Lines in one language.
class Lines {
 public:
  explicit Lines(Language language) : language_(language) {}

  void say(const char* english, reports::Values values = {}) { add(reports::say(language_, english, values)); }
  /// A finished sentence of the engine.
  void engine(const std::string& english) {
    if (!english.empty()) add(reports::engine_text(english, Spelling::typographic, language_));
  }
  void evidence(data::Evidence evidence) {
    say("weakest part: {evidence}", {{"evidence", reports::evidence_long_word(evidence, language_)}});
  }
  void add(const std::string& text) { lines_.append(QString::fromStdString(text)); }
  QString take() const { return lines_.join(QLatin1Char('\n')); }
  Language language() const { return language_; }

 private:
  Language language_;
  QStringList lines_;
};

std::string money(double amount, const sim::PlanResult& plan, Language language) {
  return reports::money_full(amount, plan.currency, Spelling::typographic, language);
}

void add_notes(Lines& lines, const std::vector<sim::EvidenceNote>& notes) {
  for (const sim::EvidenceNote& note : notes) {
    lines.say("{what}: {evidence}, {source}",
              {{"what", reports::engine_text(note.what, Spelling::typographic, lines.language())},
               {"evidence", reports::evidence_word(note.evidence, lines.language())},
               {"source", reports::engine_text(note.source, Spelling::typographic, lines.language())}});
  }
}

}  // namespace

QString option_lines(const sim::PlanResult& plan, const sim::PlanOption& option, Language language) {
  Lines lines(language);
  lines.say("{hardware}, {tenure}", {{"hardware", reports::hardware_short(option, language)},
                                     {"tenure", reports::tenure_words(option, plan.scenario, language)}});
  lines.say("{precision}, tensor parallel {ranks}, engine {engine}",
            {{"precision", reports::precision_text(option.precision)},
             {"ranks", std::to_string(option.tensor_parallel)},
             {"engine", option.engine}});
  lines.say("quality: {quality}", {{"quality", reports::translate(language, option.quality)}});
  if (!option.feasible) lines.add(reports::why_not_eligible(option, Spelling::typographic, language));
  if (option.feasible && !option.cost) lines.engine(option.why_no_price);
  return lines.take();
}

QString simulation_lines(const sim::PlanResult& plan, const sim::PlanOption& option, Language language) {
  Lines lines(language);
  const sim::RunResult& run = *option.run;
  lines.say("simulated: {requests} requests on {replicas} replicas",
            {{"requests", reports::grouped(run.requests.offered)}, {"replicas", std::to_string(run.replicas)}});
  for (const sim::SloTarget& target : run.slo.targets) {
    lines.say("{class}, {target}: {value}, limit {limit}",
              {{"class", target.class_name},
               {"target", reports::target_name(target)},
               {"value", target.value_s ? reports::seconds_text(*target.value_s, Spelling::typographic) : "–"},
               {"limit", reports::seconds_text(target.limit_s, Spelling::typographic)}});
  }
  lines.evidence(reports::timing_evidence(option));
  add_notes(lines, run.evidence);
  (void)plan;
  return lines.take();
}

QString amount_lines(const sim::PlanResult& plan, const sim::PlanOption& option, double amount, Language language) {
  Lines lines(language);
  lines.add(money(amount, plan, language));
  for (const sim::CostLine& line : option.cost->lines) {
    lines.say("{name} {amount}: {formula}",
              {{"name", reports::words_of_key(line.key, language)},
               {"amount", money(line.total.units(), plan, language)},
               {"formula", reports::engine_text(line.formula, Spelling::typographic, language)}});
  }
  lines.evidence(option.cost->evidence);
  return lines.take();
}

QString range_lines(const sim::PlanResult& plan, const sim::PlanOption& option, Language language) {
  Lines lines(language);
  lines.add(money(option.cost->total.units(), plan, language));
  const auto range = option.range.find("tco");
  if (range != option.range.end()) {
    lines.say("P10–P90: {range}", {{"range", reports::money_range(range->second[0], range->second[2], plan.currency,
                                                                  Spelling::typographic, language)}});
    lines.say("from 1,000 draws of every uncertain input and of the timing error");
  }
  lines.evidence(option.cost->evidence);
  return lines.take();
}

QString per_unit_lines(const sim::PlanResult& plan, const sim::PlanOption& option, Language language) {
  Lines lines(language);
  const auto value = reports::cost_per_unit(plan, option);
  if (!value) return {};
  const std::string amount = reports::significant(*value, 3, Spelling::typographic) + "\u00a0" +
                             reports::currency_name(plan.currency, language);
  lines.say(reports::is_generative(plan) ? "{amount} per million output tokens" : "{amount} per thousand inferences",
            {{"amount", amount}});
  lines.say(
      "total cost {total} over what is served within the targets in {months} months",
      {{"total", money(option.cost->total.units(), plan, language)}, {"months", std::to_string(plan.horizon_months)}});
  lines.evidence(option.cost->evidence);
  return lines.take();
}

QString payback_lines(const sim::PlanResult& plan, const sim::PlanOption& option, Language language) {
  Lines lines(language);
  if (option.tenure != "owned") {
    lines.say("rented: nothing to pay back");
    return lines.take();
  }
  if (option.break_even_month) {
    lines.say("from month {month} on the total of owning is below that of renting the same hardware",
              {{"month", std::to_string(*option.break_even_month)}});
  } else {
    lines.say("renting the same hardware stays cheaper for all {months} months, or has no price",
              {{"months", std::to_string(plan.horizon_months)}});
  }
  lines.evidence(option.cost->evidence);
  return lines.take();
}

}  // namespace weir::desktop
