#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace weir::data {

class JsonReader;

/// A length of time that is drawn each time it is needed.
struct DurationDistribution {
  std::string distribution = "exponential";  ///< "fixed", "exponential", "lognormal"
  double mean_s = 0;                         ///< >= 0; lognormal: > 0
  std::optional<double> p99_s = {};          ///< lognormal only, > mean_s and at most 14.9 times it
};

/// Process "mmpp": while it is in this state, arrivals are Poisson of this rate. It stays an exponential time of mean
/// sojourn_s, then goes to one of the other states, each as likely.
struct MmppState {
  double rate_per_s = 0;  ///< >= 0, in one state > 0
  double sojourn_s = 0;   ///< > 0
};

/// Process "rate-series": the rate of one step after another, from time 0; begins again at its end.
struct RateSeries {
  double step_s = 0;                ///< > 0; of a list
  std::vector<double> rates_per_s;  ///< a list; each >= 0, one > 0
  std::string file;                 ///< instead of the list: CSV, relative to the scenario file
  double rate_scale = 1;            ///< > 0
};

/// Process "closed-loop": each client asks, waits for the answer, thinks, and asks again.
struct ClosedLoop {
  int clients = 1;               ///< 1 to 1,000,000
  DurationDistribution think;    ///< from the answer to the next request
  double ramp_s = 0;             ///< clients begin evenly over this time; 0 = all at once
  int requests_per_client = 20;  ///< it stops after so many
};

/// Process "client-windows": clients of ServeGen's format, each with its rate and CV for one window after another.
struct ClientWindows {
  std::vector<std::string> files;  ///< one a client: rows of start second, rate, CV, pattern; relative to the scenario
  std::optional<double> window_begin_s, window_end_s;
  double rate_scale = 1;  ///< of every client's rate; > 0
};

struct ArrivalProcess {
  /// "poisson", "gamma", "weibull" (independent gaps), "periodic" (equal gaps, as of cameras), "mmpp", "rate-series",
  /// "closed-loop", "client-windows".
  std::string process = "poisson";
  double rate_per_s = 0;  ///< > 0, the mean; not of the last four, which say it otherwise: 0
  double cv = 1;  ///< gamma, weibull, rate-series: standard deviation of the gaps over their mean, in [0.01, 10]
  /// Relative rates of the equal parts of a day, which begins at time 0 (24: by the hour). Only their ratios count: the
  /// mean stays rate_per_s. At most 1,440, each >= 0, one > 0; empty = an even rate.
  std::vector<double> daily_shape = {};
  /// The same for a week from time 0: 7 parts, which may have a daily shape each, or 168.
  std::vector<double> weekly_shape = {};
  double growth_per_year = 0;                        ///< of the rate, from time 0; > -1
  std::optional<double> weibull_shape = {};          ///< weibull: instead of cv
  std::vector<MmppState> states = {};                ///< mmpp
  std::optional<RateSeries> series = {};             ///< rate-series
  std::optional<ClosedLoop> closed_loop = {};        ///< closed-loop
  std::optional<ClientWindows> client_windows = {};  ///< client-windows
};

/// Token counts of a class that has no trace, and other counts.
struct LengthDistribution {
  std::string distribution = "fixed";  ///< "fixed", "lognormal", "geometric", "zipf", "empirical"
  double mean = 0;                     ///< fixed, lognormal, geometric: >= 1
  std::optional<double> p99 = {};      ///< lognormal only, > mean
  double exponent = 0;                 ///< zipf: the probability of k is as k^-exponent; in [0, 10]
  int least = 1, most = 0;             ///< zipf: bounds of k
  std::vector<double> values = {};     ///< empirical: a table
  std::vector<double> weights = {};    ///< of the values; empty = equal
  std::string file = {};               ///< empirical: instead of the table a trace, of which
  std::string column = {};             ///< this column is taken: "input_tokens" or "output_tokens"
};

/// A class whose requests are first turns of conversations. Turn k reads all that was read and written before, and new
/// text of `input_tokens`; it comes a think time after the answer to turn k - 1.
struct Sessions {
  LengthDistribution turns;             ///< of one conversation
  DurationDistribution think;           ///< from an answer to the next turn
  std::optional<int> most_tokens = {};  ///< a conversation ends before input and output of a turn pass this
};

/// The arrivals of a class are those of many clients, each a process of the class's kind at a rate of its own.
struct ClientMix {
  int count = 1;                                     ///< 1 to 1,000,000
  std::string rates = "equal";                       ///< "equal"; "zipf": as i^-exponent; "lognormal": by p99_over_mean
  double exponent = 1;                               ///< zipf; in [0, 10]
  double p99_over_mean = 1;                          ///< lognormal; in (1, 14.9]
  std::optional<double> lengths_p99_over_mean = {};  ///< each client's token counts are those of the class times a
                                                     ///< lognormal factor of mean 1; in (1, 14.9]; empty = 1
};

/// Clients that hang up.
struct Cancellation {
  double share = 0;            ///< of the requests, in (0, 1]
  DurationDistribution after;  ///< from arrival
};

ArrivalProcess read_arrivals(const JsonReader& reader);
/// A distribution of `what` ("input_tokens", "output_tokens" are also the columns of a trace; "turns").
LengthDistribution read_lengths(const JsonReader& reader, const std::string& what);
Sessions read_sessions(const JsonReader& reader);
ClientMix read_client_mix(const JsonReader& reader);
Cancellation read_cancellation(const JsonReader& reader);

nlohmann::ordered_json to_json(const ArrivalProcess& arrivals);
nlohmann::ordered_json to_json(const LengthDistribution& lengths);
nlohmann::ordered_json to_json(const Sessions& sessions);
nlohmann::ordered_json to_json(const ClientMix& mix);
nlohmann::ordered_json to_json(const Cancellation& cancellation);

}  // namespace weir::data
