#!/bin/sh
# Every test that sim/README.md names exists.
set -eu
cd "$(dirname "$0")/.."
named=$(grep -oE '`[A-Z][A-Za-z0-9]*\.[A-Z][A-Za-z0-9_]*`' sim/README.md | tr -d '`' | sort -u)
bad=0
for test in $named; do
  if ! grep -rqE "(TEST|TEST_F|TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(${test%%.*}, ${test#*.}[,)]" tests --include='*_test.cpp'; then
    echo "sim/README.md names $test, which is no test" >&2
    bad=1
  fi
done
[ $bad = 0 ]
echo "$(echo "$named" | wc -l) named tests exist"
