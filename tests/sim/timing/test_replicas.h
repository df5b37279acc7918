#pragma once

#include <string>
#include <utility>

#include "data/catalog.h"
#include "sim/timing/deployment_timer.h"

namespace weir::sim::test {

inline data::Quantity known(double value) {
  data::Quantity quantity;
  quantity.value = value;
  quantity.evidence = data::Evidence::datasheet;
  quantity.source = "test";
  return quantity;
}

/// A part of round numbers: 100 Tflop/s in fp16, 200 in int8, 1 TB/s, 40 GB, links of 100 GB/s.
inline data::Accelerator round_part() {
  data::Accelerator a;
  a.id = "round";
  a.name = "Round part";
  a.architecture = "Ampere";
  a.memory_bytes = known(40e9);
  a.memory_bandwidth_bytes_per_s = known(1e12);
  a.peak_flops_per_s = {{data::Precision::fp16, known(100e12)},
                        {data::Precision::bf16, known(100e12)},
                        {data::Precision::int8, known(200e12)},
                        {data::Precision::fp32, known(10e12)}};
  a.interconnect_name = "test link";
  a.interconnect_bytes_per_s = known(100e9);
  a.pcie_bytes_per_s = known(32e9);
  return a;
}

inline data::Model llama(int layers = 32) {
  data::Model m;
  m.id = "llama-3.1-8b";
  m.kind = data::ModelKind::llm;
  m.layers = layers;
  m.hidden = 4096;
  m.heads = 32;
  m.kv_heads = 8;
  m.head_dim = 128;
  m.intermediate = 14336;
  m.vocabulary = 128256;
  m.max_positions = 131072;
  m.attention = "gqa";
  return m;
}

inline data::Model bert_large() {
  data::Model m;
  m.id = "bert-large";
  m.kind = data::ModelKind::encoder;
  m.layers = 24;
  m.hidden = 1024;
  m.heads = m.kv_heads = 16;
  m.head_dim = 64;
  m.intermediate = 4096;
  m.vocabulary = 30522;
  m.max_positions = 512;
  m.mlp_matrices = 2;
  m.attention = "mha";
  return m;
}

inline ReplicaSpec replica(data::Accelerator accelerator = round_part(), data::Model model = llama()) {
  ReplicaSpec spec;
  spec.accelerator = std::move(accelerator);
  spec.model = std::move(model);
  return spec;
}

}  // namespace weir::sim::test
