#include "reports/decision_charts.h"
#include "reports/document/builder.h"

namespace weir::reports::document {
namespace {

/// Between two panels of one figure, in px.
constexpr double kPanelGap = 36;

template <class Data, class Draw>
Figure figure(const char* id, Data data, const Draw& draw, std::string caption, bool wide = false) {
  Figure figure;
  figure.id = id;
  figure.caption = std::move(caption);
  figure.wide = wide;
  figure.draw = [data = std::move(data), draw](const charts::Layout& layout) {
    return std::vector<charts::Scene>{draw(data, layout)};
  };
  return figure;
}

/// What the curves are: "Options 1 and 26: the same set-up rented and owned."
std::string curves_named(const Source& in, const charts::CostOverTime& data) {
  const sim::PlanOption& best = *recommended(in.plan);
  const sim::PlanOption* same = other_tenure(in.plan, best);
  const bool owned = best.tenure == "owned";
  if (same == nullptr || !same->cost || !same->feasible || data.curves.size() < 2)
    return in.say("Option {rank} alone.", {{"rank", std::to_string(best.rank)}});
  const std::string a = std::to_string(best.rank), b = std::to_string(same->rank);
  const std::string pair = owned
                               ? in.say("Options {a} and {b}: the same set-up owned and rented.", {{"a", a}, {"b", b}})
                               : in.say("Options {a} and {b}: the same set-up rented and owned.", {{"a", a}, {"b", b}});
  if (data.curves.size() < 3) return pair;
  const std::string& label = data.curves.back().label;
  const std::string rank = label.substr(0, label.find(' '));
  return sentences({pair, owned ? in.say("Option {rank}: the cheapest rented.", {{"rank", rank}})
                                : in.say("Option {rank}: the cheapest owned.", {{"rank", rank}})},
                   in.language);
}

}  // namespace

std::optional<Figure> cost_figure(const Source& in) {
  auto data = cost_over_time(in.plan, in.list, in.language);
  if (!data) return std::nullopt;
  const std::string terms = in.say("Undiscounted; the last month takes off what the hardware is still worth.");
  const std::string event = data->break_even ? full_stop(data->break_even->sentence, in.language)
                            : data->curves.size() > 1
                                ? in.say("Owning does not pay back against renting the same set-up within the horizon.")
                                : in.say("The same set-up has no price under the other tenure.");
  std::string caption = sentences({curves_named(in, *data), terms, event}, in.language);
  return figure("cost_over_time", std::move(*data), charts::cumulative_cost, std::move(caption));
}

std::optional<Figure> tail_figure(const Source& in) {
  auto data = tail_chart(in.plan, in.list, in.language);
  if (!data) return std::nullopt;
  std::string limit;
  if (data->limit_s) {
    limit = in.say(
        "A line must stay out of the grey corner: at most {share} of requests slower than {limit}, the strictest "
        "limit.",
        {{"share", in.share(data->limit_share, data->limit_share < 0.01 ? 1 : 0)},
         {"limit", in.seconds(*data->limit_s)}});
  }
  std::string caption = sentences({in.say("All requests of all classes."), limit}, in.language);
  return figure("latency_tail", std::move(*data), charts::latency_tail, std::move(caption));
}

std::optional<Figure> scatter_figure(const Source& in) {
  auto data = scatter_chart(in.plan, in.list, in.language);
  if (!data) return std::nullopt;
  return figure("cost_latency", std::move(*data), charts::cost_against_latency,
                in.say("Numbers are ranks; colour is tenure, shape is card. Dotted: no option is both faster and "
                       "cheaper."));
}

std::optional<Figure> load_figure(const Source& in) {
  auto data = load_chart(in.plan, in.list, in.language);
  if (!data) return std::nullopt;
  Figure load = figure("load", std::move(*data), charts::load_over_run,
                       in.say("The replayed demand, and the share of time its accelerators work."), true);
  load.height = 240;
  return load;
}

std::optional<Figure> parts_figure(const Source& in) {
  const sim::PlanOption* best = recommended(in.plan);
  if (best == nullptr || !best->cost) return std::nullopt;
  std::vector<charts::BarChart> panels = {cost_parts_chart(in.plan, *best, in.language)};
  const sim::PlanOption* other = other_tenure(in.plan, *best);
  if (other != nullptr && other->cost) panels.push_back(cost_parts_chart(in.plan, *other, in.language));
  Figure parts;
  parts.id = "cost_parts";
  parts.wide = true;
  parts.caption = in.say("Parts of the TCO over {months} months, on one scale. Hollow: money that comes back.",
                         {{"months", std::to_string(in.plan.horizon_months)}});
  parts.draw = [panels](charts::Layout layout) {
    layout.width = (layout.width - kPanelGap) / 2;
    return charts::cost_parts(panels, layout);
  };
  return parts;
}

}  // namespace weir::reports::document
