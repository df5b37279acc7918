#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "data/json_reader.h"

namespace weir::data {

class Catalog;

/// What the accelerators of one replica send over, beside what the catalogue says of them.
struct LinkChoice {
  /// Between servers, id of networks.json; empty = a replica has to fit into one server.
  std::string network;
  double all_reduce_overlap = 0;  ///< share of an all-reduce hidden behind other kernels, in [0, 1)
};

/// Keys `network` and `all_reduce_overlap` of the deployment. Throws InputError.
LinkChoice read_links(const ObjectReader& deployment, const Catalog& catalog);
/// Adds them.
void write_links(const LinkChoice& links, nlohmann::ordered_json& deployment);

}  // namespace weir::data
