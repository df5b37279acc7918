#!/usr/bin/env python3
"""Makes efficiency.json: the share of the datasheet limit that published kernels reached.

    make_efficiency.py --facts FOLDER --profiles FOLDER --out efficiency.json

The facts hold published_perf.csv and hardware.json, the profiles the tables of collectives (see fit_collectives.py). Only
kernel rows and encoder (BERT) rows are used: the end-to-end LLM rows stay free for testing. Of the encoder rows only those whose id has an even hash are used, so that
the odd ones can test the model. Quantiles give every part the same weight, however many rows it has.
"""

import argparse
import collections
import csv
import json
import pathlib
import re

import fit_collectives

TAU_GEMM_S = 2.3e-6  # launch inside a measured GEMM where a table is too small to show its own
POWER = 1.9  # how the compute and the memory time of a GEMM add up: (c^p + b^p)^(1/p)
ELEMENTWISE_SHARE = 0.7
WEIGHT_BYTES = {"fp32": 4, "tf32": 4, "fp16": 2, "fp8": 1, "int8": 1, "int4": 0.5 + 2 / 128}
PRECISIONS = (("bf16", "fp16"), ("bfloat16", "fp16"), ("fp16", "fp16"), ("fp8", "fp8"), ("int8", "int8"),
              ("int4", "int4"), ("tf32", "tf32"), ("fp32", "fp32"))
# How much longer a launch takes than on the newest parts, and how much slower than TensorRT the kernels of TensorFlow
# are on encoders: fitted on the published classic rows of all parts together. FasterTransformer: the even rows of T4 and
# A100 (0.94 and 1.14).
FASTER_TRANSFORMER_FACTOR, TENSORFLOW_FACTOR = 1.05, 1.96
LAUNCH_FACTORS = {"Ampere": 1.2, "Volta": 1.35, "Turing": 2.1}
ENCODER_ENGINES = [  # prefix of the row's engine, time factor against TensorRT, host seconds, seconds a kernel
    ("TensorRT demo/BERT", 1.0, 0.07e-3, 5.4e-6),
    ("Triton + TensorRT", 1.0, 0.12e-3, 5.4e-6),
    ("FasterTransformer (", FASTER_TRANSFORMER_FACTOR, 0.9e-3, 3.3e-6),
    ("TensorFlow (NGC", TENSORFLOW_FACTOR, 0.8e-3, 33e-6),
]
ENCODER_KERNELS_PER_LAYER = 8
ENCODERS = {"BERT-large": (24, 1024, 4096), "BERT-base": (12, 768, 3072)}
MLPERF_BERT_TOKENS = 178  # mean length of the SQuAD questions


def precision_of(text):
    for start, name in PRECISIONS:
        if text.lower().startswith(start):
            return name
    return None


class Part:
    def __init__(self, entry):
        self.id, self.architecture = entry["id"], entry["arch"]
        self.bandwidth = entry["memory_bw_gbps"]["v"] * 1e9
        self.peaks = {k: v["v"] * 1e12 for k, v in entry["dense_peak_tflops"].items() if v.get("v")}
        link = entry["interconnect"]["total_bidir_gbps"]["v"]
        self.link = link * 1e9 / 2 if link else None
        pcie = entry["pcie"]["x16_bidir_gbps"]["v"]
        self.pcie = pcie * 1e9 / 2 if pcie else None
        self.tdp_w = entry["tdp_w"]["v"]

    def same_chip(self, other, precision):
        """Whether the other part is the same chip under the same power limit (with other memory)."""
        return (self.architecture, self.tdp_w, self.peaks.get(precision)) == (
            other.architecture, other.tdp_w, other.peaks.get(precision))


class Parts:
    def __init__(self, hardware):
        self.by_name = {entry["name"]: Part(entry) for entry in hardware["accelerators"]}
        self.aliases = hardware["aliases"]

    def links(self):
        return {part.id: part.link for part in self.by_name.values() if part.link}

    def pcie(self):
        return {part.id: part.pcie for part in self.by_name.values() if part.pcie}

    def find(self, name):
        return self.by_name.get(name) or self.by_name.get(self.aliases.get(name, ""))


class Shares:
    """Achieved shares, collected by (op, precision, part)."""

    def __init__(self):
        self.values = collections.defaultdict(list)
        self.tensorrt = set()  # (precision, part) whose encoder share comes from TensorRT itself

    def add(self, op, precision, part, share, source):
        if 0 < share <= 1:  # above the limit: cached operands or a mistake in the source
            self.values[op, precision, part].append((share, source.split(":")[0]))


