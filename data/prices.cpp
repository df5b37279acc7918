// What the catalogue makes of its price points: one price with a range where many or few points are known.
#include <algorithm>
#include <cmath>
#include <functional>

#include "data/catalog.h"
#include "data/errors.h"
#include "data/json_reader.h"
#include "data/nearest.h"

namespace weir::data {
namespace {

using Points = std::vector<const PricePoint*>;

std::string country_of(std::string_view place) { return std::string(place.substr(0, place.find('-'))); }

Points where(const Points& points, const std::function<bool(const PricePoint&)>& keep) {
  Points kept;
  for (const PricePoint* point : points) {
    if (keep(*point)) kept.push_back(point);
  }
  return kept;
}

/// Those that a price list or several sources stand behind, if there are any; else all.
Points best_supported(const Points& points) {
  const auto supported = where(points, [](const PricePoint& p) { return p.evidence != Evidence::assumption; });
  return supported.empty() ? points : supported;
}

/// Median of values, the mean of the two middle ones for an even count.
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/// "AWS: title, date; Azure: ...": providers and their sources, each once, in the order of the points.
std::string sources_of(const Points& points) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> all;
  for (const PricePoint* point : points) {
    const std::string source = point->provider + ": " + point->source;
    if (std::find(all.begin(), all.end(), source) == all.end()) all.push_back(source);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), kShown); ++i) text += (i == 0 ? "" : "; ") + all[i];
  if (all.size() > kShown) text += "; and " + std::to_string(all.size() - kShown) + " more";
  return text;
}

