#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# google/pprof reads what --proto writes, inlined frames included.
. "$(dirname "$0")/common.inc"

text "$bin/gcc-O2/inlining" "$dumps/inlining.gcc-O2.heap"
all=$(total)
run --proto -o "$tmp/inlining.pb.gz" "$bin/gcc-O2/inlining" \
  "$dumps/inlining.gcc-O2.heap"
expect_status 0
expect_empty out

# pprof ARGUMENT...: as run, for pprof.
pprof() {
  command_line="pprof $*"
  PPROF_TMPDIR=$tmp "$PPROF" -symbolize=none "$@" "$tmp/inlining.pb.gz" \
    >"$tmp/out" 2>"$tmp/err" || fail "pprof" "status 0" "$?"
}

pprof -top -unit=B -nodefraction=0
expect_match out '^Type: inuse_space$'
expect_match out " ${all}B total\$"
expect_match out '^ +131072B .* demo::Inner'
expect_match out ' 479232B +[0-9.]+% +main$'

pprof -raw
expect_match out '^PeriodType: space bytes$'
expect_match out '^Period: 1$'
expect_match out 'inuse_objects/count inuse_space/bytes'
expect_match out 'demo::Inner.*inlining\.cc:21'