GemmPoint = collections.namedtuple("GemmPoint", "m seconds compute_s memory_s weights compute part table source")


def gemm_points(rows, parts):
    """Published GEMMs with n and k >= 2048; compute_s and memory_s are their times at the datasheet limits."""
    for row in rows:
        if row["category"] != "kernel_gemm" or row["metric"] != "kernel_latency":
            continue
        m, n, k = (int(x) for x in re.match(r"M=(\d+) N=(\d+) K=(\d+)", row["shape_or_input"]).groups())
        part = parts.find(row["hardware"])
        # Block-scaled FP8 is another format than the per-tensor one of the catalogue; H20 and H800 have no other rows.
        # FP8 tables of vLLM contain the quantisation of the activations.
        block = row["prec_weights"] == "fp8-block128"
        if min(n, k) < 2048 or (block and part.id not in ("h20-96gb", "h800-sxm5-80gb")):
            continue
        if row["prec_act"].startswith("fp8") and row["engine"].startswith("VLLM"):
            continue
        weights, compute = precision_of(row["prec_weights"]), precision_of(row["prec_act"])
        moved = n * k * WEIGHT_BYTES[weights] + m * k * WEIGHT_BYTES[compute] + 2 * m * n
        yield GemmPoint(m, float(row["value"]) * 1e-6, 2 * m * n * k / part.peaks[compute], moved / part.bandwidth, weights,
                        compute, part, (part.id, row["engine"], row["prec_weights"]), row["source"])


def floor_of(points):
    """Time that does not grow with the bytes: intercept of seconds over memory_s at m <= 16 (median of all slopes between
    two points, Theil 1950). It belongs to the benchmark's launch (up to 13 us with FP8), which engines with captured
    graphs do not pay for every GEMM; the model has its own launch times."""
    small = [p for p in points if p.m <= 16]
    slopes = [(q.seconds - p.seconds) / (q.memory_s - p.memory_s) for p in small for q in small
              if q.memory_s > 1.3 * p.memory_s]
    if len(slopes) < 3:
        return TAU_GEMM_S
    slope = quantile([(s, 1) for s in slopes], 0.5)
    rest = quantile([(p.seconds - slope * p.memory_s, 1) for p in small], 0.5)
    return min(max(rest, 0), 0.9 * min(p.seconds for p in points))


def read_gemm(rows, parts, shares):
    """Compute share of rows with m >= 256, memory share of rows with m <= 16."""
    tables = collections.defaultdict(list)
    for point in gemm_points(rows, parts):
        tables[point.table].append(point)
    for points in tables.values():
        floor = floor_of(points)
        memory_shares = [p.memory_s / (p.seconds - floor) for p in points if p.m <= 16]
        memory_share = quantile([(s, 1) for s in memory_shares], 0.5) if memory_shares else 0.75
        for point, seconds in ((p, p.seconds - floor) for p in points):
            if point.m <= 16:
                shares.add("gemm_memory", point.weights, point.part, point.memory_s / seconds, point.source)
            elif point.m >= 256:
                # What is left for the arithmetic under the model's own form.
                rest = seconds**POWER - (point.memory_s / memory_share) ** POWER
                if rest > 0.3 * seconds**POWER:
                    shares.add("gemm", point.compute, point.part, point.compute_s / rest ** (1 / POWER), point.source)


def shape_numbers(text):
    return dict(item.split("=") for item in text.split() if "=" in item)


