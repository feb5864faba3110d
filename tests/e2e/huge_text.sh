#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Code keeps its names after its pages were replaced by anonymous memory.
. "$(dirname "$0")/common.inc"

g++ -std=c++17 -g -O2 -o "$tmp/huge_text" "$PROGRAMS/huge_text.cc"
LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_final:true,\
lg_prof_sample:0,prof_prefix:$tmp/app" "$tmp/huge_text"
dump=$(echo "$tmp"/app.*.f.heap)
grep -A1 'r-xp.*/huge_text$' "$dump" | grep -E 'r-xp 0+ 00:00 0 *$' >/dev/null ||
  fail "$dump" "anonymous code" "none"
text "$dump"
expect_flat 'demo::HoldInRemapped' 196608
expect_cum 'main' 196608
expect_no_match err 'anon'
