#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Debug sections as tools compress them, in the binary and in a file of its own.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
readonly binary=$bin/gcc-O2/inlining
run --collapsed --lines "$dump"
cp "$tmp/out" "$tmp/expected"

# same REGEX ARGUMENT...: a section of the file matches; the report is right.
same() {
  readelf -SW "$tmp/inlining" >"$tmp/sections"
  expect_match sections "$1"
  run --collapsed --lines --no-cache "$tmp/inlining" "${@:2}" "$dump"
  expect_status 0
  expect_same expected out
}
for tool in "objcopy zlib" "objcopy zlib-gnu" "llvm-objcopy-19 zstd"; do
  read -r objcopy kind <<<"$tool"
  section='\.debug_info .* C '
  [[ $kind != zlib-gnu ]] || section='\.zdebug_info '
  $objcopy --compress-debug-sections="$kind" "$binary" "$tmp/inlining"
  same "$section"
  objcopy --only-keep-debug "$tmp/inlining" "$tmp/inlining.debug"
  strip -o "$tmp/inlining" "$binary"
  same '\.text ' "$tmp/inlining.debug"
done

# With several threads, large sections are read while they are being inflated.
# Zeros after the last unit are not units.
objcopy --dump-section .debug_info="$tmp/info" "$binary" "$tmp/plain"
truncate -s +3M "$tmp/info"
objcopy --update-section .debug_info="$tmp/info" "$binary" "$tmp/plain"
for tool in "objcopy zlib" "llvm-objcopy-19 zstd"; do
  read -r objcopy kind <<<"$tool"
  $objcopy --compress-debug-sections="$kind" "$tmp/plain" "$tmp/inlining"
  for jobs in 1 2 7; do
    same '\.debug_info .* C ' --jobs="$jobs"
  done
  # Units read before the damage are discarded. zstd writes no checksum
  # that would find any damage, so the last bytes of the stream are damaged.
  read -r offset size _ < <(sed -n 's/.*\.debug_info *PROGBITS *[^ ]* //p' \
    "$tmp/sections")
  printf 'mage' | dd of="$tmp/inlining" bs=1 conv=notrunc \
    seek=$((16#$offset + 16#$size - 4)) 2>/dev/null
  for jobs in 1 2; do
    run --collapsed --lines --no-cache --jobs="$jobs" "$tmp/inlining" "$dump"
    expect_status 0
    expect_match err 'inlining: .*\.debug_info: .'
    cp "$tmp/out" "$tmp/out.$jobs"
    cp "$tmp/err" "$tmp/err.$jobs"
  done
  expect_same out.1 out.2
  expect_same err.1 err.2
done
