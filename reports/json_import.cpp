#include <nlohmann/json.hpp>

#include "reports/json_parts.h"
#include "reports/report.h"

namespace weir::reports {
namespace {

using parts::Json;
using parts::number;
using parts::or_null;

Json column(const data::ColumnStatistics& s) {
  const bool any = s.n > 0;
  const auto value = [&](double v) { return any ? number(v) : Json(nullptr); };
  return {{"sum", number(s.sum)}, {"mean", value(s.mean)}, {"p50", value(s.p50)}, {"p90", value(s.p90)},
          {"p95", value(s.p95)},  {"p99", value(s.p99)},   {"max", value(s.max)}};
}

}  // namespace

nlohmann::ordered_json import_summary(const data::Trace& trace) {
  Json json;
  json["schema"] = "weir.import/1";
  json["name"] = trace.name;
  json["kind"] = trace.kind;
  json["format"] = trace.format;
  json["rows"] = {{"read", trace.rows.read},
                  {"imported", trace.rows.imported},
                  {"rejected", trace.rows.rejected},
                  {"blank", trace.rows.blank}};
  Json rejected = Json::array();
  for (const data::RejectedRow& row : trace.rejected) rejected.push_back({{"line", row.line}, {"reason", row.reason}});
  json["rejected"] = std::move(rejected);
  json["warnings"] = trace.warnings;
  json["origin"] = or_null(trace.origin);
  json["span_s"] = number(trace.span_s());
  json["requests"] = trace.demand_count();
  json["classes"] = trace.class_names;
  json["input_tokens"] = column(trace.input_statistics());
  json["output_tokens"] = column(trace.output_statistics());
  const data::ArrivalStatistics arrival = trace.arrival_statistics();
  json["arrival"] = {{"rate_per_s", or_null(arrival.rate_per_s)},
                     {"cv", or_null(arrival.cv)},
                     {"resolution_s", or_null(arrival.resolution_s)},
                     {"busiest_minute", or_null(arrival.busiest_minute)},
                     {"dispersion_1s", or_null(arrival.dispersion_1s)},
                     {"most_at_once", arrival.most_at_once},
                     {"ties", arrival.ties},
                     {"step_s", or_null(arrival.step_s)}};
  const data::PrefixStatistics prefix = trace.prefix_statistics();
  json["prefix"] = {{"tokens_per_hash", prefix.hashes > 0 ? Json(trace.tokens_per_hash) : Json(nullptr)},
                    {"hashes", prefix.hashes},
                    {"distinct", prefix.distinct},
                    {"seen_before", or_null(prefix.seen_before())},
                    {"sessions", prefix.sessions},
                    {"clients", prefix.clients}};
  return json;
}

}  // namespace weir::reports
