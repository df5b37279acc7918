#!/usr/bin/env python3
"""Makes hardware.json, models.json, prices.json and economics.json of this folder out of a folder of collected facts.

Usage: make_catalog.py --facts FOLDER [--out FOLDER]

The facts keep the units of their sources (GB, TFLOPS, both directions of a link together); the catalogue is SI and per
direction. The output depends on nothing but the input, so that a diff of two catalogues shows what changed.
"""
import argparse
import json
import pathlib
import re

GIB = 1 << 30
MIB = 1 << 20
PRECISIONS = ("fp32", "tf32", "fp16", "bf16", "fp8", "int8", "int4")

# Sources that ran something on the part itself; all others repeat a specification.
MEASURED = {"alice-idle", "ptao-b200", "gist-orin", "alice", "nyu", "glk-rel", "rsc", "fau", "glri"}
FITTED = {"mle"}
UNSOURCED = {"memory-unverified", "assumption"}

# "GB" in the name of these vendors' parts is GiB of memory; the others are taken at their word, which is less memory.
NOMINAL_IS_GIB = {"NVIDIA", "AMD", "Hygon", "AWS"}

# A price that carries one of these notes stays in the list for the record and is not used for estimates.
NOT_USED = (
    ("before the cut", "superseded: before a price cut"),
    ("before the 44% cut", "superseded: before a price cut"),
    ("looks like a reserved or older price", "conflicts with another table of its own source"),
    ("cheapest seller", "cheapest seller of a mixed list, not a typical price"),
    ("price converted to CNY by the source", "converted by its source at an unknown rate"),
    ("product identity uncertain", "the source does not say clearly which product"),
)


def number(value):
    """An integer where the value is whole, so that 80.0 and 80 print alike."""
    if isinstance(value, float):
        value = float(f"{value:.12g}")
        if value.is_integer() and abs(value) < 2**53:
            return int(value)
    return value


def evidence_of(source):
    if source in UNSOURCED:
        return "assumption"
    if source in FITTED:
        return "fitted"
    if source in MEASURED:
        return "measured-elsewhere"
    return "datasheet"


def source_titles(sources, used):
    """key -> "title, date", only those that are used."""
    titles = {}
    for key in sorted(used):
        source = sources.get(key, {})
        title = source.get("title", key)
        if key == "memory-unverified":
            title = "no source found: from memory"
        if key == "derived":
            title = "computed from other values of this entry"
        if source.get("date"):
            title += ", " + source["date"]
        titles[key] = title
    return titles


def quantity(fact, scale=1, note=""):
    """{v, src, note} of the facts -> {value, evidence, source, note} in SI units."""
    value = fact.get("v")
    source = fact["src"]
    result = {"value": None if value is None else number(value * scale)}
    result["evidence"] = evidence_of(source)
    result["source"] = source
    notes = [n for n in (fact.get("note"), note) if n]
    if notes and value is not None:
        result["note"] = "; ".join(notes)
    return result


def memory_bytes(fact, vendor, arch):
    seen = re.search(r"([\d,.]+) (MiB|GiB) seen by the driver", fact.get("note", ""))
    if seen:
        unit = MIB if seen.group(2) == "MiB" else GIB
        size = round(float(seen.group(1).replace(",", "")) * unit)
        return {"value": size, "evidence": "measured-elsewhere", "source": fact["src"],
                "note": f"what the driver shows of nominally {fact['v']} GB"}
    if vendor in NOMINAL_IS_GIB or arch == "Battlemage":
        return quantity({k: v for k, v in fact.items() if k != "note"} | {"v": fact["v"]}, GIB,
                        f"derived: the vendor's {fact['v']} GB are GiB")
    return quantity(fact, 10**9, f"derived: the vendor's {fact['v']} GB taken as 10^9 bytes")


def unique_aliases(spellings, entry):
    known = {entry["id"].lower(), entry["name"].lower()}
    result = []
    for spelling in spellings:
        if spelling.lower() not in known:
            known.add(spelling.lower())
            result.append(spelling)
    return result


def spellings_of(aliases):
    by_name = {}
    for spelling, name in aliases.items():
        by_name.setdefault(name, []).append(spelling)
    return by_name


