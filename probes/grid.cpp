#include "probes/grid.h"

#include <algorithm>
#include <stdexcept>

#include "probes/machine_files.h"

namespace weir::probes {
namespace {

using data::Precision;

constexpr double kFp16Bytes = 2, kFp32Bytes = 4;

Point gemm_point(Precision precision, double m, double n, double k, int tier) {
  return {"gemm", {{"m", m}, {"n", n}, {"k", k}}, precision, tier};
}

Point prefill_point(const LayerShape& layer, double q_tokens, double past_tokens, int tier) {
  return {"attention_prefill",
          {{"batch", 1},
           {"q_tokens", q_tokens},
           {"past_tokens", past_tokens},
           {"heads", static_cast<double>(layer.heads)},
           {"kv_heads", static_cast<double>(layer.kv_heads)},
           {"head_dim", static_cast<double>(layer.head_dim)}},
          Precision::fp16,
          tier};
}

Point decode_point(const LayerShape& layer, double batch, double context_tokens, int tier) {
  return {"attention_decode",
          {{"batch", batch},
           {"context_tokens", context_tokens},
           {"heads", static_cast<double>(layer.heads)},
           {"kv_heads", static_cast<double>(layer.kv_heads)},
           {"head_dim", static_cast<double>(layer.head_dim)}},
          Precision::fp16,
          tier};
}

Point rope_point(const LayerShape& layer, double tokens, int tier) {
  return {"rope",
          {{"tokens", tokens},
           {"heads", static_cast<double>(layer.heads)},
           {"head_dim", static_cast<double>(layer.head_dim)}},
          Precision::fp16,
          tier};
}

Point row_point(const char* op, double tokens, double width, int tier) {
  return {op, {{"tokens", tokens}, {"width", width}}, Precision::fp32, tier};
}

Point layer_point(Precision precision, double phase, double batch, double tokens, double context_tokens) {
  return {"layer",
          {{"phase", phase}, {"batch", batch}, {"tokens", tokens}, {"context_tokens", context_tokens}},
          precision,
          0};
}

struct Level {
  double size;
  int tier;
};

void add_gemms(GridPlan& plan, const std::vector<Level>& sizes) {
  const LayerShape& layer = plan.layer;
  const auto hidden = static_cast<double>(layer.hidden);
  const std::vector<std::pair<double, double>> shapes = {{static_cast<double>(layer.qkv_width()), hidden},
                                                         {hidden, static_cast<double>(layer.q_width())},
                                                         {2.0 * static_cast<double>(layer.intermediate), hidden},
                                                         {hidden, static_cast<double>(layer.intermediate)}};
  for (const Level& m : sizes) {
    for (const auto& [n, k] : shapes) {
      for (Precision precision : {Precision::bf16, Precision::int8}) {
        plan.points.push_back(gemm_point(precision, m.size, n, k, m.tier));
      }
    }
  }
  // FP32 and small models (BERT's width) at four sizes only: enough to place them.
  for (double m : {1.0, 16.0, 128.0, 1024.0}) {
    plan.points.push_back(gemm_point(Precision::fp32, m, hidden, static_cast<double>(layer.q_width()), 1));
    for (Precision precision : {Precision::fp32, Precision::bf16, Precision::int8}) {
      plan.points.push_back(gemm_point(precision, m, 1024, 1024, 1));
    }
  }
}

void add_attention(GridPlan& plan, int refine_tier) {
  const LayerShape& layer = plan.layer;
  for (const Level& q : {Level{128, 0}, Level{384, 2}, Level{1024, 0}}) {
    for (double past : {0.0, 1024.0}) plan.points.push_back(prefill_point(layer, q.size, past, q.tier));
  }
  for (double past : {0.0, 1024.0}) plan.points.push_back(prefill_point(layer, 768, past, refine_tier));
  for (const Level& batch : {Level{1, 0}, Level{4, 2}, Level{12, 0}, Level{32, 2}}) {
    for (double context : {128.0, 768.0, 2048.0}) {
      plan.points.push_back(decode_point(layer, batch.size, context, batch.tier));
    }
  }
}

void add_row_operations(GridPlan& plan, const std::vector<Level>& tokens) {
  const LayerShape& layer = plan.layer;
  for (const Level& t : tokens) {
    plan.points.push_back(row_point("norm", t.size, static_cast<double>(layer.hidden), t.tier));
    plan.points.push_back(rope_point(layer, t.size, t.tier));
    plan.points.push_back(row_point("activation", t.size, static_cast<double>(layer.intermediate), t.tier));
  }
}

void add_layers(GridPlan& plan) {
  for (Precision precision : {Precision::bf16, Precision::int8}) {
    plan.points.push_back(layer_point(precision, 0, 1, 512, 512));
    plan.points.push_back(layer_point(precision, 1, 8, 8, 512));
  }
}

/// Key-value pairs of context that a prefill attends to: each new token sees the past, the new ones before it, itself.
double prefill_pairs(double batch, double q_tokens, double past_tokens) {
  return batch * (q_tokens * past_tokens + q_tokens * (q_tokens + 1) / 2);
}

}  // namespace

std::string name_of(const Point& point) {
  std::string name = point.op + " " + std::string(data::to_string(point.precision));
  for (const auto& [key, value] : point.shape) name += " " + key + "=" + number_text(value, 0);
  return name;
}

std::vector<Point> parts_of(const Point& point, const LayerShape& layer) {
  const double tokens = point.shape.at("tokens"), context = point.shape.at("context_tokens");
  const double batch = point.shape.at("batch");
  const auto hidden = static_cast<double>(layer.hidden), intermediate = static_cast<double>(layer.intermediate);
  const Precision precision = point.precision;
  Point attention = decode_point(layer, batch, context, 0);
  if (point.shape.at("phase") == 0) {
    attention = prefill_point(layer, tokens / batch, context - tokens / batch, 0);
    attention.shape["batch"] = batch;
  }
  const Point norm = row_point("norm", tokens, hidden, 0), residual = row_point("residual", tokens, hidden, 0);
  return {norm,
          gemm_point(precision, tokens, static_cast<double>(layer.qkv_width()), hidden, 0),
          rope_point(layer, tokens, 0),
          attention,
          gemm_point(precision, tokens, hidden, static_cast<double>(layer.q_width()), 0),
          residual,
          norm,
          gemm_point(precision, tokens, 2 * intermediate, hidden, 0),
          row_point("activation", tokens, intermediate, 0),
          gemm_point(precision, tokens, hidden, intermediate, 0),
          residual};
}

double flops_of(const Point& point, const LayerShape& layer) {
  const auto& shape = point.shape;
  const auto rotated = static_cast<double>((layer.heads + layer.kv_heads) * layer.head_dim);
  if (point.op == "gemm") return 2 * shape.at("m") * shape.at("n") * shape.at("k");
  if (point.op == "attention_prefill") {
    return 4 * shape.at("heads") * shape.at("head_dim") *
           prefill_pairs(shape.at("batch"), shape.at("q_tokens"), shape.at("past_tokens"));
  }
  if (point.op == "attention_decode") {
    return 4 * shape.at("heads") * shape.at("head_dim") * shape.at("batch") * shape.at("context_tokens");
  }
  if (point.op == "rope") return 3 * shape.at("tokens") * rotated;            // 4 products and 2 sums a pair
  if (point.op == "norm") return 4 * shape.at("tokens") * shape.at("width");  // square, sum, scale, weight
  if (point.op == "activation") return 5 * shape.at("tokens") * shape.at("width");
  if (point.op == "residual") return shape.at("tokens") * shape.at("width");
  if (point.op != "layer") throw std::logic_error("unknown operation " + point.op);
  double sum = 0;
  for (const Point& part : parts_of(point, layer)) sum += flops_of(part, layer);
  return sum;
}

double bytes_of(const Point& point, const LayerShape& layer) {
  const auto& shape = point.shape;
  if (point.op == "gemm") {
    const double m = shape.at("m"), n = shape.at("n"), k = shape.at("k");
    const double scales = point.precision == Precision::int8 ? n * kFp32Bytes : 0;
    return n * k * data::bytes_per_element(point.precision) + scales + m * (n + k) * kFp32Bytes;
  }
  if (point.op == "attention_prefill" || point.op == "attention_decode") {
    const bool decode = point.op == "attention_decode";
    const double tokens = shape.at("batch") * (decode ? 1 : shape.at("q_tokens"));
    const double context = decode ? shape.at("context_tokens") : shape.at("past_tokens") + shape.at("q_tokens");
    const double kv = 2 * shape.at("batch") * context * shape.at("kv_heads") * shape.at("head_dim") * kFp16Bytes;
    return kv + 2 * tokens * shape.at("heads") * shape.at("head_dim") * kFp32Bytes;
  }
  if (point.op == "rope") {  // q and k read and written, v read, k and v appended
    const auto q = static_cast<double>(layer.q_width()), kv = static_cast<double>(layer.kv_heads * layer.head_dim);
    return shape.at("tokens") * (2 * (q + kv) * kFp32Bytes + kv * kFp32Bytes + 2 * kv * kFp16Bytes);
  }
  if (point.op == "norm") return 2 * kFp32Bytes * shape.at("tokens") * shape.at("width");
  if (point.op == "activation" || point.op == "residual")
    return 3 * kFp32Bytes * shape.at("tokens") * shape.at("width");
  if (point.op != "layer") throw std::logic_error("unknown operation " + point.op);
  double sum = 0;
  for (const Point& part : parts_of(point, layer)) sum += bytes_of(part, layer);
  return sum;
}

GridPlan quick_grid() {
  GridPlan plan;
  add_gemms(plan, {{1, 0},
                   {16, 0},
                   {256, 0},
                   {6, 1},
                   {64, 1},
                   {1024, 1},
                   {4, 2},
                   {12, 2},
                   {32, 2},
                   {128, 2},
                   {384, 2},
                   {2, 3},
                   {24, 3},
                   {768, 3}});
  add_attention(plan, 3);
  add_row_operations(plan, {{1, 0}, {16, 0}, {256, 0}, {1024, 0}});
  add_layers(plan);
  return plan;
}

GridPlan full_grid() {
  GridPlan plan;
  add_gemms(plan, {{1, 0},
                   {16, 0},
                   {256, 0},
                   {6, 1},
                   {64, 1},
                   {1024, 1},
                   {4, 2},
                   {12, 2},
                   {32, 2},
                   {128, 2},
                   {384, 2},
                   {2, 3},
                   {24, 3},
                   {768, 3},
                   {48, 4},
                   {96, 4},
                   {192, 4},
                   {2048, 4}});
  add_attention(plan, 3);
  for (double q : {128.0, 768.0, 1536.0}) plan.points.push_back(prefill_point(plan.layer, q, 2560, 4));
  for (double batch : {2.0, 6.0, 24.0}) {
    for (double context : {128.0, 768.0, 2048.0}) {
      plan.points.push_back(decode_point(plan.layer, batch, context, 4));
    }
  }
  add_row_operations(plan, {{1, 0}, {4, 2}, {16, 0}, {64, 2}, {256, 0}, {1024, 0}, {2048, 4}});
  add_layers(plan);
  plan.budget_s = 290;
  plan.protocol.budget_s = 0.2;
  plan.protocol.wall_budget_s = 0.6;
  plan.protocol.min_samples = 9;
  plan.anchor_every_s = 20;
  return plan;
}

std::vector<Point> fit_to_budget(std::vector<Point> points, const std::function<double(const Point&)>& cost_s,
                                 double budget_s) {
  struct Priced {
    Point point;
    double cost_s;
    std::size_t place;
  };
  std::vector<Priced> priced;
  double total_s = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double cost = cost_s(points[i]);
    if (points[i].held_out() && cost > budget_s / 3) continue;
    total_s += cost;
    priced.push_back({std::move(points[i]), cost, i});
  }
  const auto rank = [](const Priced& entry) { return entry.point.held_out() ? -1 : entry.point.tier; };
  std::stable_sort(priced.begin(), priced.end(), [&](const Priced& a, const Priced& b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : a.cost_s < b.cost_s;
  });
  while (!priced.empty() && total_s > budget_s) {
    total_s -= priced.back().cost_s;
    priced.pop_back();
  }
  std::sort(priced.begin(), priced.end(), [](const Priced& a, const Priced& b) { return a.place < b.place; });
  std::vector<Point> kept;
  for (Priced& entry : priced) kept.push_back(std::move(entry.point));
  return kept;
}

}  // namespace weir::probes
