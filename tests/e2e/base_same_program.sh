#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Two runs of one program differ in nothing but their addresses: an empty
# report, and one line that says so.
. "$(dirname "$0")/common.inc"

text --base "$dumps/growth.first.heap" "$bin/gcc-O2/growth" \
  "$dumps/growth.again.heap"
expect_equal "rows" 0 "$(row_count)"
expect_equal "lines on stderr" 1 "$(wc -l <"$tmp/err")"
expect_match err 'no difference|nothing'

run --collapsed --base "$dumps/growth.first.heap" "$dumps/growth.again.heap"
expect_status 0
expect_empty out
