#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# flamegraph.pl draws all of our folded stacks without a complaint: its root is
# as wide as the report's total.
. "$(dirname "$0")/common.inc"

flamegraph=$(dpkg -L libdevel-nytprof-perl | grep '/flamegraph\.pl$')

# draw ARGUMENT...: pictures what `heapprof --collapsed ARGUMENT...` writes.
draw() {
  run --collapsed "$@"
  expect_status 0
  perl "$flamegraph" <"$tmp/out" >"$tmp/picture" 2>"$tmp/err"
  mv "$tmp/picture" "$tmp/out"
  expect_empty err
  expect_match out '</svg>'
}

# expect_root VALUE: the frame below all others.
expect_root() {
  expect_equal "value of the root" "$1" \
    "$(sed -n 's/.*<title>all (\([0-9,]*\) .*/\1/p' "$tmp/out" | tr -d ,)"
}

text "$bin/gcc-O2/inlining" "$dumps/inlining.gcc-O2.heap"
all=$(total)
draw "$bin/gcc-O2/inlining" "$dumps/inlining.gcc-O2.heap"
expect_root "$all"
expect_match out '<title>demo::Inner\(int\) \(131,072 samples'
expect_match out '<title>demo::Pool.demo::Big.::Grow\(int\)'

draw --base "$dumps/growth.first.heap" "$dumps/growth.grown.heap"
expect_match out '<title>demo::Grow\(int\) \(4,194,304 samples'
expect_root 4194304
