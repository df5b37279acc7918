#include "data/scenario_links.h"

#include "data/catalog.h"

namespace weir::data {

LinkChoice read_links(const ObjectReader& deployment, const Catalog& catalog) {
  LinkChoice links;
  if (const auto network = deployment.find("network")) links.network = network->one_of(catalog.network_ids());
  links.all_reduce_overlap = deployment.number_or("all_reduce_overlap", 0, NumberRange{0, 1, true, false});
  return links;
}

void write_links(const LinkChoice& links, nlohmann::ordered_json& deployment) {
  deployment["network"] = links.network.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(links.network);
  deployment["all_reduce_overlap"] = links.all_reduce_overlap;
}

}  // namespace weir::data