std::string count_of(std::size_t n, std::string_view what) {
  return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

/// Points of the place, else of its country, else all; and a phrase for what was taken.
struct Nearby {
  Points points;
  std::string where;
  bool elsewhere = false;  ///< the place has no price of its own, nor has its country
};

Nearby nearest_points(const Points& points, std::string_view wanted) {
  const std::string place = lower_case(wanted);
  if (!place.empty()) {
    auto exact = where(points, [&](const PricePoint& p) { return p.place == place; });
    if (!exact.empty()) return {best_supported(exact), "in " + place, false};
    const std::string country = country_of(place);
    auto national = where(points, [&](const PricePoint& p) { return country_of(p.place) == country; });
    if (!national.empty()) return {best_supported(national), "in " + country, false};
  }
  const bool anywhere = place.empty() || place == "world";
  return {best_supported(points), anywhere ? "anywhere" : "of other places (none in " + place + ")", !anywhere};
}

/// Export rules part the world: what is rented in China cannot be rented elsewhere at that price, nor the other way
/// round.
bool same_market(std::string_view place, std::string_view wanted) {
  const std::string here = lower_case(wanted);
  if (here.empty() || here == "world") return true;
  return (country_of(lower_case(place)) == "cn") == (country_of(here) == "cn");
}

/// Median and extremes of the points' prices; `value` and bounds already in one currency.
RangedQuantity summarise(const Nearby& nearby, const std::string& unit, const std::string& what,
                         const std::function<double(const PricePoint&)>& mid_of) {
  RangedQuantity result;
  std::vector<double> values;
  Evidence evidence = Evidence::measured_here;
  for (const PricePoint* point : nearby.points) {
    values.push_back(mid_of(*point));
    evidence = weakest(evidence, point->evidence);
  }
  result.low = *std::min_element(values.begin(), values.end());
  result.high = *std::max_element(values.begin(), values.end());
  result.mid = median(values);
  result.unit = unit;
  result.evidence = nearby.elsewhere ? Evidence::assumption : evidence;
  result.source = (values.size() == 1 ? "" : "median of ") + count_of(values.size(), what) + " " + nearby.where + " (" +
                  sources_of(nearby.points) + ")";
  return result;
}

const char* ratio_key(std::string_view term) {
  if (term == "reserved-1y") return "reserved_1y_ratio";
  if (term == "reserved-3y") return "reserved_3y_ratio";
  if (term == "spot") return "spot_ratio";
  return nullptr;
}

/// Host for parts that are sold as cards: how many go into one server, and the economic input with its price.
struct Host {
  int accelerators = 0;
  const char* chassis = nullptr;
};

Host host_of(const Accelerator& accelerator) {
  constexpr double kSmallCardW = 200;  // four of these and their host fit a 2U server
  const std::string form = lower_case(accelerator.form_factor);
  const bool module = form.find("sxm") != std::string::npos || form.find("oam") != std::string::npos;
  const bool small = accelerator.tdp_w.value.value_or(kSmallCardW + 1) <= kSmallCardW;
  Host host = module  ? Host{8, "host_chassis_8gpu_sxm_usd"}
              : small ? Host{4, "host_chassis_4gpu_pcie_usd"}
                      : Host{8, "host_chassis_8gpu_pcie_usd"};
  if (accelerator.max_per_server.known()) {
    host.accelerators = std::min(host.accelerators, static_cast<int>(*accelerator.max_per_server.value));
  }
  return host;
}

/// Finds the price of a server with one accelerator in one currency.
class ServerPricer {
 public:
  ServerPricer(const Catalog& catalog, const Accelerator& part, std::string_view currency)
      : catalog_(catalog), part_(part), currency_(currency), unit_(currency_ + "/server") {
    for (const PricePoint& point : catalog.prices()) {
      const bool fits = point.accelerator_id == part.id && point.per_accelerator && point.not_used.empty();
      if (fits && point.condition != "used") offers_.push_back(&point);
    }
  }

  /// A price of the whole server: in the wanted currency, else in dollars, else what there is.
  std::optional<ServerPrice> whole_server() const {
    const ServerPrice* best = nullptr;
    const auto rank = [&](const ServerPrice& s) { return s.currency == currency_ ? 0 : s.currency == "USD" ? 1 : 2; };
    for (const ServerPrice& s : catalog_.server_prices()) {
      if (s.accelerator_id == part_.id && (best == nullptr || rank(s) < rank(*best))) best = &s;
    }
    if (best == nullptr) return std::nullopt;
    ServerPrice price = *best;
    price.currency = currency_;
    price.price.unit = unit_;
    for (double* value : {&price.price.low, &price.price.mid, &price.price.high})
      *value = wanted(*value, best->currency);
    if (best->currency != currency_) {
      price.price.note += (price.price.note.empty() ? "converted from " : "; converted from ") + best->currency;
    }
    return price;
  }

  /// Cards and a host around them.
  std::optional<ServerPrice> cards_and_host() const {
    const auto cards =
        where(offers_, [](const PricePoint& p) { return p.kind == "buy-card" || p.kind == "buy-module"; });
    if (cards.empty()) return std::nullopt;
    const Host host = host_of(part_);
    const RangedQuantity chassis = catalog_.economic(host.chassis);
    ServerPrice result = empty(host.accelerators);
    const RangedQuantity card = of_one(cards, "card price");
    const auto whole = [&](double each, double box) { return host.accelerators * each + wanted(box, "USD"); };
    result.price = card;
    result.price.low = whole(card.low, chassis.low);
    result.price.mid = whole(card.mid, chassis.mid);
    result.price.high = whole(card.high, chassis.high);
    result.price.source = std::to_string(host.accelerators) + " cards, " + card.source + ", and a host (" +
                          host.chassis + ": " + chassis.source + ")";
    return result;
  }

  /// Complete systems that are only known as single offers; those of the size of the first.
  std::optional<ServerPrice> offered_system() const {
    const auto systems =
        where(offers_, [](const PricePoint& p) { return p.kind == "buy-server" || p.kind == "buy-kit"; });
    if (systems.empty()) return std::nullopt;
    const double size = systems.front()->accelerators;
    ServerPrice result = empty(static_cast<int>(std::lround(size)));
    result.price = of_one(where(systems, [&](const PricePoint& p) { return p.accelerators == size; }), "offer");
    for (double* value : {&result.price.low, &result.price.mid, &result.price.high}) *value *= size;
    return result;
  }

 private:
  double wanted(double amount, std::string_view from) const { return catalog_.convert(amount, from, currency_); }

  ServerPrice empty(int accelerators) const {
    ServerPrice result;
    result.accelerator_id = part_.id;
    result.accelerators = accelerators;
    result.currency = currency_;
    result.region = "world";
    return result;
  }

  /// Price of one accelerator. Offers are few and far apart: all of them count, the range is worth more than a choice.
  RangedQuantity of_one(const Points& points, const std::string& what) const {
    const auto mid = [&](const PricePoint& p) { return wanted(*p.per_accelerator, p.currency); };
    auto price = summarise({points, "anywhere", false}, unit_, what, mid);
    for (const PricePoint* p : points) {
      price.low = std::min(price.low, wanted(p->low.value_or(*p->per_accelerator), p->currency));
      price.high = std::max(price.high, wanted(p->high.value_or(*p->per_accelerator), p->currency));
    }
    price.evidence = Evidence::assumption;
    return price;
  }

  const Catalog& catalog_;
  const Accelerator& part_;
  std::string currency_, unit_;
  Points offers_;
};

}  // namespace

