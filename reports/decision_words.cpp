#include "reports/decision_view.h"
#include "reports/sentences.h"

namespace weir::reports {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::string without_vendor(const std::string& name) {
  for (const std::string_view vendor : {"NVIDIA ", "AMD ", "Intel "}) {
    if (name.starts_with(vendor)) return name.substr(vendor.size());
  }
  return name;
}

std::string hardware_short(const sim::PlanOption& option, Language language) {
  if (is_this_machine(option)) return say(language, "This machine");
  return option.hardware_name.empty() ? option.hardware : without_vendor(option.hardware_name);
}

std::string precision_text(data::Precision precision) {
  std::string text(data::to_string(precision));
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::string term_words(const std::string& term, Language language) {
  if (term == "on-demand") return say(language, "on demand");
  if (term == "reserved-1y") return say(language, "1 y");
  if (term == "reserved-3y") return say(language, "3 y");
  return term;
}

std::string tenure_words(const sim::PlanOption& option, const data::Scenario& scenario, Language language) {
  if (option.tenure != "cloud") return tenure_word(option, language);
  const std::string& term = scenario.cost.cloud_term;
  if (term == "on-demand") return say(language, "rented on demand");
  if (term == "reserved-1y") return say(language, "rented 1 y");
  if (term == "reserved-3y") return say(language, "rented 3 y");
  return tenure_word(option, language);
}

std::string tenure_word(const sim::PlanOption& option, Language language) {
  if (option.tenure == "owned") return say(language, "owned");
  if (option.tenure == "cloud") return say(language, "rented");
  return option.tenure;
}

std::string evidence_word(data::Evidence evidence, Language language) {
  switch (evidence) {
    case data::Evidence::measured_here:
      return say(language, "measured");
    case data::Evidence::measured_elsewhere:
      return say(language, "published");
    case data::Evidence::fitted:
      return say(language, "fitted");
    case data::Evidence::datasheet:
      return say(language, "datasheet");
    case data::Evidence::assumption:
      break;
  }
  return say(language, "assumed");
}

std::string evidence_long_word(data::Evidence evidence, Language language) {
  switch (evidence) {
    case data::Evidence::measured_here:
      return say(language, "measured here");
    case data::Evidence::measured_elsewhere:
      return say(language, "published measurement");
    case data::Evidence::fitted:
      return say(language, "fitted to published measurements");
    case data::Evidence::datasheet:
      return say(language, "datasheet or price list");
    case data::Evidence::assumption:
      break;
  }
  return say(language, "assumption");
}

std::string payback_text(const sim::PlanOption& option, Language language) {
  if (option.tenure != "owned" || !option.cost) return "";
  return option.break_even_month ? std::to_string(*option.break_even_month) : say(language, "never");
}

std::string horizon_tco(const sim::PlanResult& plan, Language language) {
  const int months = plan.horizon_months;
  if (months % 12 == 0) return say(language, "{years}-year TCO", {{"years", std::to_string(months / 12)}});
  return say(language, "TCO over {months} months", {{"months", std::to_string(months)}});
}

std::string typeset(std::string text, Spelling spelling) {
  if (spelling == Spelling::typographic) {
    replace_all(text, " x ", " \u00d7 ");
    replace_all(text, " >= ", " \u2265 ");
    replace_all(text, " <= ", " \u2264 ");
  }
  return text;
}

std::string engine_text(const std::string& english, Spelling spelling, Language language) {
  return typeset(translate(language, english), spelling);
}

}  // namespace weir::reports
