#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Growth is found between any two of these: a dump, a service's pprof profile of
# it, and our own profile of it.
. "$(dirname "$0")/common.inc"

layout=$(dirname "$0")/pprof_layout.py
for run in first grown; do
  cp "$dumps/growth.$run.heap" "$tmp/$run.heap"
  python3 "$layout" A "$tmp/$run.heap" "$tmp/$run.A.pb.gz"
  python3 "$layout" D "$tmp/$run.heap" "$tmp/$run.D.pb.gz"
  run --proto -o "$tmp/$run.own.pb.gz" "$tmp/$run.heap"
done

for base in heap A.pb.gz D.pb.gz own.pb.gz; do
  for new in heap A.pb.gz D.pb.gz own.pb.gz; do
    run --collapsed --base "$tmp/first.$base" "$tmp/grown.$new"
    expect_status 0
    expect_no_match err 'warning'
    # Values of the profiles are truncated: less than 8 bytes are no growth.
    expect_equal "growth from $base to $new" "4194304" \
      "$(awk '$NF > 8 { print $NF }' "$tmp/out")"
    expect_match out 'main;demo::Grow\(int\) 4194304$'
  done
done

# A profile of the difference is the difference.
run --text --base "$tmp/first.heap" "$tmp/grown.heap"
cp "$tmp/out" "$tmp/expected"
run --proto -o "$tmp/difference.pb.gz" --base "$tmp/first.heap" "$tmp/grown.heap"
run --text "$tmp/difference.pb.gz"
expect_same expected out
