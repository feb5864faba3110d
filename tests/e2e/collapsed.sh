#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Folded stacks: root first, sorted, each once, values positive, nothing lost.
. "$(dirname "$0")/common.inc"

readonly input=("$bin/gcc-O2/inlining" "$dumps/inlining.gcc-O2.heap")

text "${input[@]}"
all=$(total)
run --collapsed "${input[@]}"
expect_status 0

chain='main;demo::HoldChain\(int\);demo::Outer\(int\);demo::Middle\(int\)'
expect_match out "^_start;.*;$chain;demo::Inner\(int\) 131072\$"
expect_match out ';main;demo::Pool<demo::Small>::Grow\(int\) 16384$'
expect_match out ';main;demo::Pool<demo::Big>::Grow\(int\) 131072$'

bad=$(grep -nvE '^[^ ;].* [1-9][0-9]*$' "$tmp/out") || true
expect_equal "lines that are not STACK VALUE" "" "$bad"
sed 's/ [0-9]*$//' "$tmp/out" >"$tmp/stacks"
sort -u "$tmp/stacks" >"$tmp/sorted"
expect_same sorted stacks

sum=$(awk '{ sum += $NF } END { print sum }' "$tmp/out")
echo "Total: $all B" >"$tmp/out"
expect_sum "collapsed values" "$sum" "$(wc -l <"$tmp/stacks")"
