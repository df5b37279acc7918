#include "app/cli/catalog_view.h"
#include "data/scenario.h"
#include "reports/format.h"
#include "reports/text_table.h"

namespace weir::cli {
namespace {

using Json = nlohmann::ordered_json;
using reports::say;

std::string_view kind_text(data::ModelKind kind) {
  switch (kind) {
    case data::ModelKind::llm:
      return "llm";
    case data::ModelKind::encoder:
      return "encoder";
    case data::ModelKind::other:
      return "other";
  }
  return "other";
}

Json model_json(const data::Model& m) {
  return {{"id", m.id},
          {"name", m.name},
          {"kind", kind_text(m.kind)},
          {"aliases", m.aliases},
          {"layers", m.layers},
          {"hidden", m.hidden},
          {"heads", m.heads},
          {"kv_heads", m.kv_heads},
          {"head_dim", m.head_dim},
          {"intermediate", m.intermediate},
          {"vocabulary", m.vocabulary},
          {"max_positions", m.max_positions},
          {"mlp_matrices", m.mlp_matrices},
          {"tied_embeddings", m.tied_embeddings},
          {"mixture_of_experts", m.mixture_of_experts},
          {"attention", m.attention},
          {"parameters", m.parameters},
          {"source", m.source}};
}

std::string title_of(const data::Scenario& scenario, reports::Language language) {
  return reports::in_language(language, scenario.title, "");
}

}  // namespace

CatalogView model_view(const data::Catalog& catalog, const std::string& name, TextStyle style) {
  const auto in_words = [&](std::string_view english) { return say(style.language, english); };
  reports::TextTable table({{in_words("Id"), false, 0},
                            {in_words("Kind"), false, 0},
                            {in_words("Parameters\n(billion)"), true, 0},
                            {in_words("Layers"), true, 0},
                            {in_words("Hidden"), true, 0},
                            {in_words("Heads"), true, 2},
                            {in_words("KV\nheads"), true, 1},
                            {in_words("Attention"), false, 3},
                            {in_words("Simulated"), false, 0},
                            {in_words("Source"), false, 4}});
  Json all = Json::array();
  const auto add = [&](const data::Model& m) {
    const bool simulated = (!m.mixture_of_experts || m.experts.count > 0) &&
                           (m.attention != "mla" || m.latent.kv_rank > 0) && m.kind != data::ModelKind::other;
    table.add({m.id, in_words(kind_text(m.kind)), reports::significant(m.parameters / 1e9, 3), std::to_string(m.layers),
               std::to_string(m.hidden), std::to_string(m.heads), std::to_string(m.kv_heads), m.attention,
               in_words(simulated ? "yes" : "not yet"), m.source});
    all.push_back(model_json(m));
  };
  if (!name.empty()) {
    add(catalog.model(name));
    return {all.front(), table.render(style.width)};
  }
  for (const data::Model& m : catalog.models()) add(m);
  return {std::move(all), table.render(style.width)};
}

CatalogView scenario_view(const std::string& name, TextStyle style) {
  if (!name.empty()) {
    Json json = data::to_json(data::find_scenario(name));
    std::string text = json.dump(2) + "\n";
    return {std::move(json), std::move(text)};
  }
  const auto in_words = [&](std::string_view english) { return say(style.language, english); };
  reports::TextTable table({{in_words("Name"), false, 0},
                            {in_words("What it is"), false, 0},
                            {in_words("Model"), false, 0},
                            {in_words("Candidates"), false, 1}});
  Json all = Json::array();
  for (const std::string& known : data::embedded_scenario_names()) {
    const data::Scenario scenario = data::find_scenario(known);
    std::string candidates;
    for (const std::string& id : scenario.candidates.accelerators) candidates += (candidates.empty() ? "" : ", ") + id;
    table.add({known, title_of(scenario, style.language), scenario.workloads.front().model.id, candidates});
    all.push_back({{"name", known},
                   {"title", title_of(scenario, reports::Language::en)},
                   {"model", scenario.workloads.front().model.id}});
  }
  return {std::move(all), table.render(style.width) + "\n" +
                              in_words("The whole scenario, to copy and change: weir catalog scenarios NAME") + "\n"};
}

}  // namespace weir::cli
