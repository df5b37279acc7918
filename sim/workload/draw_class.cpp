#include "sim/workload/draw_class.h"

#include "data/errors.h"
#include "sim/workload/drawn_source.h"

namespace weir::sim {

void refuse_empty_demand(const data::Scenario& scenario, const data::Workload& workload) {
  throw data::InputError(scenario.name, "/workloads/" + workload.name, "no requests",
                         "expected a trace with rows in its window, or arrivals with a rate");
}

void draw_classes(const data::Scenario& scenario, const data::Workload& workload, std::optional<double> trace_end_s,
                  std::int32_t first_client, std::uint64_t seed, const data::Progress& progress, RequestList& to) {
  constexpr double kMostListed = 5e7;
  std::vector<DrawnClass> classes;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < workload.classes.size(); ++i) {
    if (!workload.classes[i].arrivals) continue;
    classes.push_back(drawn_class(scenario, workload, i, progress));
    indices.push_back(i);
    if (!classes.back().reacts()) continue;
    throw data::InputError(scenario.name, classes.back().place, classes.back().name,
                           "its clients wait for their answers, so it is simulated on a fleet that is given, without a "
                           "trace beside it");
  }
  if (classes.empty()) return;
  const double horizon_s = trace_end_s ? *trace_end_s : drawn_horizon_s(classes, workload.duration_s);
  check_count(classes, horizon_s, kMostListed);
  const Time end = Time::from_seconds(horizon_s);
  std::int32_t clients = first_client;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    ClassDraw draw(classes[i], static_cast<std::int16_t>(indices[i]), seed, end, clients);
    clients += draw.clients();
    const std::size_t before = to.requests.size();
    for (Time at = draw.next_arrival(); at < end; at = draw.next_arrival()) draw.append(at, to.requests);
    for (std::string& note : arrival_notes(classes[i], horizon_s, seed, to.requests.size() - before)) {
      to.notes.push_back(std::move(note));
    }
  }
}

}  // namespace weir::sim
