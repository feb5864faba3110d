#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A dump that ends early is analysed as far as it goes, with a message.
. "$(dirname "$0")/common.inc"

readonly binary=$bin/gcc-O2/inlining
readonly dump=$dumps/inlining.gcc-O2.heap

# In the middle of the records: no memory map either.
records=$(grep -b MAPPED_LIBRARIES "$dump" | cut -d: -f1)
head -c $((records / 2)) "$dump" >"$tmp/records.heap"
text "$binary" "$tmp/records.heap"
[[ $(total) -gt 0 ]] || fail "total" "more than 0" "$(total)"
expect_match err 'records\.heap.*truncated'

# In the memory map, behind the binary's own lines.
line=$(grep -n 'inlining$' "$dump" | tail -n 1 | cut -d: -f1)
{
  head -n "$line" "$dump"
  tail -n +$((line + 1)) "$dump" | head -c 20
} >"$tmp/map.heap"
text "$binary" "$tmp/map.heap"
expect_cum 'demo::Inner \(inline\)' 131072
expect_match err 'map\.heap.*truncated'
