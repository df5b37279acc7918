#include "sim/fleet/router_rules.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "data/errors.h"

namespace weir::sim {

RouterRules router_rules(const data::Serving& serving, int replicas) {
  static constexpr std::array<std::pair<std::string_view, RouterKind>, 7> kNames{
      {{"least-outstanding", RouterKind::least_outstanding},
       {"least-tokens", RouterKind::least_tokens},
       {"round-robin", RouterKind::round_robin},
       {"random", RouterKind::random},
       {"power-of-two", RouterKind::power_of_two},
       {"affinity", RouterKind::session_affinity},
       {"priority", RouterKind::kept_for_priority}}};
  for (const auto& [name, kind] : kNames) {
    if (name != serving.router) continue;
    RouterRules rules;
    rules.kind = kind;
    if (kind == RouterKind::session_affinity && serving.prefix_cache) rules.kind = RouterKind::prefix_affinity;
    rules.kept_replicas = serving.routing.kept_replicas;
    rules.from_priority = static_cast<std::int16_t>(serving.routing.from_priority);
    if (rules.kept_replicas >= replicas && kind == RouterKind::kept_for_priority) {
      throw data::InputError("scenario", "/serving/routing/kept_replicas", std::to_string(rules.kept_replicas),
                             "fewer than the replicas: the others need one too");
    }
    return rules;
  }
  throw data::InputError("scenario", "/serving/router", '"' + serving.router + '"', "there is nothing of this name");
}

}  // namespace weir::sim
