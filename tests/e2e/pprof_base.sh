#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --proto --base writes what pprof's own -diff_base makes of two profiles.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/pprof.inc"

for run in first grown; do
  write $run "$dumps/growth.$run.heap"
done

# compare BASE NEW
compare() {
  write "$1.to.$2" --base "$dumps/growth.$1.heap" "$dumps/growth.$2.heap"
  top "$2.pb.gz" -diff_base="$tmp/$1.pb.gz"
  cp "$tmp/out" "$tmp/theirs"
  top "$1.to.$2.pb.gz"
  expect_same theirs out
}

compare first grown
expect_match out '^ +4194304B .* demo::Grow\(int\)$'
expect_no_match out 'demo::Steady'
compare grown first
expect_match out '^ *-4194304B .* demo::Grow\(int\)$'

# The base's samples stay, negated and with pprof's mark.
pprof -raw "$tmp/first.to.grown.pb.gz"
expect_equal "samples of the base" \
  "$(grep -c '^@' "$dumps/growth.first.heap")" \
  "$(grep -c 'pprof::base:\[true\]' "$tmp/out")"
expect_match out ' -3145728: '
expect_match out ' 7340032: '

# What shrank then counts as unchanged: both sides add up to nothing.
write dropped --drop_negative --base "$dumps/growth.grown.heap" \
  "$dumps/growth.first.heap"
pprof -top "$tmp/dropped.pb.gz"
expect_match out '^Showing nodes accounting for 0,'
expect_no_match out '^ *-'