def read_attention(rows, parts, shares):
    for row in rows:
        part = parts.find(row["hardware"])
        shape = shape_numbers(row["shape_or_input"])
        if row["category"] == "kernel_attn_decode":
            heads, kv_heads = int(shape["q_heads"]), int(shape["kv_heads"])
            element = 1 if "fp8" in row["prec_kv"] else 2
            moved = 2 * int(shape["batch"]) * int(shape["kv_len"]) * kv_heads * int(shape["head_dim"]) * element
            # Below that the floor of a launch dominates; beyond 16 query heads a KV head it is bound by arithmetic.
            if moved >= 256e6 and heads <= 16 * kv_heads:
                share = moved / part.bandwidth / (float(row["value"]) * 1e-6)
                shares.add("attention_decode", "fp16", part, share, row["source"])
        if row["category"] == "kernel_attn_prefill" and precision_of(row["prec_act"]) == "fp16":
            engine = row["engine"]
            fit = engine.startswith(("TensorRT-LLM", "FlashAttention-3", "cuDNN")) or (
                engine == "FlashAttention-2" and part.architecture != "Hopper")  # not the kernel used on Hopper
            length = int(shape.get("seq", 0))
            if not fit or length < 2048:
                continue
            if row["metric"] == "achieved_compute":
                if shape.get("causal") != "True":
                    continue
                flops_per_s = float(row["value"]) * 1e12
            else:
                flops = 2 * int(shape["batch"]) * int(shape["q_heads"]) * int(shape["head_dim"]) * length**2
                flops_per_s = flops / (float(row["value"]) * 1e-6)
            shares.add("attention_prefill", "fp16", part, flops_per_s / part.peaks["fp16"], row["source"])


EXPERT_MEMORY_SHARE = 0.8  # of the bandwidth, where the arithmetic's part is looked for


def add_expert_share(shares, part, precision, rows_per_expert, flops, moved, seconds, source):
    """Grouped GEMMs: the weights' share of the bandwidth at few rows an expert, the arithmetic's share at many."""
    if precision not in part.peaks:
        return
    memory_s = moved / part.bandwidth
    if rows_per_expert <= 16:
        shares.add("grouped_gemm_memory", precision, part, memory_s / seconds, source)
    elif rows_per_expert >= 256:
        rest = seconds**POWER - (memory_s / EXPERT_MEMORY_SHARE) ** POWER
        if rest > 0.3 * seconds**POWER:
            shares.add("grouped_gemm", precision, part, flops / part.peaks[precision] / rest ** (1 / POWER), source)


def read_experts(rows, parts, shares):
    """DeepGEMM's grouped GEMMs with balanced rows, and whole expert layers of TensorRT-LLM (both GEMMs and the passes
    between them: the share is of the two GEMMs' limit)."""
    for row in rows:
        part, seconds = parts.find(row["hardware"]), float(row["value"]) * 1e-6
        precision = precision_of(row["prec_weights"])
        if row["category"] == "kernel_grouped_gemm" and row["metric"] == "kernel_latency":
            found = re.search(r"local_experts=(\d+) .* tokens_per_expert=(\d+) N=(\d+) K=(\d+)", row["shape_or_input"])
            experts, per_expert, n, k = (int(x) for x in found.groups())
            if min(n, k) < 512 or experts * per_expert == 0:
                continue
            element = WEIGHT_BYTES[precision]
            flops = 2 * experts * per_expert * n * k
            moved = experts * n * k * element + experts * per_expert * (k * element + 2 * n)
            add_expert_share(shares, part, precision, per_expert, flops, moved, seconds, row["source"])
        elif row["category"] == "kernel_moe" and not row["prec_weights"].startswith("fp8-block"):
            shape = {key: int(value) for key, value in shape_numbers(row["shape_or_input"]).items()}
            pairs = shape["tokens"] * shape["topk"] / shape["ep"]
            experts = shape["experts"] / shape["ep"]
            if pairs < experts:  # which experts a few tokens take, the source does not say
                continue
            size, element = 3 * shape["hidden"] * shape["inter"], WEIGHT_BYTES[precision]
            moved = experts * size * element + pairs * (shape["hidden"] + shape["inter"]) * (element + 2)
            add_expert_share(shares, part, precision, pairs / experts, 2 * pairs * size, moved, seconds, row["source"])


def read_latent(rows, parts, shares):
    """Latent attention of 128 heads. Decode in the latent space is near the balance of arithmetic and memory, so that its
    share is of the longer of the two limits."""
    for row in rows:
        part = parts.find(row["hardware"])
        if row["metric"] != "kernel_latency":
            continue
        shape = shape_numbers(row["shape_or_input"])
        seconds = float(row["value"]) * 1e-6
        if row["category"] == "kernel_mla_decode":
            heads, rank, rope = (int(shape[key]) for key in ("q_heads", "kv_lora", "rope"))
            context = int(shape["batch"]) * int(shape["kv_len"])
            moved = context * (rank + rope) * (1 if "fp8" in row["prec_kv"] else 2)
            limit = max(2 * heads * (2 * rank + rope) * context / part.peaks["fp16"], moved / part.bandwidth)
            # Small ones are bound by their launch; FP8 caches are unpacked on the way and stand for no other part.
            if moved >= 256e6 and "fp8" not in row["prec_kv"]:
                shares.add("mla_decode", "fp16", part, limit / seconds, row["source"])
        elif row["category"] == "kernel_mla_prefill":
            length, heads = int(shape["seq"]), int(shape["heads"])
            if length >= 2048:
                flops = heads * (int(shape["qk_dim"]) + int(shape["v_dim"])) * length**2
                shares.add("mla_prefill", "fp16", part, flops / part.peaks["fp16"] / seconds, row["source"])


