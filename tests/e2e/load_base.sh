#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A dump without a memory map of a program at a random address: --load-base says
# where it was.
. "$(dirname "$0")/common.inc"

readonly program=$bin/gcc-O2/inlining dump=$dumps/inlining.gcc-O2.heap
text "$dump"
cp "$tmp/out" "$tmp/whole"
# own_code: names and cumulative values, which do not depend on whether the
# allocator is known.
own_code() {
  awk '/demo::| main$/ { cum = $4; sub(/^.*% +/, ""); print $0, cum }' \
    "$tmp/out" | sort
}
own_code >"$tmp/own"
sed '/^MAPPED_LIBRARIES/,$d' "$dump" >"$tmp/bare.heap"
# first_page FILE: where FILE was mapped.
first_page() {
  awk -v file="$1" '$NF == file { split($1, a, "-"); print a[1]; exit }' "$dump"
}
base=$(first_page "$program")

text "$program" "$tmp/bare.heap"
expect_no_match out 'demo::'
expect_match err 'bare.heap: no MAPPED_LIBRARIES section, .*--load-base with'
for option in "$base" "0x$base" "$program=0x$base"; do
  text --load-base "$option" "$program" "$tmp/bare.heap"
  own_code >"$tmp/found"
  expect_same own found
done

# With all its files it is as if the map were there.
options=()
while read -r file; do
  options+=(--load-base "$file=$(first_page "$file")")
done < <(awk '$2 ~ /x/ && $NF ~ /^\// { print $NF }' "$dump" | sort -u)
text "${options[@]}" "$tmp/bare.heap"
expect_same whole out

# A wrong base gives no wrong names.
run --load-base 0x1000 "$program" "$tmp/bare.heap"
expect_status 1
expect_match err 'error: --load-base: no address of the dump is in the code'
text --load-base "$(printf '%x' $((0x$base + 8)))" "$program" \
  "$tmp/bare.heap"
expect_no_match out 'demo::'
expect_match err 'return addresses (follow|are in no code)'
expect_usage_error '--load-base: expected ADDR or FILE=ADDR, .*, found .12z.' \
  --load-base 12z "$tmp/bare.heap"
expect_usage_error '--load-base: name the program, too' \
  --load-base 1000 "$tmp/bare.heap"
