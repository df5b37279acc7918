#!/usr/bin/env python3
"""Draws the sample trace sample-chat.csv from published statistics. No row of any real trace is used.

The statistics are those of the conversation trace of the Azure LLM inference dataset 2023 (Patel et al., "Splitwise:
Efficient Generative LLM Inference Using Phase Splitting", ISCA 2024; data under CC-BY 4.0).

    make_sample_trace.py --out sample-chat.csv      writes the trace
    make_sample_trace.py --check sample-chat.csv    prints its statistics beside the published ones

Only random.random() is used, whose sequence for a seed Python keeps from version to version.
"""
import argparse
import csv
import math
import random
import sys

SEED = 20231116
DURATION_S = 1800.0

# Published: requests / span, variance / mean of the counts in 1 s bins, lengths in tokens.
RATE_PER_S = 5.5304
DISPERSION_1S = 1.39
INPUT = {"mean": 1154.697, "p50": 1020, "p95": 4083, "p99": 4142, "max": 14050}
OUTPUT = {"mean": 211.126, "p50": 129, "p95": 451, "p99": 601, "max": 1000}

# Assumptions of ours: the shortest prompt and answer have one token; the rate climbs in a straight line from 15 % below
# its mean to 15 % above; gaps are Gamma with this CV: over many gaps the dispersion of the counts is CV^2 plus what the
# ramp adds, (2 RAMP)^2 RATE / 12 = 0.04, together the published one.
SHORTEST = 1
RAMP = 0.15
GAP_CV = 1.16


def knots(published):
    """(probability, tokens) of the quantile function."""
    return [(0.0, SHORTEST), (0.5, published["p50"]), (0.95, published["p95"]), (0.99, published["p99"]),
            (1.0, published["max"])]


def exponent(published):
    """The g for which q(u) = low + (high - low) * t**g between knots, t in [0, 1], has the published mean.

    A segment of width w has the mean low + (high - low) / (1 + g), so g follows from one equation.
    """
    points = knots(published)
    low_part = rise = 0.0
    for (p0, low), (p1, high) in zip(points, points[1:]):
        low_part += (p1 - p0) * low
        rise += (p1 - p0) * (high - low)
    return rise / (published["mean"] - low_part) - 1.0


def quantile(points, g, u):
    for (p0, low), (p1, high) in zip(points, points[1:]):
        if u <= p1:
            return low + (high - low) * ((u - p0) / (p1 - p0)) ** g
    return points[-1][1]


def draw_lengths(rng, published, n):
    """One draw from each of n equal slices of probability, in random order: percentiles then sit at the published ones."""
    points, g = knots(published), exponent(published)
    lengths = [max(SHORTEST, round(quantile(points, g, (i + rng.random()) / n))) for i in range(n)]
    for i in range(n - 1, 0, -1):
        j = int(rng.random() * (i + 1))
        lengths[i], lengths[j] = lengths[j], lengths[i]
    return lengths


def gamma_below_one(rng, shape):
    """Gamma(shape, 1) for shape < 1: Ahrens and Dieter 1974, algorithm GS."""
    b = (math.e + shape) / math.e
    while True:
        p = b * rng.random()
        if p <= 1.0:
            x = p ** (1.0 / shape)
            if rng.random() <= math.exp(-x):
                return x
        else:
            x = -math.log((b - p) / shape)
            if rng.random() <= x ** (shape - 1.0):
                return x


def draw_arrivals(rng):
    """Gamma gaps in operational time, mapped to seconds through the integral of the rising rate."""
    shape = 1.0 / GAP_CV**2
    slope = 2 * RAMP / DURATION_S
    arrivals, operational = [], 0.0
    while True:
        operational += gamma_below_one(rng, shape) / (shape * RATE_PER_S)
        # (1 - RAMP) t + slope t^2 / 2 = operational
        t = (math.sqrt((1 - RAMP) ** 2 + 2 * slope * operational) - (1 - RAMP)) / slope
        if t >= DURATION_S:
            return arrivals
        arrivals.append(t)


def write(path):
    rng = random.Random(SEED)
    arrivals = draw_arrivals(rng)
    inputs = draw_lengths(rng, INPUT, len(arrivals))
    outputs = draw_lengths(rng, OUTPUT, len(arrivals))
    with open(path, "w", encoding="ascii", newline="\n") as out:
        out.write("arrival_s,input_tokens,output_tokens\n")
        for arrival, tokens_in, tokens_out in zip(arrivals, inputs, outputs):
            out.write(f"{arrival:.3f},{tokens_in},{tokens_out}\n")


def percentile(ordered, p):
    at = (len(ordered) - 1) * p / 100
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def statistics(path):
    with open(path, encoding="ascii", newline="") as source:
        rows = list(csv.DictReader(source))
    times_ms = [round(float(row["arrival_s"]) * 1000) for row in rows]
    offsets = [t - times_ms[0] for t in times_ms]
    span_s = offsets[-1] / 1000
    bins = [0] * (offsets[-1] // 1000 + 1)
    minutes = [0] * (offsets[-1] // 60000 + 1)
    for offset in offsets:
        bins[offset // 1000] += 1
        minutes[offset // 60000] += 1
    mean = len(rows) / len(bins)
    out = {"requests": len(rows), "span s": span_s, "rate /s": len(rows) / span_s, "busiest minute": max(minutes),
           "dispersion 1 s": sum((b - mean) ** 2 for b in bins) / len(bins) / mean}
    for name, column in (("input", "input_tokens"), ("output", "output_tokens")):
        ordered = sorted(int(row[column]) for row in rows)
        out[f"{name} mean"] = sum(ordered) / len(ordered)
        for p in (50, 95, 99):
            out[f"{name} p{p}"] = percentile(ordered, p)
        out[f"{name} max"] = ordered[-1]
    return out


def check(path):
    published = {"rate /s": RATE_PER_S, "dispersion 1 s": DISPERSION_1S}
    for name, values in (("input", INPUT), ("output", OUTPUT)):
        published.update({f"{name} {key}": value for key, value in values.items()})
    print("| statistic | sample | published | difference |\n|---|---|---|---|")
    for key, value in statistics(path).items():
        if key in published:
            print(f"| {key} | {value:.3f} | {published[key]} | {100 * (value / published[key] - 1):+.1f} % |")
        else:
            print(f"| {key} | {value:g} | | |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", help="file to write")
    parser.add_argument("--check", metavar="FILE", help="print the statistics of a trace")
    args = parser.parse_args()
    if not args.out and not args.check:
        parser.error("one of --out and --check is needed")
    if args.out:
        write(args.out)
    if args.check:
        check(args.check)


if __name__ == "__main__":
    sys.exit(main())
