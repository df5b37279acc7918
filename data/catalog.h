#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/evidence.h"
#include "data/network.h"
#include "data/precision.h"

namespace weir::data {

/// One accelerator as its vendor sells it (or this machine's CPU, described by its own calibration).
struct Accelerator {
  std::string id;    ///< "a100-sxm4-80gb"
  std::string name;  ///< "NVIDIA A100 SXM4 80GB"
  std::string vendor, architecture;
  std::vector<std::string> aliases;
  Quantity memory_bytes;                           ///< what the device has
  Quantity memory_bandwidth_bytes_per_s;           ///< peak
  std::map<Precision, Quantity> peak_flops_per_s;  ///< dense; a precision that is absent is not supported
  Quantity tdp_w, idle_w;
  std::string interconnect_name;      ///< "NVLink 3 / NVSwitch 2", "none"
  Quantity interconnect_bytes_per_s;  ///< one direction, all links together; unknown value = no such link
  Quantity pcie_bytes_per_s;          ///< one direction, x16
  Quantity max_per_server;
  Quantity compute_units;        ///< SMs, compute units or cores
  std::string form_factor = {};  ///< "SXM5 on HGX 8-way", "PCIe dual slot"; empty = unknown
  std::string note = {};         ///< a usual mistake about this part
  int chips_on_board = 1;        ///< > 1: values are of the whole board, a model sees one chip

  bool supports(Precision precision) const { return peak_flops_per_s.contains(precision); }
};

enum class ModelKind { llm, encoder, other };

/// Mixture of experts: every token passes through `active` of `count` experts and, always, through the shared part.
struct ExpertShape {
  int count = 0;  ///< 0 = a dense model
  int active = 0;
  int intermediate = 0;         ///< inner width of one expert
  int shared_intermediate = 0;  ///< inner width of what all tokens pass through, all shared experts together
  int dense_layers = 0;         ///< of the model's layers: with Model::intermediate instead of experts
};

/// Multi-head latent attention (DeepSeek-V2): keys and values of a token are one vector of kv_rank + rope_dim.
struct LatentShape {
  int kv_rank = 0;                                ///< 0 = another attention
  int query_rank = 0;                             ///< 0 = queries are projected in one step
  int nope_dim = 0, rope_dim = 0, value_dim = 0;  ///< of one head: query and key without and with positions, value
};

/// Shape of a transformer. Counts are of the whole model.
struct Model {
  std::string id, name;
  ModelKind kind = ModelKind::llm;
  std::vector<std::string> aliases;
  int layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, intermediate = 0;
  int vocabulary = 0;
  int max_positions = 0;
  int mlp_matrices = 3;  ///< 3 = gated (SwiGLU), 2 = plain
  bool tied_embeddings = false;
  bool mixture_of_experts = false;
  ExpertShape experts = {};
  std::string attention;  ///< "gqa", "mha", "mla"
  LatentShape latent = {};
  int sliding_window = 0, sliding_layers = 0;  ///< layers whose tokens see the last `sliding_window` tokens only
  double parameters = 0;                       ///< count
  std::string source;
  std::string family = {};                  ///< of kind `other`: "cnn", "diffusion", ...
  Evidence evidence = Evidence::datasheet;  ///< of the shapes
  std::string note = {};
};

struct PricePoint {
  std::string id, kind, provider, sku, accelerator_id;
  double accelerators = 1;                     ///< in the sku
  std::optional<double> per_accelerator_hour;  ///< rent
  std::optional<double> per_accelerator;       ///< purchase
  std::string currency, term, region, place, date, source;
  Evidence evidence = Evidence::assumption;
  std::optional<double> low = {}, high = {};  ///< range of `per_accelerator`
  std::string condition = {};                 ///< "new", "used"; empty = rent
  std::string note = {};
  std::string not_used = {};  ///< why no estimate uses this point; empty = it is used
};

struct ServerPrice {
  std::string accelerator_id;
  int accelerators = 0;  ///< in the server
  RangedQuantity price;  ///< of the whole server, in `currency` (unit says so too)
  std::string currency, region;
};

struct ExchangeRate {
  std::string from, to, date;
  RangedQuantity rate;  ///< 1 `from` = rate `to`
};

/// What a commitment costs against on-demand, as one provider's price list has it.
struct DiscountRatio {
  std::string scheme, term;
  RangedQuantity ratio;
};

/// Hardware, models, prices and economics. Every value keeps its source. Look-ups accept ids, names and aliases,
/// in any case; an unknown name is an InputError that names the nearest ids.
class Catalog {
 public:
  /// What is embedded in the binary.
  static const Catalog& builtin();
  /// The embedded catalogue with the files of `folder` (same names, same format) laid over it, entry by entry.
  /// Throws InputError.
  static Catalog load(const std::filesystem::path& folder);

