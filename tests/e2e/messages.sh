#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What is said of files that are not what an option wants, or cannot be used
# here; the other messages are tested where what they are about is.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap

# An object file has no segments.
g++ -std=c++17 -c -o "$tmp/inlining" "$PROGRAMS/inlining.cc"
sed "s|/[^ ]*/inlining\$|$tmp/inlining|" "$dump" >"$tmp/object.heap"
run info "$tmp/object.heap"
sed -z 's/\n \{20\}/ /g' "$tmp/out" >"$tmp/facts"
expect_match facts '^  missing +/.*/inlining: neither a program nor a library$'
expect_match facts '^  remedy +give a readable copy as BINARY'
run --add_lib "$tmp/inlining" "$dump"
expect_status 1
expect_match err 'error: .*/inlining: no code in it, expected a library'

# More than the format allows; the file takes no space.
printf '\x0a\x04\x08\x01\x10\x02' >"$tmp/large.pb"
truncate -s 3G "$tmp/large.pb"
run "$tmp/large.pb"
expect_status 1
expect_match err 'error: .*/large\.pb: expected at most 2 GiB, which is what the p'

# A library that does not load is as good as none.
mkdir "$tmp/lib"
: >"$tmp/lib/libdebuginfod.so.1"
LD_LIBRARY_PATH=$tmp/lib DEBUGINFOD_URLS=http://127.0.0.1:1 \
  run --debuginfod "$dump"
expect_status 1
expect_match err 'error: --debuginfod needs libdebuginfod\.so\.1: install the pac'\
'kage libdebuginfod1'