def encoder_share(model, part, precision, batch, tokens, seconds, engine):
    """Inverts the encoder model: t = host + (G^1.5 + (kernels tau)^1.5)^(2/3), G = flops / (peak e) x factor + bytes."""
    layers, hidden, inner = ENCODERS[model]
    _, factor, host_s, kernel_s = engine
    rows = batch * tokens
    matrices = 4 * hidden * hidden + 2 * hidden * inner
    flops = layers * (2 * rows * matrices + 4 * batch * tokens**2 * hidden)
    element = WEIGHT_BYTES[precision]
    moved = layers * element * (matrices + rows * (8 * hidden + 2 * inner))
    launches = layers * ENCODER_KERNELS_PER_LAYER * kernel_s * LAUNCH_FACTORS.get(part.architecture, 1)
    rest = (seconds - host_s) ** 1.5 - launches**1.5
    if rest <= 0:
        return 0
    busy = rest ** (2 / 3) - 0.5 * moved / (ELEMENTWISE_SHARE * part.bandwidth)
    return flops / part.peaks[precision] * factor / busy if busy > 0 else 0


def used_for_fit(row):
    return int(row["id"].split("-")[1], 16) % 2 == 0


def read_encoder_latencies(rows, parts, found):
    for row in rows:
        if row["category"] != "classic" or row["model"] not in ENCODERS or row["metric"] != "latency":
            continue
        engine = next((e for e in ENCODER_ENGINES if row["engine"].startswith(e[0])), None)
        part, precision = parts.find(row["hardware"]), precision_of(row["prec_act"])
        if not engine or not part or "remove-padding" in row["engine"] or "-v" in row["prec_act"] or not used_for_fit(row):
            continue
        batch, tokens = int(row["batch"]), int(row["input_tokens"])
        if batch * tokens >= 1024 and precision in part.peaks:
            share = encoder_share(row["model"], part, precision, batch, tokens, float(row["value"]) * 1e-3, engine)
            found[engine[1], precision, part].append((share, row["source"]))


def read_encoder(rows, parts, shares):
    """TensorRT's rows where there are some, else those of the other engines, brought to TensorRT by their factors."""
    found = collections.defaultdict(list)
    read_encoder_latencies(rows, parts, found)
    measured = {(precision, part.id) for _, precision, part in found}
    for row in rows:  # MLPerf's large batches stand for parts without latency rows
        if row["category"] != "mlperf" or row["model"] != "BERT-large" or row["load_mode"] != "MLPerf-Offline":
            continue
        part, precision = parts.find(row["hardware"]), precision_of(row["prec_act"])
        if not part or (precision, part.id) in measured or precision not in part.peaks:
            continue
        per_gpu = float(row["value"]) / int(row["num_gpus"])
        share = encoder_share("BERT-large", part, precision, 64, MLPERF_BERT_TOKENS, 64 / per_gpu, ENCODER_ENGINES[0])
        found[1.0, precision, part].append((share, row["source"]))
    for (factor, precision, part), values in found.items():
        if factor == 1.0:
            shares.tensorrt.add((precision, part))
        if factor == 1.0 or (1.0, precision, part) not in found:
            for share, source in values:
                shares.add("encoder", precision, part, share, source)


def quantile(weighted, fraction):
    """Quantile of (value, weight) pairs: where the cumulated weight, taken at the middle of each value, passes it."""
    weighted = sorted(weighted)
    total, reached = sum(w for _, w in weighted), 0.0
    points = []
    for value, weight in weighted:
        points.append(((reached + weight / 2) / total, value))
        reached += weight
    if fraction <= points[0][0]:
        return points[0][1]
    for (a, x), (b, y) in zip(points, points[1:]):
        if fraction <= b:
            return x + (y - x) * (fraction - a) / (b - a)
    return points[-1][1]


