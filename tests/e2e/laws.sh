#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: laws.sh sums|merge|base|input|granularity|filters
#
# What holds of the reports on any dump, tried on all of them.
. "$(dirname "$0")/common.inc"

readonly files=("$dumps"/*.heap)
[[ ${#files[@]} -ge 15 ]] || fail "$dumps" "15 dumps" "${#files[@]}"

# Flat values add up to the total (text checks that), and each is part of the
# cumulative value, which is part of the total; folded stacks add up, too.
check_sums() {
  local metric all bad
  for metric in alloc_objects inuse_space; do
    text --$metric "$1"
    all=$(total)
    [[ $all -gt 0 ]] || fail "total" "more than 0" "$all"
    bad=$(awk -v all="$all" \
      'NR > 1 && !(0 <= $1 && $1 <= $4 && 0 < $4 && $4 <= all)' "$tmp/out")
    expect_equal "rows without 0 <= flat <= cumulative <= total" "" "$bad"
  done
  run --collapsed --$metric "$1"
  expect_status 0
  expect_equal "sum of the stacks" "$all" \
    "$(awk '{ sum += $NF } END { printf "%d\n", sum }' "$tmp/out")"
  check_other_sums "$all" --$metric --show_bytes "$1"
}

# check_other_sums TOTAL ARGUMENT...: the other reports account for all of it.
check_other_sums() {
  local all=$1
  shift
  run -o "$tmp/a.callgrind" -o "$tmp/a.dot" "$@"
  expect_status 0
  expect_match a.callgrind "^summary: $all\$"
  expect_match a.dot "^digraph \".*; $all B\" "
  run --tree "$@"
  expect_match out "^Showing nodes accounting for ${all}B, 100% of ${all}B total"
  run --traces "$@"
  expect_equal "sum of the traces" "$all" "$(
    awk '/^--/ { leaf = 1; next } leaf { sum += $1; leaf = 0 }
      END { printf "%d\n", sum }' "$tmp/out"
  )"
}

# Adding dumps up is commutative, and the totals add up.
declare -A totals
check_merge() {
  local dump
  for dump in "$@"; do
    [[ -z ${totals[$dump]-} ]] || continue
    run --text --show_bytes --top 1 "$dump"
    totals[$dump]=$(total)
  done
  text "$1" "$2"
  expect_equal "total of both" "$((${totals[$1]} + ${totals[$2]}))" "$(total)"
  cp "$tmp/out" "$tmp/sum"
  text "$2" "$1"
  expect_same sum out
}

# A dump does not differ from itself; from nothing it differs by itself.
check_base() {
  run --text --base "$1" "$1"
  expect_status 0
  expect_empty out
  expect_match err 'no difference'
  run --collapsed "$1"
  cp "$tmp/out" "$tmp/plain"
  run --collapsed --base "$1" "$1" "$1"
  expect_status 0
  expect_same plain out
}

# The same bytes, however they come in, give the same report.
check_input() {
  run --text "$1"
  expect_status 0
  cp "$tmp/out" "$tmp/plain"
  [[ -s $tmp/plain ]] || fail "$1" "a report" "nothing"
  local pack
  for pack in gzip zstd; do
    $pack -c "$1" >"$tmp/packed"
    run --text "$tmp/packed"
    expect_same plain out
    run --text - < <(cat "$tmp/packed")
    expect_same plain out
  done
}

# Whatever a row stands for, the rows add up to the total; folded stacks, too.
check_granularity() {
  local option all
  text "$1"
  all=$(total)
  for option in --lines --files --addresses --modules; do
    text $option "$1"
    expect_equal "total of $option" "$all" "$(total)"
    run --collapsed $option "$1"
    expect_equal "sum of the stacks of $option" "$all" \
      "$(awk '{ sum += $NF } END { printf "%d\n", sum }' "$tmp/out")"
  done
}

# A pattern and its opposite share the total; frames that go take no bytes
# with them, as long as there are others.
check_filters() {
  local pattern part rest all
  text "$1"
  all=$(total)
  for pattern in HoldRecursive 'demo::' '[.]h:\d+$' libstdc; do
    run --text --show_bytes --focus="$pattern" "$1"
    expect_status 0
    part=$(sum_rows 1 '.*')
    run --text --show_bytes --ignore="$pattern" "$1"
    rest=$(sum_rows 1 '.*')
    expect_equal "total without $pattern" "$all" "$(total)"
    expect_equal "sum with and without $pattern" "$all" $((part + rest))
  done
  for option in --no-inlines --prune_from='^(main|_dl_init)$' --own=main \
    --exclude='^main$'; do
    text "$option" "$1"
    expect_equal "total with $option" "$all" "$(total)"
  done
}

previous=${files[-1]}
for dump in "${files[@]}"; do
  "check_$1" "$dump" "$previous"
  previous=$dump
done
