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

# The root of a container's file system is no folder of binaries.
mkdir -p "$tmp/root/opt"
text "$tmp/root" "$dump"
expect_match err "^heapprof: warning: $tmp/root: no binary, debug file or dump\
 in the folder; its subfolders are searched only with --symbol-path, --debug-dir\
 or --sysroot$"

run --text "$folder"
expect_status 2
expect_equal "error" \
  "heapprof: error: $folder: 2 profiles in the folder; name one, such as $folder/1.heap, use 'heapprof trend', or write a file for each with --each" \
  "$(cat "$tmp/err")"
run info "$folder"
expect_match err "name one, such as $folder/1.heap, or use 'heapprof trend'$"

rm "$folder"/*.heap
run "$folder"
expect_status 1
expect_match err "^heapprof: error: $folder: no profile in the folder; its subfolders"

# Without an output, several dumps are listed by process, in the order of their
# numbers, whatever the order of their names.
for sequence in 0.i0 2.i1 10.m0; do
  cp "$dump" "$folder/server.77.$sequence.heap"
done
gzip -c "$dump" >"$folder/server.77.11.f.heap.gz"
cp "$dump" "$folder/by hand.heap"
cp "$dump" "$folder/server.8.0.f.heap"
touch -d '2026-01-01 12:00:00 UTC' "$folder"/*.heap
touch -d '2026-01-02 12:00:00 UTC' "$folder/server.77.11.f.heap.gz"
run "$folder"
expect_status 0
expect_empty err
expect_match out "^$folder: 6 dumps of 2 processes$"
expect_match out "^  file size  written                  dump$"
expect_equal "the dumps in order" "other names,by hand.heap,server.77,\
server.77.0.i0.heap,server.77.2.i1.heap,server.77.10.m0.heap,\
server.77.11.f.heap.gz,server.8,server.8.0.f.heap," \
  "$(sed '1,3d;/^$/d;/^Next:/,$d;s/.* UTC  //' "$tmp/out" | tr '\n' ,)"
expect_match out ' 2026-01-02 12:00:00 UTC  server\.77\.11\.f\.heap\.gz$'
# The newest one is shown with the binaries of the folder.
expect_match out "^Next:  heapprof $folder $folder/server.77.11.f.heap.gz$"
expect_match out "^       heapprof trend $folder$"
mkdir "$tmp/binaries"
cp "$bin/gcc-O2/growth" "$tmp/binaries"
cp "$tmp/out" "$tmp/listed"
for files in "$folder $tmp/binaries" "$tmp/binaries $folder"; do
  # shellcheck disable=SC2086
  run $files
  expect_match out "^       heapprof trend $files$"
done
cp "$tmp/listed" "$tmp/out"
next=$(sed -n 's/^Next:  heapprof //p' "$tmp/out")
# shellcheck disable=SC2086
text $next
expect_same expected out
# Of a process with many, the oldest are only counted.
mkdir "$tmp/many"
for sequence in {10..30}; do
  cp "$dump" "$tmp/many/server.9.$sequence.i$sequence.heap"
done
run "$tmp/many"
expect_match out '^    1 older dump$'
expect_no_match out 'server\.9\.10\.i10\.heap$'
expect_match out 'server\.9\.11\.i11\.heap$'
# Of many processes, too.
for process in {10..29}; do
  cp "$dump" "$tmp/many/server.$process.0.i0.heap"
done
run "$tmp/many"
expect_match out '^1 more process$'
expect_equal "processes listed" 20 "$(grep -c '^server\.' "$tmp/out")"
# An output is of one dump.
for output in --json --text info; do
  run $output "$folder"
  expect_status 2
  expect_empty out
done
