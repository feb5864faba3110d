#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# jemalloc cuts the stacks of a deep recursion at the root. A warning says how
# much memory they hold.
. "$(dirname "$0")/common.inc"

g++ -std=c++20 -g -O0 -o "$tmp/recursion" "$PROGRAMS/recursion.cc"
LD_PRELOAD=libjemalloc.so.2 \
  MALLOC_CONF=prof:true,prof_final:true,lg_prof_sample:0,prof_prefix:$tmp/deep \
  "$tmp/recursion"
run --text "$tmp"/deep.*.heap
expect_status 0
expect_match err ': [45][0-9]% is in stacks that were cut at 128 calls'
