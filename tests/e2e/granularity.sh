#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a row stands for: function, line, file, address or module.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
readonly source=$(dirname "$0")/../../testdata/programs/inlining.cc

# line_of TEXT: "inlining.cc:N" of the first line of the program with TEXT.
line_of() {
  local line
  line=$(grep -nF -m1 -e "$1" "$source") || fail "$1" "a line" none
  echo "inlining.cc:${line%%:*}"
}

text "$dump"
readonly all=$(total)
for option in --lines --files --addresses --modules; do
  text $option "$dump"
  expect_equal "total of $option" "$all" "$(total)"
done

# The line of an allocation holds what the function does.
text "$dump"
held=$(sum_rows 1 'demo::HoldRecursive')
[[ $held -gt 0 ]] || fail HoldRecursive "bytes" "$held"
text --lines "$dump"
expect_equal "bytes of HoldRecursive's lines" "$held" \
  "$(sum_rows 1 'demo::HoldRecursive [^ ]*/inlining[.]cc:[0-9]+')"
expect_no_match out 'discriminator'
expect_match out " main [^ ]*/$(line_of 'demo::HoldChain(8)')\$"

# All of the program is in one file and one module, the rest in others.
text --files "$dump"
expect_flat '/[^ ]*/inlining[.]cc' "$((all - $(sum_rows 1 '\[.*\]')))"
text --modules "$dump"
expect_flat '/[^ ]*/bin/gcc-O2/inlining' "$((all - $(sum_rows 1 '.*[.]so.*')))"

# Addresses are those of the calls; jeprof has the same.
text --addresses "$dump"
expect_match out ' [0-9a-f]{16} main /[^ ]*/inlining[.]cc:[0-9]+$'

# Folded stacks: recursion within a file is one frame, lines are as they are.
run --collapsed --files "$dump"
expect_status 0
expect_match out ';[^;]*/inlining[.]cc [0-9]+$'
expect_no_match out '/inlining[.]cc;[^;]*/inlining[.]cc'
run --collapsed --lines "$dump"
expect_match out ';main [^ ;]*/inlining[.]cc:[0-9]+;demo::HoldRecursive'
run --collapsed --modules "$dump"
expect_match out '^[^;]*/inlining;[^;]*/libc[.]so[.]6;[^;]*/inlining [0-9]+$'

# Of two builds, too.
text --files --base "$dumps/growth.old-build.heap" "$dumps/growth.grown.heap"
expect_match out ' /[^ ]*/growth[.]cc$'

run --lines --files "$dump"
expect_status 2
expect_match err 'more than one granularity'
