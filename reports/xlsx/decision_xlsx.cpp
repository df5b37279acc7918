#include <algorithm>

#include "data/catalog.h"
#include "reports/decision_view.h"
#include "reports/paper.h"
#include "reports/xlsx/option_sheets.h"

namespace weir::reports {

namespace {

/// Day of the newest price of the catalogue: a workbook has no clock.
std::string price_date() {
  std::string newest;
  constexpr std::size_t kDay = 10;  // "2026-05-01"; some prices are only known to be of a month or year
  for (const data::PricePoint& price : data::Catalog::builtin().prices()) {
    if (price.date.size() == kDay) newest = std::max(newest, price.date);
  }
  return newest;
}

}  // namespace

bool can_write_xlsx() { return true; }

std::string decision_xlsx(const Decision& decision, Language language) {
  const sim::PlanResult& plan = decision.plan;
  xlsx::Book::About about;
  about.title = in_language(language, plan.scenario.title, plan.scenario.name);
  about.subject = translate(language, "GPU inference: capacity and cost");
  about.footer = about.title + ", Weir " + decision.weir_version;
  about.date = price_date();
  xlsx::Book book(about);
  xlsx::Sheet& answer = book.add_sheet(say(language, "Decision"));
  xlsx::write_options(book.add_sheet(say(language, "All options")), plan, language);
  const xlsx::InputNames names(plan);
  xlsx::write_inputs(book, plan, names, language);
  std::map<std::size_t, xlsx::CashFlow> flows;
  for (const std::size_t i : shortlist(plan).rows) {
    const sim::PlanOption& option = plan.options[i];
    if (option.cost) flows[i] = xlsx::write_cash_flow(book, plan, option, names, language);
  }
  xlsx::write_decision(answer, decision, flows, language);
  return book.bytes();
}

}  // namespace weir::reports