  const Accelerator& accelerator(std::string_view name) const;
  const Model& model(std::string_view name) const;
  /// The same without an error: null for an unknown name.
  const Accelerator* find_accelerator(std::string_view name) const;
  const Model* find_model(std::string_view name) const;
  const Network& network(std::string_view name) const;  ///< of networks.json
  const Storage& storage(std::string_view name) const;
  std::vector<std::string> network_ids() const;
  std::vector<std::string> accelerator_ids() const;
  std::vector<std::string> model_ids() const;
  bool has_economic(std::string_view key) const;
  std::vector<std::string> economic_keys() const;
  /// Key and group ("energy", "staff", ...) of every economic input, in the order of the file.
  const std::vector<std::pair<std::string, std::string>>& economic_groups() const { return economic_groups_; }
  /// True if a price or an economic value is of this place or of its country ("us-va" and "us" both know "us-va").
  bool knows_place(std::string_view place) const;
  std::vector<std::string> places() const;  ///< sorted
  /// Input of the cost model, e.g. "discount_rate"; `place` ("us-va", "CN") picks the value of that place, else of its
  /// country, else of the EU for its members, else the general one. Throws InputError for an unknown key.
  RangedQuantity economic(std::string_view key, std::string_view place = {}) const;
  /// Amount of `from` in `to`. Throws InputError if no rate connects them.
  double convert(double amount, std::string_view from, std::string_view to) const;
  RangedQuantity exchange_rate(std::string_view from, std::string_view to) const;

  /// Purchase price of a whole server with this accelerator, in `currency`: the server's own default, else
  /// accelerators x card + host chassis. Empty when no price is known.
  std::optional<ServerPrice> server_price(std::string_view accelerator_id, std::string_view currency) const;
  /// Price of one accelerator-hour in `currency` under `term` ("on-demand", "reserved-1y", "reserved-3y", "spot"):
  /// median of the points of that place, else of the country, else of all in the same market (China or the rest of the
  /// world: export rules part them); low and high are the extremes of the same points. A reserved term without points
  /// is on-demand x its ratio (evidence says so). Empty when nothing is known.
  std::optional<RangedQuantity> cloud_price_per_hour(std::string_view accelerator_id, std::string_view term,
                                                     std::string_view place, std::string_view currency) const;

  const std::vector<Accelerator>& accelerators() const { return accelerators_; }
  const std::vector<Model>& models() const { return models_; }
  const std::vector<Network>& networks() const { return networks_; }
  const std::vector<Storage>& storages() const { return storages_; }
  const std::vector<PricePoint>& prices() const { return prices_; }
  const std::vector<ServerPrice>& server_prices() const { return server_prices_; }
  const std::map<std::string, RangedQuantity>& economics() const { return economics_; }
  const std::vector<ExchangeRate>& exchange_rates() const { return rates_; }
  const std::vector<DiscountRatio>& discount_ratios() const { return discount_ratios_; }

  /// Adds or replaces one accelerator (this machine, from its calibration).
  void add(Accelerator accelerator);

 private:
  friend class CatalogReader;
  std::vector<Accelerator> accelerators_;
  std::vector<Model> models_;
  std::vector<Network> networks_;
  std::vector<Storage> storages_;
  std::vector<PricePoint> prices_;
  std::vector<ServerPrice> server_prices_;
  std::vector<ExchangeRate> rates_;
  std::vector<DiscountRatio> discount_ratios_;
  std::map<std::string, RangedQuantity> economics_;
  std::vector<std::pair<std::string, std::string>> economic_groups_;
  std::map<std::string, std::map<std::string, RangedQuantity>> regional_economics_;
};

}  // namespace weir::data