def hardware(facts):
    spellings = spellings_of(facts["aliases"])
    entries, used = [], set()
    for a in facts["accelerators"]:
        entry = {"id": a["id"], "name": a["name"], "vendor": a["vendor"], "architecture": a["arch"]}
        entry["aliases"] = unique_aliases(spellings.get(a["name"], []), entry)
        form = a["form_factor"].get("v")
        if form:
            entry["form_factor"] = form
        if a.get("caution"):
            entry["note"] = a["caution"]
        if a.get("gpus_on_board"):
            entry["chips_on_board"] = a["gpus_on_board"]
        entry["memory_bytes"] = memory_bytes(a["memory_gb"], a["vendor"], a["arch"])
        entry["memory_bandwidth_bytes_per_s"] = quantity(a["memory_bw_gbps"], 1e9)
        peaks = a["dense_peak_tflops"]
        entry["peak_flops_per_s"] = {p: quantity(peaks[p], 1e12) for p in PRECISIONS
                                     if peaks.get(p, {}).get("v") is not None}
        entry["tdp_w"] = quantity(a["tdp_w"])
        entry["idle_w"] = quantity(a["idle_w"])
        entry["interconnect_name"] = a["interconnect"]["name"]
        entry["interconnect_bytes_per_s"] = quantity(a["interconnect"]["total_bidir_gbps"], 0.5e9,
                                                     "half of the total of both directions")
        entry["pcie_bytes_per_s"] = quantity(a["pcie"]["x16_bidir_gbps"], 0.5e9,
                                             "half of the total of both directions")
        entry["max_per_server"] = quantity(a["max_per_server"])
        entry["compute_units"] = quantity(a["sm_count"])
        entries.append(entry)
        for value in list(entry.values()) + list(entry["peak_flops_per_s"].values()):
            if isinstance(value, dict) and "source" in value:
                used.add(value["source"])
    check_names(entries)
    return {"schema": "weir.hardware/1", "date": facts["checked"],
            "note": "Peaks are dense, tensor units with FP32 accumulation where there are any; fp32 is the vector "
                    "units. Links are one direction. null = unknown or not there.",
            "sources": source_titles(facts["sources"], used), "accelerators": entries}


def check_names(entries):
    """A spelling may name one entry only."""
    owner = {}
    for entry in entries:
        for name in [entry["id"], entry["name"], *entry["aliases"]]:
            if owner.setdefault(name.lower(), entry["id"]) != entry["id"]:
                raise SystemExit(f"{name} names both {owner[name.lower()]} and {entry['id']}")


def model_note(m):
    notes = [m["note"]] if m.get("note") else []
    if m.get("attention_chunk"):
        notes.append("chunks are taken as a sliding window of the same size, which costs more")
    return "; ".join(notes)


def experts_of(m):
    """Keys of a mixture of experts; the shared experts are given by the width of all of them together."""
    shared = m.get("shared_expert_intermediate") or m["shared_experts"] * m["moe_intermediate"]
    return {"experts": m["experts"], "experts_active": m["experts_active"],
            "expert_intermediate": m["moe_intermediate"], "shared_intermediate": shared,
            "dense_layers": m.get("first_k_dense", 0)}


