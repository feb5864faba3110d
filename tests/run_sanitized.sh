#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs what a build tree with sanitizers can test by itself: every unit test
# (a process for each program: one for each case takes three times as long),
# and the replays and differential tests that ctest knows.
#
# usage: run_sanitized.sh TREE
set -euo pipefail

readonly tree=${1:?the build tree}
status=0
programs=("$tree"/tests/*/*_test)
[[ ${#programs[@]} -gt 10 ]] || {
  echo "run_sanitized.sh: no unit tests in $tree" >&2
  exit 1
}
for program in "${programs[@]}"; do
  echo "$program"
  "$program" --gtest_brief=1 || status=1
done
ctest --test-dir "$tree" --label-exclude "e2e|scripts|unit" --no-tests=error \
  --output-on-failure || status=1
exit "$status"
