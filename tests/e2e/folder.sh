#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A folder with the files of a service: binary, debug file and dump.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
text "$dump"
cp "$tmp/out" "$tmp/expected"

readonly folder=$tmp/shipped
mkdir "$folder"
strip -o "$folder/server-1.2" "$bin/gcc-O2/inlining"
objcopy --only-keep-debug "$bin/gcc-O2/inlining" "$folder/symbols"
cp "$bin/gcc-O2/libshared_lib.so" "$bin/clang-O2/inlining" "$folder"
sed 's|/[^ ]*/inlining$|/opt/server|' "$dump" >"$folder/1.heap"
text "$folder"
expect_same expected out
expect_no_match err 'another build'

# If a dump is named, the other dumps of the folder are not read.
cp "$dumps/growth.first.heap" "$folder/2.heap"
text "$folder" "$folder/1.heap"
expect_same expected out
run "$folder"
expect_status 2
expect_equal "error" \
  "heapprof: error: $folder: 2 profiles in the folder, name one: $folder/1.heap, $folder/2.heap" \
  "$(cat "$tmp/err")"

rm "$folder"/*.heap
run "$folder"
expect_status 1
expect_match err "^heapprof: error: $folder: no profile in the folder$"