def attention_of(m):
    """Keys of latent attention and of layers that see a window only."""
    keys = {}
    if m.get("attention") == "mla":
        for key in ("kv_lora_rank", "q_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"):
            if m[key] is not None:
                keys[key] = m[key]
    if m.get("attention_chunk"):  # three of four layers (Llama 4)
        keys |= {"sliding_window": m["attention_chunk"], "sliding_layers": m["layers"] * 3 // 4}
    elif m.get("sliding_layers"):
        keys |= {"sliding_window": m["sliding_window"], "sliding_layers": m["sliding_layers"]}
    return keys


def models(facts):
    spellings = spellings_of(facts["aliases"])
    entries = []
    for name, m in facts["models"].items():
        transformer = m["kind"] in ("llm", "encoder")
        entry = {"id": m["id"], "name": name, "kind": m["kind"] if transformer else "other"}
        if not transformer:
            entry["family"] = m["kind"]
        entry["aliases"] = unique_aliases(
            [s for s in spellings.get(name, []) if not s.endswith(" layer")], entry)
        if transformer:
            for key in ("layers", "hidden", "heads", "kv_heads", "head_dim", "intermediate"):
                entry[key] = m[key]
            entry["vocabulary"] = m["vocab"]
            entry["max_positions"] = m["max_positions"]
            entry["mlp_matrices"] = m.get("mlp_matrices", 2)  # encoders of the list are plain
            entry["tied_embeddings"] = m.get("tie_word_embeddings", m["kind"] == "encoder")
            entry["mixture_of_experts"] = bool(m.get("experts"))
            if m.get("experts"):
                entry |= experts_of(m)
            entry["attention"] = m.get("attention", "mha")
            entry |= attention_of(m)
        if m.get("params_b") is not None:
            entry["parameters"] = number(m["params_b"] * 1e9)
        elif m.get("params_m") is not None:
            entry["parameters"] = number(m["params_m"] * 1e6)
        unsure = m.get("confidence") in ("medium", "low") or "from memory" in m["source"]
        entry["evidence"] = "assumption" if unsure else "datasheet"
        entry["source"] = m["source"]
        if model_note(m):
            entry["note"] = model_note(m)
        entries.append(entry)
    check_names(entries)
    return {"schema": "weir.models/1", "date": "2026-11-30",
            "note": "Shapes are counts of the whole model.", "models": entries}


def price_evidence(confidence):
    return "datasheet" if confidence in ("high", "medium") else "assumption"


def price_point(p):
    note = p.get("note", "")
    entry = {"id": p["id"], "kind": p["kind"], "provider": p["provider"], "sku": p["sku"],
             "accelerator": p["accelerator_id"], "accelerators": p["gpus"]}
    if p["kind"] == "rent":
        entry["per_accelerator_hour"] = number(p["price_per_gpu_hour"])
    else:
        entry["per_accelerator"] = number(p["price_per_gpu"])
        for key in ("low", "high"):
            if p.get("price_" + key) is not None:
                entry[key] = number(p["price_" + key] / p["gpus"])
    entry |= {"currency": p["currency"], "term": p["term"], "region": p["region"], "place": p["place"],
              "date": p["date"], "source": p["source"], "evidence": price_evidence(p["confidence"])}
    if p.get("condition"):
        entry["condition"] = p["condition"]
    if p["accelerator_match"] == "assumed" and "does not say" not in note:
        note = "; ".join(n for n in (note, "which variant is assumed") if n)
    if note.startswith('source says only "reserved"'):
        note = 'source says only "reserved"; the level fits one year, nothing upfront'
    if note:
        entry["note"] = note
    for pattern, reason in NOT_USED:
        if pattern in note:
            entry["not_used"] = reason
            break
    return entry


def prices(facts, ids):
    points = [price_point(p) for p in facts["points"]]
    servers = []
    for s in facts["server_defaults"]:
        origin = [p for p in facts["points"] if p["id"] in s["from_points"]]
        keys = sorted({p["source"] for p in origin})
        entry = {"accelerator": ids[s["accelerator"]], "accelerators": s["gpus"], "low": number(s["low"]),
                 "mid": number(s["default"]), "high": number(s["high"]), "currency": s["currency"],
                 "region": s["region"], "evidence": price_evidence(s["confidence"]), "sources": keys}
        if s.get("note"):
            entry["note"] = s["note"]
        servers.append(entry)
    rates = [{"from": r["from"], "to": r["to"], "low": r["low"], "mid": r["rate"], "high": r["high"],
              "date": r["date"], "evidence": price_evidence(r["confidence"]), "source": r["source"],
              "note": r.get("note", "")} for r in facts["fx"]]
    ratios = [{"scheme": d["scheme"], "term": d["term"], "low": d.get("low", d["ratio"]), "mid": d["ratio"],
               "high": d.get("high", d["ratio"]), "evidence": price_evidence(d["confidence"]),
               "source": d["source"]} for d in facts["discount_ratios"]]
    used = {p["source"] for p in points} | {k for s in servers for k in s["sources"]}
    used |= {r["source"] for r in rates} | {r["source"] for r in ratios}
    return {"schema": "weir.prices/1", "date": facts["checked"],
            "note": "Prices are of one accelerator; a month is 730 hours. Western prices are without tax; Chinese "
                    "quotes mostly do not say whether VAT is inside.",
            "sources": source_titles(facts["sources"], used), "exchange_rates": rates, "server_prices": servers,
            "discount_ratios": ratios, "points": points}


def ranged(v, evidence):
    entry = {"low": number(v["low"]), "mid": number(v["default"]), "high": number(v["high"]), "evidence": evidence,
             "source": v["src"]}
    if v.get("note"):
        entry["note"] = v["note"]
    return entry


CONFIDENCE = {"high": 0, "medium": 1, "low": 2, "assumption": 3}


def electricity_by_place(facts, rates):
    """The best sourced industrial price of each state or country; a later one wins among equals."""
    best = {}
    for f in facts:
        item = f["item"].lower()
        if f["category"] != "electricity" or "commercial" in item or "subsidy" in item or f["default"] is None:
            continue
        for place in f["place"]:
            rank = (-CONFIDENCE[f["confidence"]], f["date"])
            if place not in best or rank > best[place][0]:
                best[place] = (rank, f)
    result = {}
    for place, (_, f) in sorted(best.items()):
        currency = f["unit"].split("/")[0]
        usd = {"USD": 1.0, "EUR": rates[("EUR", "USD")], "CNY": 1 / rates[("USD", "CNY")]}[currency]
        low, high = f["low"], f["high"]
        note = f"{f['item']}, {f['region']}, {f['date']}"
        if currency != "USD":
            note += f"; {f['default']} {currency}/kWh converted"
        if low == high:
            low, high = 0.8 * f["default"], 1.2 * f["default"]
            note += "; the source has one figure, -20% and +20% are assumed"
        evidence = price_evidence(f["confidence"])
        result[place] = {"low": number(round(low * usd, 4)), "mid": number(round(f["default"] * usd, 4)),
                         "high": number(round(high * usd, 4)), "evidence": evidence, "source": f["src"], "note": note}
    return result


def economics(facts, fx):
    rates = {(r["from"], r["to"]): r["rate"] for r in fx}
    inputs, used = {}, set()
    for key, v in facts["inputs"].items():
        evidence = "assumption" if v["status"] == "assumption" else evidence_of(v["src"])
        entry = {"group": v["group"], "unit": v["unit"]} | ranged(v, evidence)
        places = {}
        for region, r in v.get("by_region", {}).items():
            places[region.lower()] = ranged(r, evidence_of(r["src"]))
        if key == "electricity_usd_per_kwh":
            places = electricity_by_place(facts["facts"], rates) | places
        if places:
            entry["by_place"] = dict(sorted(places.items()))
        inputs[key] = entry
        used |= {entry["source"]} | {p["source"] for p in places.values()}
    titles = source_titles(facts["sources"], used)
    titles["prices"] = "computed from the price points of prices.json, " + facts["checked"]
    return {"schema": "weir.economics/1", "date": facts["checked"],
            "note": "Planning values with ranges read as P5 to P95. by_place: a state or province (us-va), a country "
                    "(us, cn) or eu; the most exact one wins.",
            "sources": titles, "inputs": inputs}


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def lines_of(value, width):
    """JSON text in which whatever fits into `width` characters stands on one line."""
    return "\n".join(write(value, width, 0)) + "\n"


def write(value, width, indent):
    pad = "  " * indent
    one_line = compact(value)
    if not isinstance(value, (dict, list)) or (indent > 1 and len(one_line) <= width) or not value:
        return [pad + one_line]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    items = value.items() if isinstance(value, dict) else [(None, v) for v in value]
    out = [pad + opening]
    for i, (key, item) in enumerate(items):
        part = write(item, width, indent + 1)
        if key is not None:
            part[0] = "  " * (indent + 1) + compact(key) + ": " + part[0].lstrip()
        if i + 1 < len(items):
            part[-1] += ","
        out += part
    return out + [pad + closing]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--facts", required=True, type=pathlib.Path, help="folder with the collected facts")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent)
    options = parser.parse_args()
    facts = {name: json.loads((options.facts / f"{name}.json").read_text(encoding="utf-8"))
             for name in ("hardware", "models", "prices", "economics")}
    ids = {a["name"]: a["id"] for a in facts["hardware"]["accelerators"]}
    catalogue = {
        "hardware": (hardware(facts["hardware"]), 400),
        "models": (models(facts["models"]), 1000),
        "prices": (prices(facts["prices"], ids), 1000),
        "economics": (economics(facts["economics"], facts["prices"]["fx"]), 600),
    }
    for name, (content, width) in catalogue.items():
        text = lines_of(content, width)
        (options.out / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}.json: {len(text.encode())} bytes")


if __name__ == "__main__":
    main()
