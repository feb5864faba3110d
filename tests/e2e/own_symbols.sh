#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Services such as ClickHouse write names into their dumps. The names are kept;
# the binaries give those that are missing.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap

run --text "$dump"
cp "$tmp/out" "$tmp/of_dump"
cp "$tmp/err" "$tmp/about_dump"
run --text --lines "$dump"
cp "$tmp/out" "$tmp/lines_of_dump"
run --raw "$dump"
{
  sed '/^---$/ q' "$tmp/out"
  echo '--- heap'
  cat "$dump"
} >"$tmp/named.heap"

run --text "$tmp/named.heap"
expect_same of_dump out
expect_same about_dump err
run --text --lines --resymbolize "$tmp/named.heap"
expect_same lines_of_dump out

# Some names are missing.
sed -E '/^0x/ s/demo::.*/??/' "$tmp/named.heap" >"$tmp/partly.heap"
expect_match partly.heap '^0x[0-9a-f]+ \?\?$'
run --text "$tmp/partly.heap"
expect_same of_dump out

# The binary has gone.
sed "s,$bin/,/nowhere/," "$tmp/named.heap" >"$tmp/elsewhere.heap"
run --text "$tmp/elsewhere.heap"
expect_same of_dump out
expect_same about_dump err
sed "s,$bin/,/nowhere/," "$tmp/partly.heap" >"$tmp/elsewhere.heap"
run --text "$tmp/elsewhere.heap"
expect_match out ' inlining\+0x[0-9a-f]+$'
expect_no_match out '\?\?'
expect_match err 'have no names: .*inlining'
run --text "$bin/gcc-O2/inlining" "$tmp/elsewhere.heap"
expect_same of_dump out
