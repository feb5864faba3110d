#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Without the binary, the report shows modules and offsets, and one line says
# which file is missing.
. "$(dirname "$0")/common.inc"

sed 's|/[^ ]*/inlining$|/gone/inlining|' "$dumps/inlining.gcc-O2.heap" \
  >"$tmp/gone.heap"
text "$tmp/gone.heap"
expect_flat 'inlining\+0x[0-9a-f]+' 479232
expect_no_match out 'demo::'
expect_equal "lines on stderr" 1 "$(wc -l <"$tmp/err")"
expect_match err '^heapprof: [0-9.]+% of bytes have no names: inlining was not found .*see heapprof info.$'
