#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "data/catalog.h"
#include "reports/language.h"

namespace weir::cli {

/// A part of the catalogue as JSON (weir.catalog/1, the same in every language) and as text. `name` picks one entry;
/// empty = all.
struct CatalogView {
  nlohmann::ordered_json json;
  std::string text;
};

/// How the text is written.
struct TextStyle {
  reports::Language language = reports::Language::en;
  int width = 120;  ///< columns
};

CatalogView hardware_view(const data::Catalog& catalog, const std::string& name, TextStyle style);
CatalogView model_view(const data::Catalog& catalog, const std::string& name, TextStyle style);
CatalogView price_view(const data::Catalog& catalog, const std::string& name, TextStyle style);
CatalogView economics_view(const data::Catalog& catalog, const std::string& name, TextStyle style);
CatalogView scenario_view(const std::string& name, TextStyle style);

}  // namespace weir::cli
