#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A stripped binary with MiniDebugInfo, made as distributions make it, gives the
# same names as one with a symbol table. Damaged MiniDebugInfo causes a warning.
. "$(dirname "$0")/common.inc"

readonly binary=$bin/gcc-O2/inlining dump=$dumps/inlining.gcc-O2.heap
strip --strip-debug -o "$tmp/inlining" "$binary"
text "$tmp/inlining" "$dump"
expect_match out 'demo::'
cp "$tmp/out" "$tmp/expected"

nm "$binary" --format=posix --defined-only |
  awk '$2 ~ /[TtWw]/ { print $1 }' >"$tmp/keep"
objcopy --only-keep-debug "$binary" "$tmp/debug"
objcopy -S --remove-section .comment --keep-symbols="$tmp/keep" \
  "$tmp/debug" "$tmp/mini"
xz "$tmp/mini"
strip -o "$tmp/stripped" "$binary"
text "$tmp/stripped" "$dump"
expect_no_match out 'demo::'

# embed FILE: the stripped binary with FILE as its .gnu_debugdata.
embed() {
  objcopy --add-section .gnu_debugdata="$1" "$tmp/stripped" "$tmp/inlining"
}
embed "$tmp/mini.xz"
text "$tmp/inlining" "$dump"
expect_same expected out

head -c 400 "$tmp/mini.xz" >"$tmp/cut.xz"
embed "$tmp/cut.xz"
text "$tmp/inlining" "$dump"
expect_match err "warning: $tmp/inlining: section .gnu_debugdata: xz data ends early, at byte [0-9]+"
head -c 400 "$tmp/debug" | xz >"$tmp/cut.xz"
embed "$tmp/cut.xz"
text "$tmp/inlining" "$dump"
expect_match err "warning: $tmp/inlining: section .gnu_debugdata: .* table at offset .* lies outside the file"