RangedQuantity Catalog::exchange_rate(std::string_view from, std::string_view to) const {
  if (from == to) {
    return {1, 1, 1, std::string(to) + "/" + std::string(from), Evidence::datasheet, "the same currency", ""};
  }
  for (const ExchangeRate& rate : rates_) {
    if (rate.from == from && rate.to == to) return rate.rate;
    if (rate.from == to && rate.to == from) {
      RangedQuantity inverse = rate.rate;
      inverse.low = 1 / rate.rate.high;
      inverse.mid = 1 / rate.rate.mid;
      inverse.high = 1 / rate.rate.low;
      inverse.unit = std::string(to) + "/" + std::string(from);
      return inverse;
    }
  }
  constexpr std::string_view kHub = "USD";
  std::vector<std::string> known;
  for (const ExchangeRate& rate : rates_) {
    for (const std::string& name : {rate.from, rate.to}) {
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    }
  }
  const auto has = [&](std::string_view name) { return std::find(known.begin(), known.end(), name) != known.end(); };
  if (from == kHub || to == kHub || !has(from) || !has(to)) {
    const std::string_view missing = has(from) ? to : from;
    throw InputError("catalogue", "exchange rates", '"' + std::string(missing) + '"',
                     "no exchange rate is known; " + did_you_mean(missing, known));
  }
  const RangedQuantity first = exchange_rate(from, kHub), second = exchange_rate(kHub, to);
  return {first.low * second.low,
          first.mid * second.mid,
          first.high * second.high,
          std::string(to) + "/" + std::string(from),
          weakest(first.evidence, second.evidence),
          first.source == second.source ? first.source : first.source + "; " + second.source,
          "by way of USD"};
}

double Catalog::convert(double amount, std::string_view from, std::string_view to) const {
  return from == to ? amount : amount * exchange_rate(from, to).mid;
}

std::optional<ServerPrice> Catalog::server_price(std::string_view accelerator_id, std::string_view currency) const {
  const ServerPricer pricer(*this, accelerator(accelerator_id), currency);
  if (auto price = pricer.whole_server()) return price;
  if (auto price = pricer.cards_and_host()) return price;
  return pricer.offered_system();
}

std::optional<RangedQuantity> Catalog::cloud_price_per_hour(std::string_view accelerator_id, std::string_view term,
                                                            std::string_view place, std::string_view currency) const {
  static const std::vector<std::string> kTerms{"on-demand", "reserved-1y", "reserved-3y", "spot"};
  if (std::find(kTerms.begin(), kTerms.end(), term) == kTerms.end()) {
    throw InputError("catalogue", "cloud term", '"' + std::string(term) + '"', did_you_mean(term, kTerms));
  }
  const Accelerator& part = accelerator(accelerator_id);
  const std::string unit = std::string(currency) + "/accelerator-hour";
  const auto of_term = [&](std::string_view wanted) -> std::optional<RangedQuantity> {
    Points points;
    for (const PricePoint& p : prices_) {
      const bool fits = p.accelerator_id == part.id && p.term == wanted && p.per_accelerator_hour;
      if (fits && p.not_used.empty() && same_market(p.place, place)) points.push_back(&p);
    }
    if (points.empty()) return std::nullopt;
    return summarise(nearest_points(points, place), unit, std::string(wanted) + " price",
                     [&](const PricePoint& p) { return convert(*p.per_accelerator_hour, p.currency, currency); });
  };

  if (auto price = of_term(term)) return price;
  if (term == "on-demand") {
    for (const char* substitute : {"monthly", "assumed"}) {
      auto price = of_term(substitute);
      if (!price) continue;
      price->evidence = Evidence::assumption;
      price->note = "no on-demand price is known; the " + std::string(substitute) + " price stands in for it";
      price->source = price->note + ": " + price->source;
      return price;
    }
    return std::nullopt;
  }
  const auto on_demand = cloud_price_per_hour(part.id, "on-demand", place, currency);
  if (!on_demand) return std::nullopt;
  const RangedQuantity ratio = economic(ratio_key(term), place);
  RangedQuantity price = *on_demand;
  price.low *= ratio.low;
  price.mid *= ratio.mid;
  price.high *= ratio.high;
  price.evidence = Evidence::assumption;
  price.note = "no " + std::string(term) + " price is known; on-demand x " + ratio_key(term);
  price.source = price.note + " (" + ratio.source + "): " + on_demand->source;
  return price;
}

}  // namespace weir::data
