#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/output.h"
#include "app/cli/progress_bar.h"
#include "data/import/trace_import.h"
#include "reports/format.h"
#include "reports/text_table.h"

namespace weir::cli {
namespace {

struct ImportArguments {
  CommonOptions common;
  data::ImportOptions import;
  std::string file;
};

struct ReasonGroup {
  std::string reason;
  std::int64_t rows = 0;
  std::string first_lines;
};

/// The kept rejections by reason, most frequent first, each with its first lines.
std::vector<ReasonGroup> grouped_reasons(const data::Trace& trace) {
  constexpr int kLinesShown = 5;
  std::vector<ReasonGroup> groups;
  for (const data::RejectedRow& row : trace.rejected) {
    auto found =
        std::find_if(groups.begin(), groups.end(), [&](const ReasonGroup& g) { return g.reason == row.reason; });
    if (found == groups.end()) found = groups.insert(groups.end(), ReasonGroup{row.reason, 0, ""});
    if (++found->rows <= kLinesShown) {
      found->first_lines += (found->first_lines.empty() ? "" : ", ") + std::to_string(row.line);
    } else if (found->rows == kLinesShown + 1) {
      found->first_lines += ", ...";
    }
  }
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.rows > b.rows; });
  return groups;
}

void add_statistics(reports::TextTable& table, const std::string& name, const data::ColumnStatistics& s) {
  // Counts are exact; percentiles are interpolated between counts.
  const auto count = [](double value) { return reports::grouped_fixed(value, 0); };
  const auto text = [](double value) { return reports::grouped_fixed(value, value == std::floor(value) ? 0 : 3); };
  table.add({name, count(s.sum), text(s.mean), text(s.p50), text(s.p90), text(s.p95), text(s.p99), count(s.max)});
}

std::string arrival_text(const data::Trace& trace) {
  const data::ArrivalStatistics a = trace.arrival_statistics();
  std::string text = "Span " + reports::span_text(trace.span_s()) + " (" + reports::shortest(trace.span_s()) + " s)";
  if (a.rate_per_s) text += ", " + reports::significant(*a.rate_per_s, 5) + " requests/s";
  if (a.cv) text += ", CV of the gaps " + reports::significant(*a.cv, 4);
  if (a.dispersion_1s) text += ", variance/mean of 1 s counts " + reports::significant(*a.dispersion_1s, 4);
  if (a.busiest_minute) text += ", busiest minute " + reports::grouped(*a.busiest_minute);
  if (a.resolution_s) text += ", time resolution " + reports::seconds_text(*a.resolution_s);
  return text;
}

std::string summary(const data::Trace& trace, int width) {
  std::string text = trace.name + ": " + trace.kind + ", format " + trace.format + "\n";
  text += reports::grouped(trace.rows.read) + " rows read: " + reports::grouped(trace.rows.imported) + " imported, " +
          reports::grouped(trace.rows.rejected) + " rejected, " + reports::grouped(trace.rows.blank) + " blank; " +
          reports::grouped(trace.demand_count()) + " requests of demand\n";
  const std::vector<ReasonGroup> groups = grouped_reasons(trace);
  if (!groups.empty()) {
    reports::TextTable rejected({{"Rejected because", false, 0}, {"Rows", true, 0}, {"First lines", false, 0}});
    for (const ReasonGroup& group : groups) {
      rejected.add({group.reason, reports::grouped(group.rows), group.first_lines});
    }
    text += "\n" + rejected.render(width);
    const auto listed = static_cast<std::int64_t>(trace.rejected.size());
    if (trace.rows.rejected > listed) text += "(of the first " + reports::grouped(listed) + " rejected rows)\n";
  }
  for (const std::string& warning : trace.warnings) text += reports::wrap_text(warning, width, "! ");
  reports::TextTable tokens({{"Tokens a request", false, 0},
                             {"Sum", true, 2},
                             {"Mean", true, 0},
                             {"P50", true, 0},
                             {"P90", true, 3},
                             {"P95", true, 3},
                             {"P99", true, 0},
                             {"Max", true, 0}});
  add_statistics(tokens, "input", trace.input_statistics());
  add_statistics(tokens, "output", trace.output_statistics());
  return text + "\n" + tokens.render(width) + "\n" + reports::wrap_text(arrival_text(trace), width);
}

int run_import(const ImportArguments& arguments) {
  Output output(arguments.common);
  output.prepare({});
  data::ImportOptions options = arguments.import;
  options.progress = make_progress(arguments.common.quiet);
  const data::Trace trace = data::import_trace(arguments.file, options);
  output.json(reports::import_summary(trace));
  output.text(summary(trace, terminal_width()));
  if (auto project = open_project(arguments.common, data::Project::Mode::create)) {
    project->put_trace(trace);
    output.text("Stored as \"" + trace.name + "\" in " + arguments.common.project + "\n");
  }
  output.write();
  return kDone;
}

}  // namespace

void add_import(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("import", "Read a foreign file and say what was read and what was refused");
  command->footer(
      "Formats: azure-llm-2023, vidur, plain-csv, plain-jsonl (found by themselves).\n"
      "A broken row is refused and counted; the rest is imported.\n"
      "Example:\n  weir import requests.csv --project chat.weir");
  const auto arguments = std::make_shared<ImportArguments>();
  command->add_option("FILE", arguments->file, "File to read")->required()->type_name("");
  command->add_option("--as", arguments->import.as, "Kind the file must be: trace")->type_name("KIND");
  command->add_option("--format", arguments->import.format, "Format, when it should not be guessed")->type_name("NAME");
  command
      ->add_option("--max-context", arguments->import.max_context_tokens,
                   "Longest input + output the model takes; longer requests are marked")
      ->type_name("TOKENS")
      ->check(CLI::PositiveNumber);
  command->add_flag("--keep-health", arguments->import.keep_health, "Import health checks too");
  add_common_options(*command, arguments->common);
  command->callback([&action, arguments] { action = [arguments] { return run_import(*arguments); }; });
}

}  // namespace weir::cli
