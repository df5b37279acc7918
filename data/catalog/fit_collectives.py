"""Fits alpha and beta of collectives and of single transfers to published tables, for make_efficiency.py.

Seconds of an operation = the least over its lines of base + hop x hops(ranks) + volume(ranks) x bytes / (share x link).
A library has a line for each of its algorithms or protocols and takes the fastest. The lines are fitted on every second
size of a table (least absolute error of the logarithm) and judged on the others.
"""

import collections
import csv
import math

# Lines of each set of kernels: name, hops(ranks), volume(ranks) in messages. Rings take 2 (r - 1) steps for an
# all-reduce (Patarasuk and Yuan 2009), r - 1 for the halves of it; one-shot: every rank reads what all others have;
# two-shot: every rank adds up its part, then all read the parts.
SHAPES = {
    ("all_reduce", "one-shot"): (lambda r: r - 1, lambda r: r - 1),
    ("all_reduce", "two-shot"): (lambda r: r - 1, lambda r: 2 * (r - 1) / r),
    ("all_reduce", "low-latency"): (lambda r: 2 * (r - 1), lambda r: 2 * (r - 1) / r),
    ("all_reduce", "ring"): (lambda r: 2 * (r - 1), lambda r: 2 * (r - 1) / r),
    ("send", "low-latency"): (lambda r: 1, lambda r: 1),
    ("send", "direct"): (lambda r: 1, lambda r: 1),
}
for half in ("all_gather", "reduce_scatter", "all_to_all"):
    for line in ("low-latency", "ring", "direct"):
        SHAPES[half, line] = (lambda r: r - 1, lambda r: (r - 1) / r)
CUSTOM_LIMIT_BYTES = 8 << 20  # vLLM gives NCCL what is as long or longer

# Tables of ai-dynamo/aiconfigurator (captured graphs) and of microsoft/vidur (kernels of an eager engine: their times hold
# the wait for the rank that is launched last). h100_pairwise_nvlink/send_recv.csv repeats the A100's file and is not used.
SYSTEMS = {"a100_sxm": "a100-sxm4-80gb", "h100_sxm": "h100-sxm5-80gb", "h200_sxm": "h200-sxm5-141gb", "l40s": "l40s"}
NODES = {"a100_dgx": "a100-sxm4-80gb", "h100_dgx": "h100-sxm5-80gb", "a100_pairwise_nvlink": "a100-pcie-80gb",
         "h100_pairwise_nvlink": "h100-pcie-80gb"}
AICONFIGURATOR, VIDUR = "ai-dynamo/aiconfigurator", "microsoft/vidur"
# The tables do not name their networks; their best rates are 36 and 7.8 GB/s.
NETWORKS = {"rdma": ("h100_dgx", 50e9, "taken as 400 Gb/s InfiniBand"),
            "ethernet": ("a100_dgx", 12.5e9, "taken as 100 Gb/s Ethernet")}

Point = collections.namedtuple("Point", "part size ranks seconds link held_out")
Line = collections.namedtuple("Line", "name base hop share")


def line_seconds(op, line, point):
    hops, volume = SHAPES[op, line.name]
    return line.base + line.hop * hops(point.ranks) + volume(point.ranks) * point.size / (line.share * point.link)


def seconds(op, lines, point):
    return min(line_seconds(op, line, point) for line in lines)


def errors(op, lines, points):
    return sorted(abs(math.log(seconds(op, lines, p) / p.seconds)) for p in points)


def loss(op, lines, points):
    """Mean error in which every part and number of ranks weighs the same."""
    groups = collections.defaultdict(list)
    for p in points:
        groups[p.part, p.ranks].append(abs(math.log(seconds(op, lines, p) / p.seconds)))
    return sum(sum(g) / len(g) for g in groups.values()) / len(groups)


def search(op, names, points, start):
    """Pattern search over the logarithms of all constants: deterministic, no derivatives."""
    values, step = list(start), 0.7

    def lines_of(v):
        return [Line(name, *(math.exp(x) for x in v[3 * i:3 * i + 3])) for i, name in enumerate(names)]

    def cost(v):
        return loss(op, lines_of(v), points) if all(v[i] <= 0 for i in range(2, len(v), 3)) else math.inf

    best = cost(values)
    while step > 0.004:
        improved = False
        for i in range(len(values)):
            for sign in (1, -1):
                trial = list(values)
                trial[i] += sign * step
                c = cost(trial)
                if c < best - 1e-5:
                    best, values, improved = c, trial, True
                    break
        if not improved:
            step /= 2
    return best, lines_of(values)


