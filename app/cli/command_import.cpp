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

using reports::Language;
using reports::say;

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

std::string arrival_text(const data::Trace& trace, Language language) {
  const data::ArrivalStatistics a = trace.arrival_statistics();
  std::string text =
      say(language, "Span {span} ({seconds} s)",
          {{"span", reports::span_text(trace.span_s(), language)}, {"seconds", reports::shortest(trace.span_s())}});
  const auto add = [&](std::string_view english, const std::string& value) {
    text += say(language, ", ") + say(language, english, {{"value", value}});
  };
  if (a.rate_per_s) add("{value} requests/s", reports::significant(*a.rate_per_s, 5));
  if (a.cv) add("CV of the gaps {value}", reports::significant(*a.cv, 4));
  if (a.dispersion_1s) add("variance/mean of 1 s counts {value}", reports::significant(*a.dispersion_1s, 4));
  if (a.busiest_minute) add("busiest minute {value}", reports::grouped(*a.busiest_minute));
  if (a.resolution_s) add("time resolution {value}", reports::seconds_text(*a.resolution_s));
  return text;
}

/// Prefix hashes, sessions and clients, when there are any.
std::string prompts_text(const data::Trace& trace, Language language) {
  const data::PrefixStatistics p = trace.prefix_statistics();
  std::string text;
  if (p.hashes > 0) {
    text += say(language,
                "{hashes} prefix hashes of {tokens} tokens, {distinct} different: {share}% stood in an earlier row",
                {{"hashes", reports::grouped(p.hashes)},
                 {"tokens", reports::grouped(trace.tokens_per_hash)},
                 {"distinct", reports::grouped(p.distinct)},
                 {"share", reports::grouped_fixed(100 * p.seen_before().value_or(0), 2)}}) +
            "\n";
  }
  if (p.sessions > 0) text += say(language, "Sessions: {n}", {{"n", reports::grouped(p.sessions)}}) + "\n";
  if (p.clients > 0) text += say(language, "Clients: {n}", {{"n", reports::grouped(p.clients)}}) + "\n";
  return text;
}

std::string rejected_text(const data::Trace& trace, Language language, int width) {
  const std::vector<ReasonGroup> groups = grouped_reasons(trace);
  if (groups.empty()) return "";
  reports::TextTable rejected({{say(language, "Rejected because"), false, 0},
                               {say(language, "Rows"), true, 0},
                               {say(language, "First lines"), false, 0}});
  for (const ReasonGroup& group : groups) {
    rejected.add({reports::translate(language, group.reason), reports::grouped(group.rows), group.first_lines});
  }
  std::string text = "\n" + rejected.render(width);
  const auto listed = static_cast<std::int64_t>(trace.rejected.size());
  if (trace.rows.rejected > listed)
    text += say(language, "(of the first {rows} rejected rows)", {{"rows", reports::grouped(listed)}}) + "\n";
  return text;
}

std::string summary(const data::Trace& trace, Language language, int width) {
  std::string text = say(language, "{file}: {kind}, format {format}",
                         {{"file", trace.name}, {"kind", say(language, trace.kind)}, {"format", trace.format}}) +
                     "\n";
  text += say(language,
              "{read} rows read: {imported} imported, {rejected} rejected, {blank} blank; {demand} requests of demand",
              {{"read", reports::grouped(trace.rows.read)},
               {"imported", reports::grouped(trace.rows.imported)},
               {"rejected", reports::grouped(trace.rows.rejected)},
               {"blank", reports::grouped(trace.rows.blank)},
               {"demand", reports::grouped(trace.demand_count())}}) +
          "\n" + rejected_text(trace, language, width);
  for (const std::string& warning : trace.warnings)
    text += reports::wrap_text(reports::translate(language, warning), width, "! ");
  reports::TextTable tokens({{say(language, "Tokens a request"), false, 0},
                             {say(language, "Sum"), true, 2},
                             {say(language, "Mean"), true, 0},
                             {"P50", true, 0},
                             {"P90", true, 3},
                             {"P95", true, 3},
                             {"P99", true, 0},
                             {say(language, "Max"), true, 0}});
  add_statistics(tokens, say(language, "input"), trace.input_statistics());
  add_statistics(tokens, say(language, "output"), trace.output_statistics());
  return text + "\n" + tokens.render(width) + "\n" + reports::wrap_text(arrival_text(trace, language), width) +
         prompts_text(trace, language);
}

int run_import(const ImportArguments& arguments) {
  Output output(arguments.common);
  output.prepare({});
  data::ImportOptions options = arguments.import;
  options.progress = make_progress(arguments.common);
  const data::Trace trace = data::import_trace(arguments.file, options);
  output.json(reports::import_summary(trace));
  const Language language = arguments.common.language;
  output.text(summary(trace, language, terminal_width()));
  if (auto project = open_project(arguments.common, data::Project::Mode::create)) {
    project->put_trace(trace);
    output.text(say(language, "Stored as \"{name}\" in {project}",
                    {{"name", trace.name}, {"project", arguments.common.project}}) +
                "\n");
  }
  output.write();
  return kDone;
}

}  // namespace

void add_import(CLI::App& app, Action& action, Language language) {
  auto* command =
      app.add_subcommand("import", say(language, "Read a foreign file and say what was read and what was refused"));
  command->footer(say(language,
                      "Formats: azure-llm-2023, vidur, mooncake, plain-csv, plain-jsonl (found by themselves).\n"
                      "A broken row is refused and counted; the rest is imported.\n"
                      "Example:\n  weir import requests.csv --project chat.weir"));
  const auto arguments = std::make_shared<ImportArguments>();
  command->add_option(say(language, "FILE"), arguments->file, say(language, "File to read"))->required()->type_name("");
  command->add_option("--as", arguments->import.as, say(language, "Kind the file must be: trace"))
      ->type_name(say(language, "KIND"));
  command->add_option("--format", arguments->import.format, say(language, "Format, when it should not be guessed"))
      ->type_name(say(language, "NAME"));
  command
      ->add_option("--max-context", arguments->import.max_context_tokens,
                   say(language, "Longest input + output the model takes; longer requests are marked"))
      ->type_name(say(language, "TOKENS"))
      ->check(CLI::Range(1, 1'000'000'000));
  command
      ->add_option("--tokens-per-hash", arguments->import.tokens_per_hash,
                   say(language, "Tokens a prefix hash stands for, when their number does not tell"))
      ->type_name(say(language, "TOKENS"))
      ->check(CLI::Range(1, 1'000'000));
  command->add_flag("--keep-health", arguments->import.keep_health, say(language, "Import health checks too"));
  add_common_options(*command, arguments->common, language);
  command->callback([&action, arguments] { action = [arguments] { return run_import(*arguments); }; });
}

}  // namespace weir::cli