def summary(groups):
    """groups: lists of (share, source), one a part. Every part weighs the same."""
    weighted = [(share, 1 / len(group)) for group in groups for share, _ in group]
    sources = sorted({source for group in groups for _, source in group})
    return {"n": len(weighted), "median": round(quantile(weighted, 0.5), 3), "p10": round(quantile(weighted, 0.1), 3),
            "p90": round(quantile(weighted, 0.9), 3)}, sources


def make_rows(shares):
    by_architecture, by_op, rows = collections.defaultdict(dict), collections.defaultdict(dict), []
    for (op, precision, part), values in shares.values.items():
        by_architecture[part.architecture, op, precision][part.id] = values
        by_op[op, precision][part.id] = values
    for (architecture, op, precision), groups in by_architecture.items():
        numbers_of_all, sources = summary(list(groups.values()))
        text = f"published rows of {', '.join(sorted(groups))}: {', '.join(sources)}"
        rows.append({"architecture": architecture, "op": op, "precision": precision, **numbers_of_all,
                     "evidence": "measured-elsewhere", "source": text})
        for part, values in groups.items():
            if len(groups) > 1 and (len(values) >= 3 or op == "encoder"):
                spread, (numbers, sources) = numbers_of_all, summary([values])
                if len(values) < 3:  # too few to show a spread of their own
                    numbers["p10"] = round(numbers["median"] * spread["p10"] / spread["median"], 3)
                    numbers["p90"] = round(min(1, numbers["median"] * spread["p90"] / spread["median"]), 3)
                rows.append({"architecture": architecture, "hardware": part, "op": op, "precision": precision, **numbers,
                             "evidence": "measured-elsewhere", "source": f"published rows of {part}: {', '.join(sources)}"})
    for (op, precision), groups in by_op.items():
        numbers, sources = summary(list(groups.values()))
        rows.append({"architecture": "*", "op": op, "precision": precision, **numbers, "evidence": "assumption",
                     "source": f"all architectures together, {len(groups)} parts: {', '.join(sources)}"})
    return rows


def stand_ins(rows, shares):
    """GEMM and attention shares of architectures and parts that only have encoder rows: the share of the measured parts x
    own encoder share / encoder share of those parts. Limited by power, a part stays about as far below its peak in a
    GEMM as in an encoder. Only where that says at least 10 % less than the measured parts reach."""
    def find(op, precision, architecture, hardware=None):
        return next((r for r in rows if r["op"] == op and r["precision"] == precision and
                     r["architecture"] == architecture and r.get("hardware") == hardware), None)

    with_gemm = {(part, precision) for op, precision, part in shares.values if op == "gemm"}
    with_encoder = {(part, precision) for op, precision, part in shares.values if op == "encoder"}
    twins = {(part, precision) for part, precision in with_encoder
             if any(p == precision and part.same_chip(other, precision) for other, p in with_gemm)}
    measured = {(part.id, precision) for part, precision in with_gemm | twins}
    made = []
    for row in [r for r in rows if r["op"] == "encoder" and r["architecture"] != "*"]:
        architecture, hardware, precision = row["architecture"], row.get("hardware"), row["precision"]
        place = {"architecture": architecture, **({"hardware": hardware} if hardware else {})}
        name = hardware or architecture
        if (hardware, precision) in measured or find("gemm", precision, architecture, hardware):
            continue
        family = architecture if find("gemm", precision, architecture) else "*"
        reference = find("gemm", precision, family)
        if not reference:
            if not hardware:  # nobody published GEMMs in this precision
                made.append({**row, "op": "gemm", "evidence": "assumption",
                             "source": f"no GEMM rows in {precision}: the encoder share of {name} stands in"})
            continue
        known = sorted((part for part, p in twins if p == precision and (p, part) in shares.tensorrt),
                       key=lambda part: part.id)
        own_family = [part for part in known if family == part.architecture]
        peers = [shares.values["encoder", precision, part] for part in own_family or known]
        if not peers:
            continue
        ratio = row["median"] / summary(peers)[0]["median"]
        if ratio > 0.9:
            continue
        why = (f"the share of the measured parts x {ratio:.2f}, by which its encoder share is below theirs; P10 is its "
               f"encoder share, P90 the share of the measured parts")
        median = round(ratio * reference["median"], 3)
        made.append({**place, "op": "gemm", "precision": precision, "n": row["n"], "median": median,
                     "p10": min(row["median"], median), "p90": max(reference["median"], median),
                     "evidence": "assumption", "source": f"no GEMM rows of {name}: {why}"})
        attention = find("attention_prefill", precision, family)
        if attention and not find("attention_prefill", precision, architecture, hardware):
            made.append({**place, "op": "attention_prefill", "precision": precision, "n": row["n"],
                         **{key: round(attention[key] * ratio, 3) for key in ("median", "p10")}, "p90": attention["p90"],
                         "evidence": "assumption", "source": f"no attention rows of {name}: {why}"})
    return made


