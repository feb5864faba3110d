#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Call graphs have the nodes, edges and numbers of jeprof's. Both read what
# --raw writes of each dump, so that names are the same.
. "$(dirname "$0")/common.inc"

readonly golden=${GOLDEN:?the directory of the symbolized dumps}
readonly compare=$ORACLE/compare_dot.py

# graphs ARGUMENT...: leaves $tmp/jeprof.dot and $tmp/ours.dot.
graphs() {
  jeprof --dot --show_bytes "$@" >"$tmp/jeprof.dot" 2>"$tmp/err" ||
    fail "jeprof --dot $*" "status 0" "$?"
  run --dot --show_bytes "$@"
  expect_status 0
  cp "$tmp/out" "$tmp/ours.dot"
}

# check ARGUMENT...
check() {
  local differences
  graphs --nodecount=100000 --nodefraction=0 --edgefraction=0 \
    --maxdegree=100000 "$@"
  differences=$(python3 -B "$compare" "$tmp/jeprof.dot" "$tmp/ours.dot") ||
    fail "graph of $*" "that of jeprof" "$differences"
  # Across functions that are left out only our graph has edges.
  for limit in --nodecount=5 --nodefraction=0.1; do
    graphs "$limit" "$@"
    differences=$(
      python3 -B "$compare" --nodes-only "$tmp/jeprof.dot" "$tmp/ours.dot"
    ) || fail "nodes of $limit $*" "those of jeprof" "$differences"
  done
}

check "$golden/ex1.raw"
check --inuse_objects "$golden/ex1.raw"
check --base="$golden/ex0.raw" "$golden/ex1.raw"
for dump in "$dumps"/{inlining,threads,shared_main}.gcc-O2.heap \
  "$dumps"/inlining.{gcc-O0,clang-O2}.heap \
  "$dumps"/warehouse.gcc-O2-static.heap "$E2E"/sampled/quickstart.gcc-O2.heap; do
  run --raw -o "$tmp/dump.raw" "$dump"
  expect_status 0
  check "$tmp/dump.raw"
done
