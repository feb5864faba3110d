#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# If a file becomes shorter while it is read, an error names it, whether whole
# pages are gone or only some bytes of the last page.
. "$(dirname "$0")/common.inc"
cc -shared -fPIC -O1 -o "$tmp/failing_calls.so" "$SUPPORT/failing_calls.c"

readonly program=$tmp/inlining dump=$tmp/inlining.heap

# cut_at FILE SIZE ARGUMENT...
cut_at() {
  local file=$1 size=$2
  shift 2
  cp "$bin/gcc-O2/inlining" "$program"
  sed "s|$bin/gcc-O2/inlining|$program|" "$dumps/inlining.gcc-O2.heap" >"$dump"
  command_line="SHRINK_FILE=$file SHRINK_SIZE=$size heapprof $*"
  status=0
  SHRINK_FILE=$file SHRINK_SIZE=$size LD_PRELOAD=$tmp/failing_calls.so \
    "$HEAPPROF" "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
  expect_status 1
  expect_empty out
  expect_match err "^heapprof: error: $file: was truncated while it was being read\$"
  expect_equal "errors" 1 "$(grep -vc " warning: " "$tmp/err")"
}

sed "s|$bin/gcc-O2/inlining|$program|" "$dumps/inlining.gcc-O2.heap" >"$dump"
dump_size=$(stat -c %s "$dump")
program_size=$(stat -c %s "$bin/gcc-O2/inlining")
for size in 0 1 $((dump_size - 1)); do
  cut_at "$dump" "$size" --text --no-cache "$dump"
  cut_at "$dump" "$size" info "$dump"
done
for size in 0 4096 $((program_size / 2)) $((program_size - 1)); do
  cut_at "$program" "$size" --text --no-cache "$dump"
  cut_at "$program" "$size" --text --jobs 1 --no-cache "$dump"
done
# The same holds for the index of a binary.
run --cache-dir "$tmp/indexes" "$bin/gcc-O2/inlining" \
  "$dumps/inlining.gcc-O2.heap"
expect_status 0
index=$(find "$tmp/indexes" -type f -size +1k | head -n 1)
cut_at "$index" 0 --cache-dir "$tmp/indexes" "$dump"

# overwrite STATUS FILE ARGUMENT...: FILE gets other bytes, which are in
# $tmp/other.
overwrite() {
  local expected=$1 file=$2
  shift 2
  command_line="OVERWRITE_FILE=$file heapprof $*"
  status=0
  OVERWRITE_FILE=$file OVERWRITE_WITH=$tmp/other \
    LD_PRELOAD=$tmp/failing_calls.so \
    "$HEAPPROF" "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
  expect_status "$expected"
  expect_match err "$file: was overwritten while it was being read: "
}
sed "s|$bin/gcc-O2/inlining|$program|" "$dumps/inlining.gcc-O2.heap" >"$tmp/whole"
for command in --text info; do
  cp "$tmp/whole" "$dump"
  sed '2s/[1-9]/7/g' "$dump" >"$tmp/other"
  [[ $command != info ]] || cat "$tmp/whole" >>"$tmp/other"
  overwrite 0 "$dump" "$command" "$dump"
done
gzip -n <"$tmp/whole" >"$tmp/packed.gz"
gzip -n <"$tmp/whole" | tr '\000' '\001' >"$tmp/other"
overwrite 0 "$tmp/packed.gz" --text "$tmp/packed.gz"
cp "$tmp/whole" "$dump"
run --text "$dump"
cp "$tmp/out" "$tmp/expected"
expect_no_match err overwritten
# A byte of the file header that has no meaning: names are right nevertheless.
cp "$program" "$tmp/other"
printf '\001' | dd of="$tmp/other" bs=1 seek=15 conv=notrunc status=none
rm -rf "$XDG_CACHE_HOME"
overwrite 0 "$program" --text --verbose "$dump"
expect_same expected out
expect_match err 'no index: .*: was overwritten'
cp "$bin/gcc-O2/inlining" "$program"
# The command opens it before, to see what it is.
OVERWRITE_MAPPING=2 overwrite 1 "$program" index "$program" -o "$tmp/portable"
expect_equal "indexes" 0 "$(find "$tmp/portable" -type f | wc -l)"