def engines():
    """Fitted on published rows; relative_error is the P80 of |log(predicted/measured)| of left-out groups."""
    # A layer of experts launches 17 to 27 kernels (router, sorting, grouped GEMMs, sums): the middle.
    common = {"evidence": "fitted", "encoder_kernels_per_layer": ENCODER_KERNELS_PER_LAYER,
              "expert_kernels_per_layer": 22}
    return [
        {"engine": "compiled-graphs", "collective_kernels": "custom-graph",
         "host_s": 0.8e-3, "sequence_s": 6.7e-6, "kernel_s": 2.5e-6, "kernels_per_layer": 9, "launches_overlap": False,
         "relative_error": 0.27, "encoder_host_s": 0.07e-3, "encoder_kernel_s": 5.4e-6,
         "encoder_time_factor": 1.0, "encoder_relative_error": 0.22, **common,
         "source": "median of four families fitted on published rows (vLLM, SGLang, TensorRT-LLM serving 2025-26, "
                   "TensorRT-LLM 0.17-1.0 throughput); encoders: TensorRT rows"},
        {"engine": "compiled", "collective_kernels": "nccl",
         "host_s": 1.1e-3, "sequence_s": 14e-6, "kernel_s": 7.1e-6, "kernels_per_layer": 9,
         "launches_overlap": False, "relative_error": 0.26, "encoder_host_s": 0.9e-3, "encoder_kernel_s": 3.3e-6,
         "encoder_time_factor": FASTER_TRANSFORMER_FACTOR, "encoder_relative_error": 0.43, **common,
         "source": "fitted on published rows (FasterTransformer GPT and BERT); error of TensorRT-LLM 0.9 static rows"},
        {"engine": "eager", "collective_kernels": "nccl-eager",
         "host_s": 2.7e-3, "sequence_s": 14e-6, "kernel_s": 45.6e-6, "kernels_per_layer": 9,
         "launches_overlap": True, "relative_error": 0.42, "encoder_host_s": 0.8e-3, "encoder_kernel_s": 33e-6,
         "encoder_time_factor": TENSORFLOW_FACTOR, "encoder_relative_error": 0.24, "fused_passes": False,
         "pass_gap_s": 4e-6, **common,
         "source": "fitted on published rows (vLLM 0.4 without graphs: 0.41 ms a layer, hidden behind the kernels when "
                   "they take longer); norms, rotations and gates as single tensor operations, 4 us from one to the next "
                   "when launched ahead (assumption); encoders: TensorFlow XLA rows; error of Hugging Face rows"},
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", required=True)
    parser.add_argument("--profiles", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    with open(f"{arguments.facts}/hardware.json", encoding="utf-8") as file:
        parts = Parts(json.load(file))
    with open(f"{arguments.facts}/published_perf.csv", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["confidence"] != "low"]
    shares = Shares()
    read_gemm(rows, parts, shares)
    read_attention(rows, parts, shares)
    read_experts(rows, parts, shares)
    read_latent(rows, parts, shares)
    read_encoder(rows, parts, shares)
    table = make_rows(shares)
    table += stand_ins(table, shares)
    table.sort(key=lambda r: (r["op"], r["architecture"], r.get("hardware", ""), r["precision"]))
    result = {"schema": "weir.efficiency/1",
              "note": "Share of the datasheet limit that published kernels reached. gemm: precision the arithmetic runs "
                      "in; gemm_memory: precision of the weights. Every part of a row weighs the same.",
              "launch_factors": LAUNCH_FACTORS, "rows": table,
              "collectives": fit_collectives.collectives(arguments.profiles, parts.links(), parts.pcie()),
              "engines": engines()}
    with open(arguments.out, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main()