def fit(op, names, points):
    """Lines that fit the points which are not held out; the best of a few starts."""
    used = [p for p in points if not p.held_out]
    floor = min(p.seconds for p in used)
    best = None
    for share in (0.08, 0.25):
        for later in (2, 6):
            start = []
            for i, name in enumerate(names):
                # The first line has the least latency, the last the most of the link.
                start += [math.log(floor * later**i), math.log(floor / 10),
                          math.log(0.65 if i == len(names) - 1 else share)]
            found = search(op, names, used, start)
            if best is None or found[0] < best[0] - 1e-6:
                best = found
    return best[1]


def aiconfigurator_points(folder, system, op, ranks, link):
    """NCCL's half-precision rows; message_size counts elements."""
    points = []
    for path in sorted((folder / "aiconfigurator" / system).glob("nccl_*.csv")):
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["op_name"] == op and row["nccl_dtype"] == "half" and int(row["num_gpus"]) in ranks:
                    points.append(power_of_two_point(system, 2 * int(row["message_size"]), int(row["num_gpus"]),
                                                     float(row["latency"]) * 1e-3, link))
    return points


def custom_points(folder, system, ranks, link):
    """vLLM's own all-reduce in captured graphs, up to its limit."""
    path = folder / "aiconfigurator" / system / "vllm_0.14.0" / "custom_allreduce_perf.csv"
    with open(path, encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file) if r["backend"] == "vllm_graph" and int(r["num_gpus"]) in ranks]
    points = [power_of_two_point(system, 2 * int(r["message_size"]), int(r["num_gpus"]), float(r["latency"]) * 1e-3,
                                 link) for r in rows]
    return [p for p in points if p.size < CUSTOM_LIMIT_BYTES]


def power_of_two_point(part, size, ranks, latency, link):
    return Point(part, size, ranks, latency, link, round(math.log2(size)) % 2 == 0)


