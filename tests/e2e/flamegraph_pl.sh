#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# flamegraph.pl draws our folded stacks without a complaint.
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

draw "$bin/gcc-O2/inlining" "$dumps/inlining.gcc-O2.heap"
expect_match out '<title>demo::Inner\(int\) \(131,072 samples'
expect_match out '<title>demo::Pool.demo::Big.::Grow\(int\)'

draw --base "$dumps/growth.first.heap" "$dumps/growth.grown.heap"
expect_match out '<title>demo::Grow\(int\) \(4,194,304 samples'
