#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A binary whose code does not fit the dump's return addresses is refused:
# addresses are better than wrong names.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap

sed 's|/[^ ]*/inlining$|/gone/inlining|' "$dump" >"$tmp/gone.heap"
text "$bin/clang-O0/inlining" "$tmp/gone.heap"
expect_flat 'inlining\+0x[0-9a-f]+' 479232
expect_no_match out 'demo::'
expect_match err 'another build'

# So is what replaced it under the recorded path.
sed 's|/gcc-O2/inlining$|/clang-O0/inlining|' "$dump" >"$tmp/replaced.heap"
text "$tmp/replaced.heap"
expect_no_match out 'demo::'
expect_match err 'another build'
