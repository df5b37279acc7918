// Reading and writing of arrival processes.
#include "data/scenario_traffic.h"

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>

#include "data/json_reader.h"

namespace weir::data {
namespace {

using Json = nlohmann::ordered_json;

constexpr NumberRange kRate{0, 1e6, false, true}, kRateOrNone{0, 1e6}, kCv{0.01, 10}, kDuration{0, 1e7};

/// Which processes have a key of the arrivals.
struct KeyOf {
  std::string_view key;
  std::vector<std::string_view> processes;
};

const std::vector<KeyOf>& keys() {
  static const std::vector<KeyOf> all{
      {"rate_per_s", {"poisson", "gamma", "weibull", "periodic"}},
      {"cv", {"poisson", "gamma", "weibull", "rate-series"}},
      {"shape", {"weibull"}},
      {"daily_shape", {"poisson", "gamma", "weibull", "mmpp"}},
      {"weekly_shape", {"poisson", "gamma", "weibull", "mmpp"}},
      {"growth_per_year", {"poisson", "gamma", "weibull", "mmpp", "rate-series"}},
      {"states", {"mmpp"}},
      {"step_s", {"rate-series"}},
      {"rates_per_s", {"rate-series"}},
      {"file", {"rate-series"}},
      {"rate_scale", {"rate-series", "client-windows"}},
      {"clients", {"closed-loop"}},
      {"think_s", {"closed-loop"}},
      {"ramp_s", {"closed-loop"}},
      {"requests_per_client", {"closed-loop"}},
      {"files", {"client-windows"}},
      {"window_s", {"client-windows"}},
  };
  return all;
}

/// An empty list stands for a shape that is not there.
bool says_something(const JsonReader& value) { return !value.json().is_array() || !value.json().empty(); }

void refuse_other_keys(const ObjectReader& entry, const std::string& process) {
  for (const KeyOf& key : keys()) {
    if (std::find(key.processes.begin(), key.processes.end(), process) != key.processes.end()) continue;
    if (const auto value = entry.find(key.key); value && says_something(*value)) {
      value->fail("\"" + process + "\" arrivals have no such key");
    }
  }
}

std::vector<double> rates(const JsonReader& reader, std::size_t most, const std::string& none) {
  std::vector<double> all;
  const auto entries = reader.array();
  if (entries.size() > most) return std::vector<double>(entries.size());
  for (const JsonReader& rate : entries) all.push_back(rate.number({0, 1e9}));
  if (!all.empty() && *std::max_element(all.begin(), all.end()) <= 0) reader.fail(none);
  return all;
}

void read_shapes(const ObjectReader& entry, ArrivalProcess& to) {
  constexpr std::size_t kMostParts = 1440;  // minutes
  if (const auto shape = entry.find("daily_shape")) {
    to.daily_shape = rates(*shape, kMostParts, "a daily shape needs a rate above 0");
    if (to.daily_shape.size() > kMostParts) shape->fail("a daily shape has at most 1440 parts");
  }
  if (const auto shape = entry.find("weekly_shape"); shape && says_something(*shape)) {
    to.weekly_shape = rates(*shape, 168, "a weekly shape needs a rate above 0");
    if (to.weekly_shape.size() != 7 && to.weekly_shape.size() != 168) {
      shape->fail("a weekly shape has 7 parts (days) or 168 (hours)");
    }
    if (to.weekly_shape.size() == 168 && !to.daily_shape.empty()) {
      shape->fail("a week of hours has the daily shape in it; a week of days may have one beside it");
    }
  }
  to.growth_per_year = entry.number_or("growth_per_year", 0, {-1, 100, false, true});
}

void read_cv(const ObjectReader& entry, ArrivalProcess& to) {
  const auto cv = entry.find("cv");
  if (to.process == "poisson") {
    if (cv && cv->number(kPositive) != 1.0) cv->fail("a Poisson process has cv 1; \"gamma\" has another");
  } else if (to.process == "gamma") {
    if (!cv) entry.fail_at("cv", "missing; gamma arrivals need the CV of their gaps");
    to.cv = cv->number(kCv);
  } else if (to.process == "weibull") {
    const auto shape = entry.find("shape");
    if (cv.has_value() == shape.has_value()) {
      entry.fail_at("cv", "Weibull arrivals need the CV of their gaps or their shape, one of them");
    }
    if (cv) to.cv = cv->number(kCv);
    if (shape) to.weibull_shape = shape->number({0.2, 100});
  } else if (cv) {
    to.cv = cv->number(kCv);
  }
}

std::vector<MmppState> read_states(const JsonReader& reader) {
  std::vector<MmppState> states;
  const auto entries = reader.array();
  if (entries.size() < 2 || entries.size() > 100) reader.fail("an MMPP has from 2 to 100 states");
  double most = 0;
  for (const JsonReader& entry : entries) {
    const auto state = entry.object({"rate_per_s", "sojourn_s"});
    states.push_back({state.at("rate_per_s").number(kRateOrNone), state.at("sojourn_s").number({1e-3, 1e7})});
    most = std::max(most, states.back().rate_per_s);
  }
  if (most <= 0) reader.fail("an MMPP needs a state with a rate above 0");
  return states;
}

RateSeries read_series(const ObjectReader& entry) {
  constexpr std::size_t kMostSteps = 1'000'000;
  RateSeries series;
  const auto list = entry.find("rates_per_s"), file = entry.find("file");
  if (list.has_value() == file.has_value()) {
    entry.fail_at("rates_per_s", "a rate series needs rates_per_s or a file, one of them");
  }
  series.rate_scale = entry.number_or("rate_scale", 1, kRate);
  if (file) {
    if (entry.find("step_s")) entry.fail_at("step_s", "the file says its steps");
    series.file = file->text();
    return series;
  }
  const auto steps = list->non_empty_array();
  if (steps.size() > kMostSteps) list->fail("a rate series has at most 1000000 steps");
  for (const JsonReader& rate : steps) series.rates_per_s.push_back(rate.number(kRateOrNone));
  if (*std::max_element(series.rates_per_s.begin(), series.rates_per_s.end()) <= 0) {
    list->fail("a rate series needs a rate above 0");
  }
  const auto step = entry.at("step_s");
  series.step_s = step.number({1e-3, 1e7});
  if (series.step_s * static_cast<double>(steps.size()) > 1e7) step.fail("a rate series lasts at most 10000000 s");
  return series;
}

DurationDistribution read_duration(const JsonReader& reader) {
  const auto entry = reader.object({"distribution", "mean", "p99"});
  DurationDistribution result;
  result.distribution = entry.at("distribution").one_of({"fixed", "exponential", "lognormal"});
  const auto p99 = entry.find("p99");
  if (result.distribution != "lognormal") {
    result.mean_s = entry.at("mean").number(kDuration);
    if (p99) p99->fail("only a lognormal time has a p99");
    return result;
  }
  result.mean_s = entry.at("mean").number({0, 1e7, false, true});
  result.p99_s = entry.at("p99").number({result.mean_s, 14.9 * result.mean_s, false, true});
  return result;
}

ClosedLoop read_closed_loop(const ObjectReader& entry) {
  constexpr std::int64_t kMostRequests = 1'000'000'000;
  ClosedLoop loop;
  loop.clients = entry.at("clients").small_integer(1, 1'000'000);
  loop.think = read_duration(entry.at("think_s"));
  loop.ramp_s = entry.number_or("ramp_s", 0, kDuration);
  loop.requests_per_client =
      entry.integer_or("requests_per_client", std::max(20, 200'000 / loop.clients), 1, 1'000'000'000);
  if (std::int64_t{loop.clients} * loop.requests_per_client > kMostRequests) {
    entry.fail_at("requests_per_client", "all clients together send at most 1000000000 requests");
  }
  return loop;
}

ClientWindows read_client_windows(const ObjectReader& entry) {
  ClientWindows result;
  const auto files = entry.at("files");
  for (const JsonReader& file : files.non_empty_array()) result.files.push_back(file.text());
  if (result.files.size() > 10'000) files.fail("at most 10000 files of clients are read");
  if (const auto window = entry.find("window_s")) {
    const auto bounds = window->array();
    if (bounds.size() != 2) window->fail("expected [begin, end] in seconds");
    result.window_begin_s = bounds[0].number(kDuration);
    result.window_end_s = bounds[1].number({*result.window_begin_s, kDuration.high, false, true});
  }
  result.rate_scale = entry.number_or("rate_scale", 1, kRate);
  return result;
}

Json duration_json(const DurationDistribution& d) {
  Json json{{"distribution", d.distribution}, {"mean", d.mean_s}};
  if (d.p99_s) json["p99"] = *d.p99_s;
  return json;
}

void write_shapes(const ArrivalProcess& a, Json& json) {
  if (!a.weekly_shape.empty()) json["weekly_shape"] = a.weekly_shape;
  if (a.growth_per_year != 0) json["growth_per_year"] = a.growth_per_year;
}

}  // namespace

ArrivalProcess read_arrivals(const JsonReader& reader) {
  const auto entry = reader.object({"process", "rate_per_s", "cv", "shape", "daily_shape", "weekly_shape",
                                    "growth_per_year", "states", "step_s", "rates_per_s", "file", "rate_scale",
                                    "clients", "think_s", "ramp_s", "requests_per_client", "files", "window_s"});
  ArrivalProcess result;
  if (const auto process = entry.find("process")) {
    result.process = process->one_of(
        {"poisson", "gamma", "weibull", "periodic", "mmpp", "rate-series", "closed-loop", "client-windows"});
  }
  refuse_other_keys(entry, result.process);
  read_cv(entry, result);
  read_shapes(entry, result);
  if (result.process == "mmpp") {
    result.states = read_states(entry.at("states"));
  } else if (result.process == "rate-series") {
    result.series = read_series(entry);
  } else if (result.process == "closed-loop") {
    result.closed_loop = read_closed_loop(entry);
  } else if (result.process == "client-windows") {
    result.client_windows = read_client_windows(entry);
  } else {
    result.rate_per_s = entry.at("rate_per_s").number(kRate);
  }
  return result;
}

Sessions read_sessions(const JsonReader& reader) {
  const auto entry = reader.object({"turns", "think_s", "most_tokens"});
  Sessions result;
  result.turns = read_lengths(entry.at("turns"), "turns");
  result.think = read_duration(entry.at("think_s"));
  if (const auto most = entry.find("most_tokens")) result.most_tokens = most->small_integer(2, 1 << 24);
  return result;
}

Cancellation read_cancellation(const JsonReader& reader) {
  const auto entry = reader.object({"share", "after_s"});
  return {entry.at("share").number(kPositiveFraction), read_duration(entry.at("after_s"))};
}

Json to_json(const ArrivalProcess& a) {
  Json json{{"process", a.process}};
  if (a.closed_loop) {
    json["clients"] = a.closed_loop->clients;
    json["think_s"] = duration_json(a.closed_loop->think);
    json["ramp_s"] = a.closed_loop->ramp_s;
    json["requests_per_client"] = a.closed_loop->requests_per_client;
  } else if (a.client_windows) {
    json["files"] = a.client_windows->files;
    if (a.client_windows->window_begin_s) {
      json["window_s"] = Json::array({*a.client_windows->window_begin_s, *a.client_windows->window_end_s});
    }
    json["rate_scale"] = a.client_windows->rate_scale;
  } else if (a.series) {
    if (a.series->file.empty()) {
      json["step_s"] = a.series->step_s;
      json["rates_per_s"] = a.series->rates_per_s;
    } else {
      json["file"] = a.series->file;
    }
    json["rate_scale"] = a.series->rate_scale;
    json["cv"] = a.cv;
    write_shapes(a, json);
  } else if (!a.states.empty()) {
    for (const MmppState& s : a.states) {
      json["states"].push_back({{"rate_per_s", s.rate_per_s}, {"sojourn_s", s.sojourn_s}});
    }
    json["daily_shape"] = a.daily_shape;
    write_shapes(a, json);
  } else {
    json["rate_per_s"] = a.rate_per_s;
    a.weibull_shape ? json["shape"] = *a.weibull_shape : json["cv"] = a.cv;
    json["daily_shape"] = a.daily_shape;
    write_shapes(a, json);
  }
  return json;
}

Json to_json(const Sessions& s) {
  Json json{{"turns", to_json(s.turns)}, {"think_s", duration_json(s.think)}};
  if (s.most_tokens) json["most_tokens"] = *s.most_tokens;
  return json;
}

Json to_json(const Cancellation& c) { return {{"share", c.share}, {"after_s", duration_json(c.after)}}; }

}  // namespace weir::data
