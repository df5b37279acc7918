#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "data/calibration.h"
#include "sim/model/sharded_model.h"
#include "sim/timing/calibrated_kernels.h"
#include "sim/timing/deployment_timer.h"
#include "tests/sim/timing/test_replicas.h"

namespace weir::sim {
namespace {

using data::Calibration;
using data::EfficiencyTable;
using data::Precision;
using data::Sample;

constexpr double kBandwidth = 20e9, kPeak = 200e9;
constexpr double kExact = 1e-9;  // relative: through a logarithm and back

Sample gemm_sample(double m, double n, double k, double seconds) {
  Sample s;
  s.op = "gemm";
  s.shape = {{"m", m}, {"n", n}, {"k", k}};
  s.precision = Precision::fp32;
  s.median_s = seconds;
  return s;
}

Sample attention_sample(double batch, double context, double seconds) {
  Sample s;
  s.op = "attention_decode";
  s.shape = {{"batch", batch}, {"context_tokens", context}, {"heads", 32}, {"kv_heads", 8}, {"head_dim", 128}};
  s.precision = Precision::fp16;
  s.median_s = seconds;
  return s;
}

Sample prefill_sample(double batch, double tokens, double seconds) {
  Sample s;
  s.op = "attention_prefill";
  s.shape = {{"batch", batch}, {"q_tokens", tokens}, {"past_tokens", 0},
             {"heads", 32},    {"kv_heads", 8},      {"head_dim", 128}};
  s.precision = Precision::fp16;
  s.median_s = seconds;
  return s;
}

/// A machine whose GEMMs run at `share` of its limits, a little worse for odd shapes.
Calibration machine(double share = 0.5) {
  Calibration c;
  c.device_id = "this-machine";
  c.device_name = "Test CPU";
  c.device_kind = "cpu";
  c.memory_bytes = 64e9;
  c.source = "made for a test";
  c.limits = {{"read_bandwidth", kBandwidth, "bytes/s", 0.01}, {"fp32_peak", kPeak, "flop/s", 0.01}};
  for (const auto& [n, k] : {std::pair{6144.0, 4096.0}, {4096.0, 4096.0}, {28672.0, 4096.0}, {4096.0, 14336.0}}) {
    for (const double m : {1.0, 8.0, 64.0, 512.0}) {
      const double roofline = std::max(2 * m * n * k / kPeak, 4 * (n * k + m * k + m * n) / kBandwidth);
      c.samples.push_back(
          gemm_sample(m, n, k, roofline / share * (1 + 0.02 * std::log(n / k) * (1 + 0.1 * std::log(m)))));
    }
  }
  for (const double batch : {1.0, 8.0}) {
    for (const double context : {128.0, 1024.0}) {
      c.samples.push_back(attention_sample(batch, context, batch * context * 2 * 1024 * 2 / (0.4 * kBandwidth)));
    }
  }
  for (const double tokens : {64.0, 512.0})
    c.samples.push_back(prefill_sample(1, tokens, 4 * 4096 * tokens * tokens / 2 / (0.3 * kPeak)));
  c.overheads = {{"step_host_s", 1e-3}};
  return c;
}

ReplicaSpec on(const Calibration& c) {
  ReplicaSpec spec = test::replica(c.as_accelerator());
  spec.weights = spec.activations = Precision::fp32;
  return spec;
}

CalibratedKernels kernels(const Calibration& c) {
  const ReplicaSpec spec = on(c);
  const ModelPrecisions fp32{Precision::fp32, Precision::fp32, Precision::fp16, Precision::fp32};
  const ShardedModel model(spec.model, fp32, 1);
  return CalibratedKernels(spec.accelerator, c, model,
                           std::make_unique<EfficiencyKernels>(spec.accelerator, EfficiencyTable::builtin(), model,
                                                               make_collectives(spec, EfficiencyTable::builtin(), 1)));
}

TEST(CalibratedKernels, MeasuredShapesComeBack) {
  const Calibration c = machine();
  const CalibratedKernels k = kernels(c);
  for (const Sample& s : c.samples) {
    if (s.op != "gemm") continue;
    const auto value = [&](const char* key) { return static_cast<std::int64_t>(s.shape.at(key)); };
    const Operator op = make_gemm("x", value("m"), value("n"), value("k"), Precision::fp32, Precision::fp32);
    EXPECT_NEAR(k.seconds(op), s.median_s, kExact * s.median_s);
  }
}

TEST(CalibratedKernels, BetweenAndBeyondMeasuredShapesTheEfficiencyHolds) {
  const CalibratedKernels k = kernels(machine());
  // 4096 x 4096 has no log(n/k) term: half of the roofline everywhere, also at rows nobody measured.
  for (const std::int64_t m : {1, 3, 20, 300, 2048}) {
    const Operator op = make_gemm("x", m, 4096, 4096, Precision::fp32, Precision::fp32);
    const double roofline = std::max(op.flops / kPeak, op.bytes / kBandwidth);
    EXPECT_NEAR(k.seconds(op), 2 * roofline, kExact * roofline) << m;
  }
  // An unmeasured matrix lies between the worst and the best of the measured ones.
  const Operator op = make_gemm("x", 64, 8192, 4096, Precision::fp32, Precision::fp32);
  const double roofline = std::max(op.flops / kPeak, op.bytes / kBandwidth);
  const double rows = 1 + 0.1 * std::log(64.0);
  EXPECT_GT(k.seconds(op), 2 * roofline * (1 + 0.02 * std::log(4096.0 / 14336) * rows));
  EXPECT_LT(k.seconds(op), 2 * roofline * (1 + 0.02 * std::log(28672.0 / 4096) * rows));
}

TEST(CalibratedKernels, LeaveOneOutErrorIsSmallForASmoothMachineAndGrowsWithNoise) {
  const CalibratedKernels smooth = kernels(machine());
  EXPECT_GT(smooth.leave_one_out_error(), 0);
  EXPECT_LT(smooth.leave_one_out_error(), 0.06);
  Calibration noisy = machine();
  for (std::size_t i = 0; i < noisy.samples.size(); i += 2) noisy.samples[i].median_s *= 1.5;
  EXPECT_GT(kernels(noisy).leave_one_out_error(), 0.2);
  Calibration busy = machine();
  busy.contended = true;
  EXPECT_NEAR(kernels(busy).leave_one_out_error(), 2 * smooth.leave_one_out_error(), kExact);
}

TEST(CalibratedTimer, UsesTheMeasurementsOfItsOwnDevice) {
  const Calibration c = machine();
  const auto timer = make_step_timer(on(c), EfficiencyTable::builtin(), &c);
  const double step_s = timer->iteration({{}, 8, 8 * 1024}).seconds();
  // Weights alone: 32 layers and the head at half of the bandwidth.
  const double weights_s = 4 * (32 * 218'103'808.0 + 128256.0 * 4096) / (0.5 * kBandwidth);
  EXPECT_GT(step_s, weights_s);
  EXPECT_LT(step_s, 1.25 * weights_s);
  EXPECT_LT(timer->relative_error(), 0.2);
  bool measured = false;
  for (const EvidenceNote& note : timer->evidence()) measured |= note.evidence == data::Evidence::measured_here;
  EXPECT_TRUE(measured);
  Calibration other = c;
  other.device_id = "another-machine";
  const auto estimated = make_step_timer(on(c), EfficiencyTable::builtin(), &other);
  EXPECT_GT(estimated->relative_error(), timer->relative_error());
}

TEST(CalibratedTimer, StepFollowsTheSumOfItsKernels) {
  const Calibration c = machine();
  const ReplicaSpec spec = on(c);
  const auto timer = make_step_timer(spec, EfficiencyTable::builtin(), &c);
  const CalibratedKernels k = kernels(c);
  const ModelPrecisions fp32{Precision::fp32, Precision::fp32, Precision::fp16, Precision::fp32};
  const ShardedModel model(spec.model, fp32, 1);
  double layer_s = k.seconds(model.decode_attention(8, 8 * 512));
  for (const Operator& op : model.token_operators(8)) layer_s += op.count * k.seconds(op);
  const IterationShape shape{{}, 8, 8 * 512};
  EXPECT_NEAR(predict_layer_seconds(spec, EfficiencyTable::builtin(), c, shape), layer_s, kExact * layer_s);
  const double expected = 1e-3 + 32 * layer_s + k.seconds(model.head(8));
  EXPECT_NEAR(timer->iteration(shape).seconds(), expected, 1e-4 * expected);
}

TEST(CalibratedTimer, SeveralSequencesInAPrefillSampleAreCounted) {
  Calibration one = machine(), four = machine();
  for (Sample& s : four.samples) {
    if (s.op != "attention_prefill") continue;
    s.shape["batch"] = 4;
    s.median_s *= 4;
  }
  const std::vector<PrefillChunk> chunk = {{256, 0}};
  const IterationShape shape{chunk, 0, 0};
  const double a = predict_layer_seconds(on(one), EfficiencyTable::builtin(), one, shape);
  const double b = predict_layer_seconds(on(four), EfficiencyTable::builtin(), four, shape);
  EXPECT_NEAR(a, b, kExact * a);
}

}  // namespace
}  // namespace weir::sim
