#!/usr/bin/env python3
"""Prints the tables under "What a practice is worth" of sim/README.md: one practice varied at a time, by `weir simulate`.

usage: sweeps.py WEIR     (the program, e.g. build/ci/bin/weir)
"""
import copy
import json
import subprocess
import sys
import tempfile

BERT = {
    "schema": "weir.scenario/1",
    "name": "texts",
    "workloads": [{
        "name": "texts", "kind": "one-shot", "model": {"id": "bert-large", "weights": "int8"},
        "classes": [{"name": "text", "arrivals": {"rate_per_s": 400},
                     "input_tokens": {"distribution": "fixed", "mean": 128}}]}],
    "serving": {"policy": "dynamic", "max_batch": 16, "max_delay_s": 0.005},
    "deployment": {"accelerator": "t4", "replicas": 1},
}
CHAT = {
    "schema": "weir.scenario/1",
    "name": "chat",
    "workloads": [{
        "name": "chat", "model": {"id": "llama-3.1-8b", "weights": "fp16"},
        "classes": [{"name": "all", "arrivals": {"rate_per_s": 20},
                     "input_tokens": {"distribution": "lognormal", "mean": 1155, "p99": 4000},
                     "output_tokens": {"distribution": "lognormal", "mean": 211, "p99": 700}}]}],
    "serving": {"policy": "chunked", "token_budget": 512, "max_batch": 128},
    "deployment": {"accelerator": "a100-sxm4-80gb", "replicas": 4},
}


def changed(base, **paths):
    scenario = copy.deepcopy(base)
    for path, value in paths.items():
        at = scenario
        keys = [int(k) if k.isdigit() else k for k in path.split("__")]
        for key in keys[:-1]:
            at = at.setdefault(key, {}) if isinstance(at, dict) else at[key]
        at[keys[-1]] = value
    return scenario


def run(weir, scenario):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(scenario, file)
        file.flush()
        done = subprocess.run([weir, "simulate", file.name, "--quiet", "--json", "-"], capture_output=True, text=True)
    if not done.stdout:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def latency(result, name, percentile):
    return result["latency_s"][name][percentile]


def ms(seconds):
    return f"{seconds * 1e3:,.0f} ms" if seconds >= 0.01 else f"{seconds * 1e3:.1f} ms"


def table(title, heads, rows):
    print(f"{title}\n\n| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def one_shot_rows(weir, variants):
    for label, scenario in variants:
        r = run(weir, scenario)
        yield (label, f"{r['throughput']['requests_per_s']:.0f}/s", f"{r['utilisation']['batch_size_mean']:.1f}",
               ms(latency(r, "e2e", "p50")), ms(latency(r, "e2e", "p99")), f"{r['utilisation']['gpu_busy']:.0%}")


def chat_rows(weir, variants):
    for label, scenario in variants:
        r = run(weir, scenario)
        yield (label, ms(latency(r, "ttft", "p50")), ms(latency(r, "ttft", "p99")), ms(latency(r, "tpot", "p99")),
               f"{r['throughput']['output_tokens_per_s']:,.0f}/s", f"{r['utilisation']['gpu_busy']:.0%}")


def main(weir):
    one_shot = ("", "served", "batch", "P50", "P99", "busy")
    chat = ("", "TTFT P50", "TTFT P99", "TPOT P99", "output tokens", "busy")
    rate, model = "workloads__0__classes__0__arrivals__rate_per_s", "workloads__0__model__weights"
    table("Most texts in a batch, BERT-large INT8 on one T4, 400 texts/s of 128 tokens", one_shot,
          one_shot_rows(weir, [(b, changed(BERT, serving__max_batch=b)) for b in (1, 2, 4, 8, 16, 32, 64)]))
    table("Longest wait for a fuller batch, the same", one_shot,
          one_shot_rows(weir, [(f"{d * 1e3:g} ms", changed(BERT, serving__max_delay_s=d))
                               for d in (0, 0.002, 0.005, 0.02, 0.05)]))
    table("Precision, the same at 40 texts/s", one_shot,
          one_shot_rows(weir, [(p, changed(BERT, **{rate: 40, model: p})) for p in ("fp32", "fp16", "int8")]))
    table("Replicas, Llama-3.1-8B FP16 on A100s, 20 chats/s", chat,
          chat_rows(weir, [(n, changed(CHAT, deployment__replicas=n)) for n in (3, 4, 5, 6, 8)]))
    table("Router, the same on 4", chat,
          chat_rows(weir, [(name, changed(CHAT, serving__router=name))
                           for name in ("random", "round-robin", "power-of-two", "least-outstanding", "least-tokens")]))
    classes = [dict(CHAT["workloads"][0]["classes"][0], name=name, priority=p, arrivals={"rate_per_s": r})
               for name, p, r in (("urgent", 1, 4), ("other", 0, 19))]
    rows = []
    for order in ("fcfs", "priority"):
        r = run(weir, changed(CHAT, workloads__0__classes=classes, serving__order=order))
        by_name = {c["name"]: c for c in r["classes"]}
        rows.append((order, ms(by_name["urgent"]["latency_s"]["ttft"]["p99"]),
                     ms(by_name["other"]["latency_s"]["ttft"]["p99"])))
    table("Priority, 4 urgent among 23 chats/s on 4", ("", "TTFT P99, urgent", "TTFT P99, others"), rows)
    rows = []
    for turns in (1, 2, 4, 8):
        for cache in (False, True):
            s = changed(CHAT, serving__prefix_cache=cache, serving__router="affinity" if cache else "least-outstanding",
                        **{rate: 12 / turns})
            c = s["workloads"][0]["classes"][0]
            c["sessions"] = {"turns": {"distribution": "fixed", "mean": turns},
                             "think_s": {"distribution": "fixed", "mean": 20}}
            c["input_tokens"] = {"distribution": "fixed", "mean": 600}
            r = run(weir, s)
            hit = r["utilisation"]["prefix_hit_rate"]
            rows.append((turns, "on" if cache else "off", "-" if hit is None else f"{hit:.0%}",
                         ms(latency(r, "ttft", "p99")), f"{r['utilisation']['gpu_busy']:.0%}"))
    table("Prefix cache, 12 requests/s in conversations of so many turns, each with 600 new tokens",
          ("turns", "cache", "hits", "TTFT P99", "busy"), rows)


if __name__ == "__main__":
    main(sys.argv[1])
