#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: laws.sh input|filters
#
# Laws that hold for the table of any dump, tried on all dumps. More such laws
# are in report_laws.py.
. "$(dirname "$0")/common.inc"

readonly files=("$dumps"/*.heap)
[[ ${#files[@]} -ge 15 ]] || fail "$dumps" "15 dumps" "${#files[@]}"

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

# A pattern and its opposite add up to the total; removing frames removes no
# bytes as long as other frames remain.
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

for dump in "${files[@]}"; do
  "check_$1" "$dump"
done
