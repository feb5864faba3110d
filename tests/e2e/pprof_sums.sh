#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# pprof's totals of --proto equal those of --text on every dump. So do the values
# of hundreds of functions.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/pprof.inc"

for dump in "$dumps"/*.heap; do
  text "$dump"
  all=$(total)
  write all "$dump"
  top all.pb.gz
  expect_equal "pprof's sum of ${dump##*/}" "$all" "$(flat_sum)"
done

# shelves: the value and name of every demo::ShelfN::Put in $tmp/out.
shelves() {
  sed -nE 's/^ *([0-9]+)B? .* (demo::Shelf[0-9]+::Put).*/\1 \2/p' "$tmp/out" |
    sort
}

readonly warehouse=$dumps/warehouse.gcc-O2-static.heap
text "$warehouse"
shelves >"$tmp/text"
expect_equal "shelves" 120 "$(wc -l <"$tmp/text")"
write warehouse "$warehouse"
top warehouse.pb.gz
shelves >"$tmp/pprof"
expect_same text pprof

# Scaled values are not integers: the cut-off fraction is added to the next one.
sed '1s/.*/heap_v2\/65536/' "$warehouse" >"$tmp/sampled.heap"
text "$tmp/sampled.heap"
all=$(total)
write sampled "$tmp/sampled.heap"
pprof -raw "$tmp/sampled.pb.gz"
expect_match out '^Period: 65536$'
top sampled.pb.gz
expect_equal "pprof's sum of scaled values" "$all" "$(flat_sum)"
