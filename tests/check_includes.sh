#!/bin/sh
# Arrows between rooms only go down: data <- sim <- probes, reports <- app; kernels stand alone.
set -eu
cd "$(dirname "$0")/.."
bad=0
forbid() {  # forbid PATTERN in FOLDER...
  pattern=$1
  shift
  for folder in "$@"; do
    [ -e "$folder" ] || continue
    if grep -rnE "#include *[<\"]($pattern)" "$folder" --include='*.h' --include='*.cpp'; then
      bad=1
    fi
  done
}
forbid 'sim/|kernels/|probes/|reports/|app/' data
forbid 'data/|sim/|probes/|reports/|app/' kernels
forbid 'kernels/|probes/|reports/|app/' sim
forbid 'reports/|app/' probes
forbid 'kernels/|probes/|app/' reports
forbid 'kernels/' app
forbid 'SQLiteCpp|sqlite3' sim kernels probes reports app data/import
forbid 'Q[A-Z]' data sim kernels probes app/cli reports/*.h reports/*.cpp reports/charts reports/document reports/xlsx reports/absent
forbid 'QWidget|QtWidgets|QApplication|app/desktop/(views|pages|main_window)' reports app/desktop/models
forbid 'cuda|cublas' data sim reports app
[ $bad = 0 ] || { echo "check_includes: the lines above include a room they may not see (see CONTRIBUTING.md)" >&2; exit 1; }
echo "includes: every arrow goes down"
