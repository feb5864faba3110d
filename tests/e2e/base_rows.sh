#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# In jeprof's table of a difference, the largest change comes first, up or down,
# and a value that rounds to zero has no sign.
. "$(dirname "$0")/common.inc"

# expect_sorted COLUMN: absolute values fall from row to row.
expect_sorted() {
  local row
  row=$(awk -v column="$1" '
    /^Total/ { next }
    { value = $column < 0 ? -$column : $column }
    NR > 2 && value > last { print; exit }
    { last = value }' "$tmp/out")
  [[ -z $row ]] || fail "rows" "sorted by column $1" "$row"
}

readonly sides=(
  "--base $E2E/sampled/quickstart.gcc-O2.heap $E2E/sampled/quickstart.clang-O2.heap"
  "--base $dumps/inlining.gcc-O2.heap $dumps/growth.first.heap"
  "--base $dumps/growth.first.heap $dumps/inlining.gcc-O2.heap"
)
for side in "${sides[@]}"; do
  # shellcheck disable=SC2086
  {
    text $side
    # Both signs, or the order says nothing. What grew between two runs of one
    # program is a matter of chance.
    if [[ $side != *sampled* ]]; then
      expect_match out '^ +-[1-9]'
      expect_match out '^ +[1-9]'
    fi
    expect_sorted 1
    text --cum $side
    expect_sorted 4
    # In megabytes, some decreases round to zero.
    run --text --lines $side
    expect_no_match out '(^| )-0\.0%?( |$)'
    run --text --lines --cum $side
    expect_no_match out '(^| )-0\.0%?( |$)'
    expect_match out '^ +-?[0-9.]+ +-?[0-9.]+% '
  }
done
