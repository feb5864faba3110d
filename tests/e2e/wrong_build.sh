#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A binary whose code does not fit the dump's return addresses is refused:
# addresses are better than wrong names.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap

sed 's|/[^ ]*/inlining$|/gone/inlining|' "$dump" >"$tmp/gone.heap"
text "$bin/clang-O0/inlining" "$tmp/gone.heap"
expect_flat 'inlining\+0x[0-9a-f]+' 479232
expect_no_match out 'demo::'
expect_match err 'not the program that wrote the dump'

# So is another build at the recorded path.
sed 's|/gcc-O2/inlining$|/clang-O0/inlining|' "$dump" >"$tmp/replaced.heap"
text "$tmp/replaced.heap"
expect_no_match out 'demo::'
expect_match err '% of bytes have no names: inlining is not the file that ran'

# A program whose code ends before the addresses begin cannot fit. Then the right
# one, at the recorded path, is tried.
echo 'int main() { return 0; }' | cc -x c -s -o "$tmp/tiny" -
text "$bin/gcc-O2-static/warehouse" "$dumps/warehouse.gcc-O2-static.heap"
cp "$tmp/out" "$tmp/right"
text "$tmp/tiny" "$dumps/warehouse.gcc-O2-static.heap"
expect_same right out
expect_match err "$tmp/tiny: not the program that wrote the dump: none of its [0-9]+ \
return addresses follows a call instruction; --force uses it anyway"

# It is refused, too, if the right one is gone or if there is only one address.
sed 's|/[^ ]*/warehouse$|/gone/warehouse|' \
  "$dumps/warehouse.gcc-O2-static.heap" >"$tmp/gone.heap"
text "$tmp/tiny" "$tmp/gone.heap"
expect_match out ' warehouse\+0x[0-9a-f]+$'
expect_match err 'not the program that wrote the dump: none of its [0-9]+ return'
address=$(awk '/r-xp .*\/warehouse$/ { split($1, a, "-"); print a[1]; exit }' \
  "$tmp/gone.heap")
{
  printf 'heap_v2/524288\n  t*: 1: 524288 [0: 0]\n  t0: 1: 524288 [0: 0]\n'
  printf '@ 0x%x\n  t*: 1: 524288 [0: 0]\n' "$((0x$address + 0x50000))"
  sed -n '/MAPPED_LIBRARIES/,$p' "$tmp/gone.heap"
} >"$tmp/one.heap"
text "$tmp/tiny" "$tmp/one.heap"
expect_match err 'not the program that wrote the dump: none of its 1 return addr'\
'esses follows a call'
text --force "$tmp/tiny" "$tmp/one.heap"
expect_no_match err 'not the program'

# Of two builds, each is the program of one side; both may be named.
sed 's|/[^ ]*/inlining$|/gone/inlining|' "$dumps/inlining.clang-O0.heap" \
  >"$tmp/base.heap"
sed 's|/[^ ]*/inlining$|/gone/inlining|' "$dump" >"$tmp/gone.heap"
text --base "$tmp/base.heap" "$bin/clang-O0/inlining" "$bin/gcc-O2/inlining" \
  "$tmp/gone.heap"
expect_no_match out '\+0x'
expect_empty err
