#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A dump that ends early is analysed as far as it goes, with a message.
. "$(dirname "$0")/common.inc"

readonly binary=$bin/gcc-O2/inlining
readonly dump=$dumps/inlining.gcc-O2.heap

# Cut in the values of the last record, so the memory map is missing, too. (A cut
# after half of the bytes could be before the first value or exactly between two
# lines, as the order of the records depends on the addresses.)
text "$binary" "$dump"
all=$(total)
value=$(grep -b '^  t\*:' "$dump" | tail -n 1)
head -c $((${value%%:*} + 7)) "$dump" >"$tmp/records.heap"
read -r _ _ last _ <<<"${value#*:}"
text "$binary" "$tmp/records.heap"
expect_equal "total" "$((all - last))" "$(total)"
expect_match err 'records\.heap.*truncated'

# Cut in the memory map, after the binary's own lines.
line=$(grep -n 'inlining$' "$dump" | tail -n 1 | cut -d: -f1)
whole=$(head -n "$line" "$dump" | wc -c)
head -c $((whole + 20)) "$dump" >"$tmp/map.heap"
text "$binary" "$tmp/map.heap"
expect_cum 'demo::Inner \(inline\)' 131072
expect_match err 'map\.heap.*truncated'
