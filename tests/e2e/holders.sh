#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: holders.sh VARIANT
#
# Every function of testdata/programs/inlining.cc has the bytes it holds,
# whatever compiled it and wherever its debug information is.
. "$(dirname "$0")/common.inc"

readonly variant=$1
text "$bin/$variant/inlining" "$dumps/inlining.$variant.heap"

if [[ $variant == *-nodebug ]]; then
  expect_flat 'demo::HoldChain' 131072
  expect_no_match out 'demo::.*\(inline\)'
else
  expect_flat 'demo::Inner \(inline\)' 131072
  expect_cum 'demo::Middle \(inline\)' 131072
  expect_cum 'demo::Outer \(inline\)' 131072
  expect_flat 'demo::HoldChain' 0
fi
expect_cum 'demo::HoldChain' 131072
expect_flat 'demo::Pool::Grow' 147456
expect_flat 'demo::HoldLambda::.*operator\(\)' 98304
expect_cum 'demo::HoldLambda' 98304
expect_flat 'demo::Refill' 40960
expect_cum 'demo::HoldFunction' 40960
expect_flat 'demo::HoldRecursive' 61440
expect_cum 'demo::HoldRecursive' 61440
expect_cum 'main' 479232
expect_no_match out '% (malloc|operator new|.*prof_backtrace)'
