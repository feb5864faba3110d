#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Functions that shrank have negative values, or are dropped on request. The
# flame graph of growth leaves them out and says how much they held.
. "$(dirname "$0")/common.inc"

readonly input=(--base "$dumps/growth.grown.heap" "$dumps/growth.first.heap")

text "${input[@]}"
expect_equal "Total" -4194304 "$(total)"
expect_flat 'demo::Grow' -4194304

text --drop_negative "${input[@]}"
expect_equal "rows" 0 "$(row_count)"

run --collapsed "${input[@]}"
expect_status 0
expect_empty out
expect_match err 'what shrank is not in the output: 4\.0 MiB$'

# Without a base it changes nothing, as in jeprof, and a note says so.
run "$dumps/growth.first.heap"
cp "$tmp/out" "$tmp/plain"
run --drop_negative "$dumps/growth.first.heap"
expect_status 0
expect_same out plain
expect_match err '^heapprof: --drop_negative has no effect without --base$'
