#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Both of Go's pprofs, the one of its own and the one in Go's toolchain, show
# our numbers: tables, callers and callees, stacks, and differences.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/pprof.inc"

# their_rows NAME MODE...: flat and cumulative values and names of pprof's table,
# in its order.
their_rows() {
  pprof_of "$@"
  awk '$1 ~ /^-?[0-9]+$/ && / B / || $1 == "0" {
      gsub(/ B /, " ")
      flat = $1; cumulative = $4
      for (i = 1; i <= 5; ++i) sub(/^ *[^ ]+ */, "")
      print flat, cumulative, $0 }' "$tmp/pprof" >"$tmp/theirs"
  [[ -s $tmp/theirs ]] || fail "rows of pprof $*" "some" "none"
}

# our_rows ARGUMENT...: the same of our table, except rows without any value,
# which pprof leaves out.
our_rows() {
  ours --text "$@"
  awk '/^Total/ { next } {
      flat = $1; cumulative = $4
      for (i = 1; i <= 5; ++i) sub(/^ *[^ ]+ */, "")
      if (flat != 0 || cumulative != 0) print flat, cumulative, $0
    }' "$tmp/ours" >"$tmp/ours.rows"
}

# Rows with equal values may be in any order.
expect_same_rows() {
  expect_equal "order of cumulative values" \
    "$(cut -d ' ' -f 2 "$tmp/theirs")" "$(cut -d ' ' -f 2 "$tmp/ours.rows")"
  sort "$tmp/theirs" >"$tmp/theirs.sorted"
  sort "$tmp/ours.rows" >"$tmp/ours.sorted"
  expect_same theirs.sorted ours.sorted
}

# compare_dump DUMP
compare_dump() {
  profile dump "$1"
  their_rows dump -top -cum
  our_rows --cum "$1"
  expect_same_rows
  pprof_of dump -peek='Hold|main|[Ss]ort'
  ours --peek='Hold|main|[Ss]ort' "$1"
  expect_same_numbers pprof ours
  pprof_of dump -traces
  stacks pprof >"$tmp/expected"
  ours --traces "$1"
  stacks ours >"$tmp/stacks"
  expect_same expected stacks
}

# compare_difference BASE NEW: pprof subtracts two of our profiles, or shows our
# profile of the difference without any option.
compare_difference() {
  profile old "$1"
  profile new "$2"
  profile difference --base "$1" "$2"
  our_rows --cum --base "$1" "$2"
  their_rows new -top -cum -diff_base="$tmp/old.pb.gz"
  sort "$tmp/theirs" >"$tmp/subtracted"
  sort "$tmp/ours.rows" >"$tmp/ours.sorted"
  expect_same subtracted ours.sorted
  their_rows difference -top -cum
  sort "$tmp/theirs" >"$tmp/difference"
  expect_same subtracted difference
  pprof_of difference -traces
  stacks pprof >"$tmp/expected"
  ours --traces --base "$1" "$2"
  stacks ours >"$tmp/stacks"
  expect_same expected stacks
}

for tool in "$PPROF" 'go tool pprof'; do
  read -ra pprof_command <<<"$tool"
  for dump in inlining.gcc-O2 threads.gcc-O2 shared_main.gcc-O2 growth.grown \
    warehouse.gcc-O2-static; do
    compare_dump "$dumps/$dump.heap"
  done
  compare_difference "$dumps"/growth.{first,grown}.heap
  compare_difference "$dumps"/growth.{grown,first}.heap
  compare_difference "$dumps"/growth.{old-build,grown}.heap
done
