#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "data/catalog.h"

namespace weir::cli {

/// A part of the catalogue as JSON (weir.catalog/1) and as text. `name` picks one entry; empty = all.
struct CatalogView {
  nlohmann::ordered_json json;
  std::string text;
};

CatalogView hardware_view(const data::Catalog& catalog, const std::string& name, int width);
CatalogView model_view(const data::Catalog& catalog, const std::string& name, int width);
CatalogView price_view(const data::Catalog& catalog, const std::string& name, int width);
CatalogView economics_view(const data::Catalog& catalog, const std::string& name, int width);
CatalogView scenario_view(const std::string& name, int width);

}  // namespace weir::cli
