#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Two runs of one program differ only in their addresses, whatever their
# environment: the report is empty, and one line says so.
. "$(dirname "$0")/common.inc"

# The test is worthless if the addresses are the same.
readonly runs=(first again third)
for name in "${runs[@]}"; do
  text "$dumps/growth.$name.heap"
  expect_equal "Total of $name" 3751936 "$(total)"
  grep '^@' "$dumps/growth.$name.heap" >>"$tmp/stacks"
done
expect_equal "stacks" 9 "$(wc -l <"$tmp/stacks")"
expect_equal "stacks of two runs with the same addresses" 0 \
  "$(sort "$tmp/stacks" | uniq -d | wc -l)"

for i in 0 1 2; do
  base=$dumps/growth.${runs[i]}.heap
  new=$dumps/growth.${runs[(i + 1) % 3]}.heap
  for format in --text --collapsed '--text --alloc_objects'; do
    # shellcheck disable=SC2086
    run $format --base "$base" "$bin/gcc-O2/growth" "$new"
    expect_status 0
    expect_empty out
    expect_equal "lines on stderr" 1 "$(wc -l <"$tmp/err")"
    expect_match err 'no difference'
  done
done

# The library that 'heapprof record' preloads is one module, although its folder
# has another name in each run: also with stacks that only the base has.
for name in inlining.gcc-O2 growth.first; do
  sed "s#/[^ ]*/libc\.so\.6#/tmp/heapprof-$name/libheapprof_record.so#" \
    "$dumps/$name.heap" >"$tmp/$name.heap"
done
run --text --cum --modules --base "$tmp/inlining.gcc-O2.heap" \
  "$tmp/growth.first.heap"
expect_match out ' libheapprof_record\.so$'
expect_no_match out '/libheapprof_record\.so$'
