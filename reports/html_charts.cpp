#include <algorithm>

#include "reports/charts/svg.h"
#include "reports/decision_charts.h"
#include "reports/html_parts.h"

namespace weir::reports::html {
namespace {

/// A chart is laid out twice: for a column of the screen, and smaller for half an A4 page, so that its text has the
/// same size as the text around it in both.
const charts::Layout kScreen{540, 300, Language::en, {}, {}}, kPaper{326, 220, Language::en, {}, {}};

std::string svg_of(const charts::Scene& scene, const std::string& id, const std::string& css_class) {
  std::string svg = charts::to_svg(scene, id);
  return svg.insert(4, " class=\"" + css_class + "\"");
}

class Figures {
 public:
  /// draw: Layout -> Scene.
  template <class Draw>
  void add(const Draw& draw, const std::string& caption) {
    const std::string id = "fig" + std::to_string(++count_);
    out_ += "<figure>" + svg_of(draw(kScreen), id, "screen") + svg_of(draw(kPaper), id + "p", "paper");
    end_figure(caption);
  }
  /// draw: Layout -> panels, side by side under one caption.
  template <class Draw>
  void add_wide(const Draw& draw, const std::string& caption) {
    const std::string id = "fig" + std::to_string(++count_);
    out_ += "<figure class=\"wide\">";
    add_panels(draw(kScreen), id, "screen");
    add_panels(draw(kPaper), id + "p", "paper");
    end_figure(caption);
  }
  std::string take() { return std::move(out_); }

 private:
  void add_panels(const std::vector<charts::Scene>& panels, const std::string& id, const std::string& css_class) {
    out_ += "<div class=\"pair " + css_class + "\">\n";
    for (std::size_t i = 0; i < panels.size(); ++i)
      out_ += svg_of(panels[i], id + static_cast<char>('a' + i), css_class);
    out_ += "</div>";
  }
  void end_figure(const std::string& caption) {
    out_ += "<figcaption>Figure " + std::to_string(count_) + ". " + escape_markup(caption) + "</figcaption></figure>\n";
  }

  int count_ = 0;
  std::string out_;
};

/// "1 and 46: the same set-up rented and owned; 9: the cheapest owned."
std::string curves_named(const sim::PlanResult& plan, const charts::CostOverTime& data) {
  const sim::PlanOption& best = *recommended(plan);
  const sim::PlanOption* same = other_tenure(plan, best);
  const std::string other_word = best.tenure == "owned" ? "rented" : "owned";
  const bool both = same != nullptr && data.curves.size() > 1 && same->cost && same->feasible;
  std::string text = both
                         ? "Options " + std::to_string(best.rank) + " and " + std::to_string(same->rank) +
                               ": the same set-up " + (best.tenure == "owned" ? "owned and rented" : "rented and owned")
                         : "Option " + std::to_string(best.rank);
  if (data.curves.size() > (both ? 2U : 1U)) {
    text +=
        "; " + data.curves.back().label.substr(0, data.curves.back().label.find(' ')) + ": the cheapest " + other_word;
  }
  return text + ".";
}

void add_cost(Figures& figures, const sim::PlanResult& plan, const Shortlist& list) {
  const auto data = cost_over_time(plan, list);
  if (!data) return;
  std::string caption =
      curves_named(plan, *data) + " Undiscounted; the last month takes off what the hardware is still worth. ";
  caption += data->break_even          ? data->break_even->sentence + "."
             : data->curves.size() > 1 ? "Owning does not pay back against renting the same set-up within the horizon."
                                       : "The same set-up has no price under the other tenure.";
  figures.add([&](const charts::Layout& layout) { return charts::cumulative_cost(*data, layout); }, caption);
}

void add_tail(Figures& figures, const sim::PlanResult& plan, const Shortlist& list) {
  const auto data = tail_chart(plan, list);
  if (!data) return;
  std::string caption = "All requests of all classes. ";
  if (data->limit_s) {
    caption += "A line must stay out of the grey corner: at most " + shortest(data->limit_share * 100) +
               "\u00a0% of requests slower than " + seconds_text(*data->limit_s, Spelling::typographic) +
               ", the strictest limit.";
  }
  figures.add([&](const charts::Layout& layout) { return charts::latency_tail(*data, layout); }, caption);
}

void add_scatter(Figures& figures, const sim::PlanResult& plan, const Shortlist& list) {
  const auto data = scatter_chart(plan, list);
  if (!data) return;
  figures.add([&](const charts::Layout& layout) { return charts::cost_against_latency(*data, layout); },
              "Numbers are ranks; colour is tenure, shape is card. Dotted: no option is both faster and cheaper.");
}

/// Parts of the recommended option and, beside them on the same scale, of the same set-up under the other tenure.
void add_parts(Figures& figures, const sim::PlanResult& plan) {
  const sim::PlanOption* best = recommended(plan);
  if (best == nullptr || !best->cost) return;
  std::vector<charts::BarChart> panels = {cost_parts_chart(plan, *best)};
  const sim::PlanOption* other = other_tenure(plan, *best);
  if (other != nullptr && other->cost) panels.push_back(cost_parts_chart(plan, *other));
  figures.add_wide([&](const charts::Layout& layout) { return charts::cost_parts(panels, layout); },
                   "Parts of the TCO over " + std::to_string(plan.horizon_months) +
                       " months, on one scale. Hollow: money that comes back.");
}

void add_load(Figures& figures, const sim::PlanResult& plan, const Shortlist& list) {
  const auto data = load_chart(plan, list);
  if (!data) return;
  figures.add([&](const charts::Layout& layout) { return charts::load_over_run(*data, layout); },
              "The replayed demand, and the share of time its accelerators work.");
}

}  // namespace

std::string chart_section(const sim::PlanResult& plan, const Shortlist& list) {
  Figures figures;
  add_cost(figures, plan, list);
  add_tail(figures, plan, list);
  add_scatter(figures, plan, list);
  add_load(figures, plan, list);
  add_parts(figures, plan);
  const std::string body = figures.take();
  return body.empty() ? body : "<div class=\"charts\">\n" + body + "</div>\n";
}

}  // namespace weir::reports::html
