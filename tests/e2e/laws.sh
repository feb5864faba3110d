#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: laws.sh input|filters|names
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

# pattern: matches exactly the names of the rows in $tmp/out. An "@" and the
# address, where overloads have one name, are no part of it.
pattern() {
  local names
  names=$(sed -E '/^Total/d; s/^( *[^ ]+){5} //; s/@[0-9a-f]+$//; s/.*/\\Q&\\E/' "$tmp/out" |
    sort -u | paste -sd '|')
  echo "^($names)\$"
}

# Every filter matches each name that a table shows, and each full name,
# whatever form of the names the table shows then.
check_names() {
  local style shown names option
  for style in '' --names=full --names=template --names=short; do
    run --text ${style:+"$style"} "$1"
    cp "$tmp/out" "$tmp/table"
    names=$(pattern)
    for shown in ${style:+"$style"} ''; do
      run --text ${shown:+"$shown"} "$1"
      cp "$tmp/out" "$tmp/table"
      for option in --hide --exclude --ignore; do
        run --text ${shown:+"$shown"} "$option=$names" "$1"
        expect_equal "rows with $option" 0 "$(row_count)"
      done
      for option in --focus --retain --show_from; do
        run --text ${shown:+"$shown"} "$option=$names" "$1"
        expect_same table out
      done
      run --text ${shown:+"$shown"} "--own=$names" "$1"
      expect_no_match out 'outside your code'
    done
    run "--callers=$names" "$1"
    expect_status 0
    run "--list=$names" "$1"
    expect_status 0
  done
}

for dump in "${files[@]}"; do
  # The names of one program in a few builds are enough for the daily run.
  [[ $1 != names || ${HEAPPROF_FULL-} || $dump == */inlining.* ]] || continue
  "check_$1" "$dump"
done
