#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Thread names with blanks, colons and brackets neither hide counters nor
# count as damage.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/threads.gcc-O2.heap
for name in plain 'wrk 1' 'net:io [2]' 'x]: 1: 2 [3: 4'; do
  grep -qF "] $name" "$dump" || fail "$dump" "a thread '$name'" "none"
done

text "$bin/gcc-O2/threads" "$dump"
expect_flat 'demo::HoldInThread' 655360
expect_cum 'demo::Run' 655360
expect_no_match err 'malformed|damaged|line [0-9]'
