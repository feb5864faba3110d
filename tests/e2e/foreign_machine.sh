#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# foreign_machine.sh TARGET FLAG...: a dump of a program for another machine
# has the names that llvm-symbolizer finds, and another build is recognised.
. "$(dirname "$0")/common.inc"

readonly target=$1
shift
# build NAME FLAG...
build() {
  local name=$1
  shift
  clang-19 "--target=$target" -g -O2 -fno-omit-frame-pointer -ffreestanding \
    -nostdlib -fuse-ld=lld -Wl,--build-id -o "$tmp/$name" "$@" \
    "$PROGRAMS/freestanding.c"
}
build server "$@"
python3 -B "$(dirname "$0")/foreign_machine.py" "$tmp/server" "$tmp/d.heap" \
  "$tmp/expected"
grep -q ';through_pointer;inner ' "$tmp/expected" || fail expected chains none

run --collapsed "$tmp/server" "$tmp/d.heap"
expect_status 0
expect_same expected out
expect_empty err

# Stripped, with its debug file; then the debug file alone.
objcopy=llvm-objcopy-19
$objcopy --only-keep-debug "$tmp/server" "$tmp/server.debug"
$objcopy --strip-all "$tmp/server" "$tmp/stripped"
run --collapsed "$tmp/stripped" "$tmp/server.debug" "$tmp/d.heap"
expect_same expected out
run --collapsed "$tmp/server.debug" "$tmp/d.heap"
expect_same expected out

# The calls of another build are elsewhere.
build other "$@" -O0
run --collapsed "$tmp/other" "$tmp/d.heap"
expect_match err 'other: not the program that wrote the dump: none of its [0-9]+ return addr'
expect_no_match out 'leaf'