def vidur_points(folder, node, op, ranks, per_node, link):
    """One size in each step of 19 % (the table's are linear), every second one held out."""
    by_size = collections.defaultdict(list)
    with open(folder / "vidur" / "network" / node / f"{op}.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if (int(row["num_workers"]), int(row["devices_per_node"])) == (ranks, per_node):
                by_size[int(row["size"])].append(float(row[f"time_stats.{op}.median"]) * 1e-3)
    points, last = [], 0
    for size in sorted(by_size):
        if size >= 1.19 * last:
            times = sorted(by_size[size])
            middle = (times[(len(times) - 1) // 2] + times[len(times) // 2]) / 2
            points.append(Point(node, size, ranks, middle, link, len(points) % 2 == 1))
            last = size
    return points


def rounded(value):
    return float(f"{value:.3g}") if value >= 1e-8 else 0.0


def make_row(place, op, names, points, source, **more):
    lines = fit(op, names, points)
    lines = [Line(l.name, rounded(l.base), rounded(l.hop), rounded(l.share)) for l in lines]
    left = errors(op, lines, [p for p in points if p.held_out])
    return {**place, "op": op,
            "lines": [{"line": l.name, "base_s": l.base, "hop_s": l.hop, "share": l.share} for l in lines], **more,
            "n": len(points) - len(left), "held_out": len(left), "error_p50": rounded(left[len(left) // 2]),
            "error_p80": rounded(left[int(0.8 * len(left))]), "source": source}


def nvlink_rows(folder, links):
    halves = (("all_gather", "all_gather", "ring"), ("reduce_scatter", "reduce_scatter", "ring"),
              ("alltoall", "all_to_all", "direct"))
    every = (2, 4, 8)
    groups = {"Ampere": (["a100_sxm"], ["a100_dgx"]), "Hopper": (["h100_sxm", "h200_sxm"], ["h100_dgx"]),
              "*": (["a100_sxm", "h100_sxm", "h200_sxm"], ["a100_dgx", "h100_dgx"])}
    rows = []
    for architecture, (systems, nodes) in groups.items():
        def row(kernels, op, names, points, source, **more):
            parts = SYSTEMS | NODES
            of = ", ".join(sorted({parts[p.part] for p in points}))
            place = {"link": "nvlink", "architecture": architecture, "kernels": kernels}
            rows.append(make_row(place, op, names, points, f"published rows of {of}: {source}",
                                 evidence="assumption" if architecture == "*" else "measured-elsewhere", **more))

        def nccl(op):
            return [p for s in systems for p in aiconfigurator_points(folder, s, op, every, links[SYSTEMS[s]])]

        def vidur(op, ranks):
            return [p for n in nodes for r in ranks for p in vidur_points(folder, n, op, r, r, links[NODES[n]])]

        row("custom-graph", "all_reduce", ("one-shot", "two-shot"),
            [p for s in systems for p in custom_points(folder, s, every, links[SYSTEMS[s]])], AICONFIGURATOR,
            most_bytes=CUSTOM_LIMIT_BYTES - 1)
        row("nccl", "all_reduce", ("low-latency", "ring"), nccl("all_reduce"), AICONFIGURATOR)
        for table, op, line in halves:
            row("nccl", op, ("low-latency", line), nccl(table), AICONFIGURATOR)
        row("nccl-eager", "all_reduce", ("low-latency", "ring"), vidur("all_reduce", every), VIDUR)
        row("nccl", "send", ("low-latency", "direct"), vidur("send_recv", (2,)), VIDUR)
    return rows


def pcie_rows(folder, pcie):
    """The L40S at two ranks and pairs of A100 and H100 at four. At four and eight ranks the L40S of the tables copied
    through the host's memory (3.7 and 2.0 GB/s of 32): a machine without peer-to-peer, left out."""
    def row(kernels, op, names, points, source, **more):
        place = {"link": "pcie", "architecture": "*", "kernels": kernels}
        return make_row(place, op, names, points, source, evidence="measured-elsewhere", **more)

    def nccl(op):
        return aiconfigurator_points(folder, "l40s", op, (2,), pcie["l40s"])

    of_l40s = "published rows of l40s: " + AICONFIGURATOR
    pairs = [p for n in ("a100_pairwise_nvlink", "h100_pairwise_nvlink")
             for p in vidur_points(folder, n, "all_reduce", 4, 4, pcie[NODES[n]])]
    rows = [row("custom-graph", "all_reduce", ("one-shot", "two-shot"),
                custom_points(folder, "l40s", (2,), pcie["l40s"]), of_l40s, most_bytes=CUSTOM_LIMIT_BYTES - 1,
                most_ranks=2),
            row("nccl", "all_reduce", ("low-latency", "ring"), nccl("all_reduce") + pairs,
                f"published rows of a100-pcie-80gb, h100-pcie-80gb, l40s: {AICONFIGURATOR}, {VIDUR}")]
    for table, op, line in (("all_gather", "all_gather", "ring"), ("reduce_scatter", "reduce_scatter", "ring"),
                            ("alltoall", "all_to_all", "direct")):
        rows.append(row("nccl", op, ("low-latency", line), nccl(table), of_l40s))
    halves = [p._replace(size=p.size // 2) for p in nccl("all_gather")]  # each of two ranks sends its half
    rows.append(row("nccl", "send", ("low-latency", "direct"), halves, of_l40s))
    return rows


def network_rows(folder):
    rows = []
    for link, (node, rate, why) in NETWORKS.items():
        place = {"link": link, "architecture": "*", "kernels": "nccl"}
        rows.append(make_row(place, "send", ("low-latency", "direct"), vidur_points(folder, node, "send_recv", 2, 1, rate),
                             f"published rows of {NODES[node]}: {VIDUR}; its network is not stated, {why}",
                             evidence="assumption"))
    return rows


def collectives(folder, links, pcie):
    """Rows of efficiency.json. links, pcie: one direction in bytes/s by catalogue id."""
    return nvlink_rows(folder, links) + pcie_rows(folder, pcie) + network_rows(folder)
