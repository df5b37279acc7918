#!/bin/sh
# conform.sh PROGRAM RUN TRACE PREDICTIONS: one of the recorded runs, or code 77 where they are not at hand.
set -eu
if [ -z "${WEIR_FIELD_DATA:-}" ]; then
  echo "WEIR_FIELD_DATA is not set"
  exit 77
fi
vidur=$WEIR_FIELD_DATA/data/vidur
exec "$1" --run "$vidur/runs/$2" --trace "$vidur/traces/$3" --predictions "$vidur/predictions/$4"
