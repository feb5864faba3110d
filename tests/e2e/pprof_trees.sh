#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --tree, --peek and --traces print what Go's pprof prints for our --proto, but
# in other units and with inlined calls as separate functions.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/pprof.inc"

for dump in "$dumps"/inlining.{gcc-O0,gcc-O2,gcc-O2-stripped,clang-O2}.heap \
  "$dumps"/{threads,shared_main,rust_alloc}.gcc-O2.heap \
  "$dumps"/warehouse.gcc-O2-static.heap "$E2E"/sampled/quickstart.gcc-O2.heap; do
  [[ -f $dump ]] || continue  # where there is no Rust
  # Scaled values are not integers, and pprof's are truncated stack by stack.
  [[ $dump != */sampled/* ]] || sed '1s/.*/heap_v2\/1/' "$dump" >"$tmp/whole"
  [[ $dump != */sampled/* ]] || dump=$tmp/whole
  profile dump "$dump"
  pprof_of dump -tree
  ours --tree "$dump"
  expect_same_numbers pprof ours
  pprof_of dump -peek='Hold|main'
  ours --peek='Hold|main' "$dump"
  expect_same_numbers pprof ours
  pprof_of dump -traces
  stacks pprof >"$tmp/expected"
  ours --traces "$dump"
  stacks ours >"$tmp/stacks"
  expect_same expected stacks
done

# by_line FILE: the blocks of $tmp/FILE with their rows sorted, and without
# shares and differences in places: pprof simplifies paths, and omits "??:0".
by_line() {
  sed -E 's/ \?\?:0//; s|\./[a-z]+/\.\./||; s| \./| |
    s/ +[^ ]*[0-9]%//g; s/ +/ /g' "$tmp/$1" |
    awk '/^---/ { block++ } { print block + 0 "\t" $0 }' | sort -k 1n -k 2 |
    awk -F '\t' '$1 != last { print text; text = ""; last = $1 }
      { text = text $2 "|" } END { print text }' | sort >"$tmp/$1.lines"
}

for dump in "$dumps"/{inlining,shared_main}.gcc-O2.heap \
  "$dumps"/warehouse.gcc-O2-static.heap; do
  profile dump "$dump"
  pprof_of dump -lines -tree
  by_line pprof
  ours --tree --lines "$dump"
  by_line ours
  expect_same pprof.lines ours.lines
done

readonly dump=$dumps/inlining.gcc-O2.heap

run --tree --top 3 "$dump"
expect_match out '^Showing top 3 nodes out of [0-9]+$'
expect_match out '128\.0 KiB +23\.4% +49\.6% +128\.0 KiB +23\.4% +\| demo::Inner \(inline\)'
# Full names match, too, whatever the report calls the functions.
run --peek='^demo::Pool<demo::Small>::Grow\(int\)$' "$dump"
expect_status 0
expect_match out '% +\| demo::Pool::Grow$'
run --peek='no such function' "$dump"
expect_status 1
expect_empty out
expect_match err '\-\-peek=no such function matches none of the functions'
run --peek='(' "$dump"
expect_status 2
expect_match err '\-\-peek=\(: '
run --traces --base "$dumps/growth.first.heap" "$dumps/growth.grown.heap"
expect_status 0
expect_match out '^ +4\.0 MiB +demo::Grow'
expect_equal "stacks that differ" 1 "$(grep -c '_start$' "$tmp/out")"
