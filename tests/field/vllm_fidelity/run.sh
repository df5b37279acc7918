#!/bin/sh
# run.sh PROGRAM RUN PROFILE: one of the measured runs, or code 77 where they are not at hand.
set -eu
if [ -z "${WEIR_FIELD_DATA:-}" ]; then
  echo "WEIR_FIELD_DATA is not set"
  exit 77
fi
data=$WEIR_FIELD_DATA/data
exec "$1" --run "$data/traces/llmservingsim-bench/$2" --profile "$data/profiles/llmservingsim/profiler/perf/$3/bf16"
