#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A heap profile that a Go program wrote, which has names: the values equal
# those that pprof shows.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/pprof.inc"

"$(dirname "$PPROF")/go_heap" "$tmp/go.pb.gz"
for metric in inuse_space alloc_space; do
  top go.pb.gz "-sample_index=$metric"
  sed -n 's/^ *\([0-9]*\)B .*% *\(main\.[a-z]*\)$/\1 \2/p' "$tmp/out" |
    sort >"$tmp/expected"
  sum=$(flat_sum)
  text "--$metric" "$tmp/go.pb.gz"
  expect_equal "total of $metric" "$sum" "$(total)"
  sed -n 's/^ *\([1-9][0-9]*\) .*% *\(main\.[a-z]*\)$/\1 \2/p' "$tmp/out" |
    sort >"$tmp/found"
  expect_same expected found
done
expect_flat 'main\.hold' 196608
expect_flat 'main\.free' 65536

run --inuse_objects "$tmp/go.pb.gz"
expect_status 0
run info "$tmp/go.pb.gz"
expect_match out '^  sampling          none: '
