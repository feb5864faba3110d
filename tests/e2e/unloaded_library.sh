#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A process has unloaded a library, whose memory is still live. Earlier dumps
# tell where its code was.
. "$(dirname "$0")/common.inc"

# The later dumps lack the library in their maps.
for number in 1 2 3 4 5 6; do
  dump=$tmp/server.7.$number.m$number.heap
  cp "$dumps/shared_main.gcc-O2.heap" "$dump"
  ((number < 4)) || sed -i '/libshared_lib\.so/d' "$dump"
done
readonly before=$tmp/server.7.3.m3.heap after=$tmp/server.7.4.m4.heap
run --text --top=0 "$after"
expect_no_match out 'shop::HoldInLibrary'

run --text --top=0 --maps "$before" "$after"
expect_match out 'shop::HoldInLibrary'

run --base "$before" "$after"
expect_status 0
expect_empty out
expect_match err 'no difference to the base'
run trend --by=function --json "$tmp"/server.7.*.heap
expect_status 0
jq -r '.series[].rows[] | select(.values[-1] != 0) | .name' "$tmp/out" \
  >"$tmp/names"
expect_match names 'shop::'
expect_no_match names '^0x'
expect_no_match err 'outside the memory map'

# --each looks at the earlier dumps, whatever their order on the command line.
run --text --top=0 "$before"
cp "$tmp/out" "$tmp/expected"
mkdir "$tmp/each"
for jobs in 1 4; do
  run --each --text --top=0 --jobs "$jobs" -o "$tmp/each/{name}" \
    "$tmp"/server.7.{6,5,4,3}.*.heap
  expect_status 0
  for number in 4 5 6; do
    cp "$tmp/each/server.7.$number.m$number" "$tmp/found"
    expect_same expected found
  done
done
rm "$before"
run --each --text --top=0 -o "$tmp/each/{name}" "$after"
cp "$tmp/each/server.7.4.m4" "$tmp/found"
expect_no_match found 'shop::HoldInLibrary'

# Nor do outputs with a base differ from those of separate runs.
cp "$dumps/shared_main.gcc-O2.heap" "$before"
run --text --top=0 --base "$before" "$after"
expect_status 0
cp "$tmp/out" "$tmp/expected"
run --each --text --top=0 --base "$before" -o "$tmp/each/{name}" "$after"
cp "$tmp/each/server.7.4.m4" "$tmp/found"
expect_same expected found
