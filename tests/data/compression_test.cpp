#include "data/scenario_compression.h"

#include <gtest/gtest.h>

#include <string>

#include <nlohmann/json.hpp>

#include "data/catalog.h"
#include "data/errors.h"

namespace weir::data {
namespace {

using Json = nlohmann::ordered_json;

const Catalog& catalog() { return Catalog::builtin(); }

Compression read(const Json& json, const std::string& model = "llama-3.1-8b") {
  const JsonReader reader(json, "test.json");
  return read_compression(reader.object({"sparsity", "pruned_share", "layers_kept", "vocabulary_kept", "distilled_to"}),
                          catalog().model(model), catalog());
}

std::string refusal(const Json& json, const std::string& model = "llama-3.1-8b") {
  try {
    read(json, model);
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

TEST(Compression, ShapesByHand) {
  const Compression c = read({{"sparsity", "structured"}, {"pruned_share", 0.3}, {"layers_kept", 24}});
  const Model m = compressed(catalog(), "llama-3.1-8b", c);
  EXPECT_EQ(m.layers, 24);
  EXPECT_EQ(m.intermediate, 9984);  // 0.7 x 14336 = 10035 -> 156 x 64
  EXPECT_EQ(m.hidden, 4096);
  const Model words = compressed(catalog(), "llama-3.1-8b", read({{"vocabulary_kept", 64000}}));
  EXPECT_EQ(words.vocabulary, 64000);
  const Model half =
      compressed(catalog(), "deepseek-v3", read({{"sparsity", "structured"}, {"pruned_share", 0.5}}, "deepseek-v3"));
  EXPECT_EQ(half.experts.intermediate, 1024);
  EXPECT_EQ(half.experts.shared_intermediate, 1024);
  EXPECT_EQ(compressed(catalog(), "llama-3.1-70b", read({{"distilled_to", "llama-3.1-8b"}}, "llama-3.1-70b")).id,
            "llama-3.1-8b");
  EXPECT_EQ(compressed(catalog(), "gemma-2-9b", read({{"layers_kept", 21}}, "gemma-2-9b")).sliding_layers, 10);
}

TEST(Compression, NothingAskedForChangesNothing) {
  const Compression none = read(Json::object());
  EXPECT_TRUE(none.none());
  EXPECT_EQ(compressed(catalog(), "llama-3.1-8b", none).intermediate, 14336);
  EXPECT_FALSE(read({{"sparsity", "2:4"}}).none());
}

TEST(Compression, WritesWhatItReads) {
  const Json given = {{"sparsity", "structured"},
                      {"pruned_share", 0.3},
                      {"layers_kept", 24},
                      {"vocabulary_kept", nullptr},
                      {"distilled_to", "llama-3.1-8b"}};
  Json written = Json::object();
  write_compression(read(given, "llama-3.1-70b"), written);
  EXPECT_EQ(written.dump(), given.dump());
}

TEST(Compression, RefusesWhatCannotBe) {
  EXPECT_NE(refusal({{"pruned_share", 0.5}}).find("only sparsity"), std::string::npos);
  EXPECT_NE(refusal({{"sparsity", "structured"}}).find("pruned_share"), std::string::npos);
  EXPECT_NE(refusal({{"sparsity", "structured"}, {"pruned_share", 0.95}}).find("0.9"), std::string::npos);
  EXPECT_NE(refusal({{"layers_kept", 33}}).find("32"), std::string::npos);
  EXPECT_NE(refusal({{"distilled_to", "llama-3.1-70b"}}).find("smaller than"), std::string::npos);
  EXPECT_NE(refusal({{"sparsity", "2:4"}}, "bert-large").find("language models"), std::string::npos);
}

}  // namespace
}  // namespace weir::data
