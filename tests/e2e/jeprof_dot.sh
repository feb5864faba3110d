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

# same_graph ARGUMENT...: with all boxes; other limits are among the arguments.
same_graph() {
  local differences base=()
  [[ $* != *--base=* ]] || base=(--base)
  graphs --nodecount=100000 --nodefraction=0 "$@"
  differences=$(
    python3 -B "$compare" "${base[@]}" "$tmp/jeprof.dot" "$tmp/ours.dot"
  ) ||
    fail "graph of $*" "that of jeprof" "$differences"
}

# check ARGUMENT...
check() {
  local differences base=()
  [[ $* != *--base=* ]] || base=(--base)
  same_graph --edgefraction=0 --maxdegree=100000 "$@"
  same_graph --edgefraction=0 --maxdegree=100000 --heapcheck "$@"
  # Only our graph has edges across omitted functions.
  for limit in --nodecount=5 --nodefraction=0.1; do
    graphs "$limit" "$@"
    differences=$(
      python3 -B "$compare" --nodes-only "${base[@]}" "$tmp/jeprof.dot" \
        "$tmp/ours.dot"
    ) || fail "nodes of $limit $*" "those of jeprof" "$differences"
  done
}

check "$golden/ex1.raw"
check --inuse_objects "$golden/ex1.raw"
check --base="$golden/ex0.raw" "$golden/ex1.raw"
inputs=("$dumps"/{inlining,threads}.gcc-O2.heap
  "$E2E"/sampled/quickstart.gcc-O2.heap)
[[ -z ${HEAPPROF_FULL-} ]] ||
  inputs+=("$dumps"/inlining.{gcc-O0,clang-O2}.heap
    "$dumps"/{shared_main.gcc-O2,warehouse.gcc-O2-static}.heap)
for dump in "${inputs[@]}"; do
  run --raw -o "$tmp/dump.raw" "$dump"
  expect_status 0
  check "$tmp/dump.raw"
  # The same edges are omitted, too, if jeprof counts none of them twice. Among
  # edges of equal value, which are common in dumps of samples, jeprof's choice
  # is arbitrary.
  limits=(--maxdegree=2 --edgefraction=0.1)
  case $dump in
    */inlining.* | */sampled/*) limits=() ;;
  esac
  for limit in "${limits[@]}"; do
    same_graph "$limit" "$tmp/dump.raw"
  done
done
