#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Order and number of the text report's rows.
. "$(dirname "$0")/common.inc"

readonly input=("$bin/gcc-O2/inlining" "$dumps/inlining.gcc-O2.heap")

expect_descending() {
  tail -n +2 "$tmp/out" | awk -v column="$1" '{ print $column }' \
    >"$tmp/column"
  sort -rn "$tmp/column" >"$tmp/sorted"
  expect_same sorted column
}

text "${input[@]}"
expect_equal "first line" "Total: $(total) B" "$(head -n 1 "$tmp/out")"
expect_descending 1
cp "$tmp/out" "$tmp/all"

run --text --show_bytes --cum "${input[@]}"
expect_status 0
expect_descending 4

run --text --show_bytes --top 3 "${input[@]}"
expect_status 0
head -n 4 "$tmp/all" >"$tmp/top"
expect_same top out
