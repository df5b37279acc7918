#include "app/cli/decision_output.h"

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "data/errors.h"
#include "data/json_io.h"
#include "reports/paper.h"

namespace weir::cli {

std::vector<std::string> files_of(const ReportOptions& report) {
  return {report.html, report.csv.ends_with(".csv") ? report.csv : "", report.pdf, report.xlsx};
}

void require_paper(const ReportOptions& report) {
  // A build without a form throws at once, and says what it lacks.
  if (!report.pdf.empty() && !reports::can_write_pdf()) reports::decision_pdf({}, reports::Language::en);
  if (!report.xlsx.empty() && !reports::can_write_xlsx()) reports::decision_xlsx({}, reports::Language::en);
}

int give_decision(Output& output, const ReportOptions& report, const reports::Decision& decision,
                  reports::Language language) {
  output.json(reports::to_json(decision));
  add_csv(output, report.csv, decision);
  if (!report.html.empty()) output.file(report.html, reports::decision_html(decision, language));
  output.text(reports::decision_text(decision, terminal_width(), language));
  return decision.plan.feasible() ? kDone : kNothingMeetsTargets;
}

std::string give_paper(Output& output, const ReportOptions& report, const reports::Decision& decision,
                       reports::Language language) {
  std::string problem;
  const auto give = [&](const std::string& name, const auto& make) {
    if (name.empty()) return;
    try {
      output.file(name, make(decision, language));
    } catch (const data::SystemError& error) {
      problem = error.what();
    }
  };
  give(report.pdf, reports::decision_pdf);
  give(report.xlsx, reports::decision_xlsx);
  return problem;
}

void store_scenario(data::Project& project, const data::Scenario& scenario) {
  project.put_documents(reports::scenario_documents(scenario));
}

void store_decision(data::Project& project, const Inputs& inputs, const reports::Decision& decision) {
  if (inputs.trace) project.put_trace(*inputs.trace);
  std::vector<data::Document> documents = reports::scenario_documents(inputs.scenario);
  if (inputs.calibration) documents.push_back(reports::calibration_document(*inputs.calibration));
  documents.push_back(reports::plan_document(decision));
  project.put_documents(documents);
}

}  // namespace weir::cli
