#!/usr/bin/env python3
"""Checks the JSON Schema files of data/schema: they are schemas, every good sample and every shipped file passes, every
bad sample fails at the place of its one fault. Needs python3-jsonschema (Debian: python3-jsonschema).

Usage: check_schemas.py [FILE...]; with files, validates those by the name in their "schema" key.
"""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("SKIPPED: python3-jsonschema is not installed")
    sys.exit(77)

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
FORMATS = ("scenario", "calibration", "hardware", "models", "prices", "economics", "networks", "efficiency", "run", "plan",
           "import")


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def validators():
    result = {}
    for name in FORMATS:
        schema = read(DATA / "schema" / f"{name}.schema.json")
        kind = jsonschema.validators.validator_for(schema)
        kind.check_schema(schema)
        result[name] = kind(schema)
    return result


def pointer(parts):
    return "".join("/" + str(p).replace("~", "~0").replace("/", "~1") for p in parts)


def places(error):
    """JSON pointers an error speaks of: where it is, and the missing or unknown key it names there."""
    here = pointer(error.absolute_path)
    yield here
    if error.validator == "required":
        yield here + "/" + error.message.split("'")[1]
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        for key in error.instance:
            yield here + pointer([key])
    if "propertyNames" in error.absolute_schema_path:
        yield here + pointer([error.instance])
    for inner in error.context or []:
        yield from places(inner)


def main():
    known = validators()
    failures = []

    def check_good(path, name):
        for error in known[name].iter_errors(read(path)):
            failures.append(f"{path}: {pointer(error.absolute_path)}: {error.message[:200]}")

    if len(sys.argv) > 1:
        for argument in sys.argv[1:]:
            path = pathlib.Path(argument)
            check_good(path, read(path)["schema"].split(".")[1].split("/")[0])
    else:
        samples = DATA / "schema" / "samples"
        shipped = [(p, p.stem) for p in sorted((DATA / "catalog").glob("*.json"))]
        shipped += [(p, "scenario") for p in sorted((DATA / "scenarios").glob("*.json"))]
        shipped += [(p, "calibration") for p in sorted((DATA / "calibrations").glob("*.json"))]
        good = [(p, p.stem.split("-")[0]) for p in sorted((samples / "good").glob("*.json"))]
        for path, name in shipped + good:
            check_good(path, name)
        missing = set(FORMATS) - {name for _, name in good}
        failures += [f"no good sample of {name}" for name in sorted(missing)]

        lines = [line.split(maxsplit=1) for line in (samples / "bad" / "expected.txt").read_text().splitlines()
                 if not line.startswith("#")]
        named = {name for name, _ in lines}
        failures += [f"{p.name} is not in expected.txt" for p in (samples / "bad").glob("*.json") if p.name not in named]
        for name, place in lines:
            path = samples / "bad" / name
            errors = list(known[name.split("-")[0]].iter_errors(read(path)))
            found = {p for error in errors for p in places(error)}
            if not errors:
                failures.append(f"{path}: passes, but its {place} is wrong")
            elif place not in found:
                failures.append(f"{path}: expected an error at {place}, found {sorted(found)}")
        print(f"{len(known)} schemas, {len(shipped)} shipped files, {len(good)} good and {len(lines)} bad samples")
    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
