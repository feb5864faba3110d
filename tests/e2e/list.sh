#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --list shows beside each source line what the program is known to hold there.
. "$(dirname "$0")/common.inc"

# expect_line FILE PATTERN FLAT CUMULATIVE: the line of testdata/programs/FILE
# that matches PATTERN is listed with these values.
expect_line() {
  local number text
  IFS=: read -r number text < <(grep -nE -m1 -e "$2" "$PROGRAMS/$1") ||
    fail "line of $1" "$2" none
  grep -qxF -e "$(printf '%6s %6s %4s: %s' "$3" "$4" "$number" "$text")" \
    "$tmp/out" || fail "line $number of $1" "$3 $4" \
    "$(grep -E " $number: " "$tmp/out" || true)"
}

for variant in gcc-O0 gcc-O2 clang-O2; do
  run --list 'main|demo::|HoldRec' --show_bytes \
    "$dumps/inlining.$variant.heap"
  expect_status 0
  expect_line inlining.cc 'demo::HoldChain\(8\);' . 131072
  expect_line inlining.cc 'small.Grow\(4\);' . 16384
  expect_line inlining.cc 'big.Grow\(2\);' . 131072
  expect_line inlining.cc 'demo::HoldLambda\(3\);' . 98304
  expect_line inlining.cc 'HoldFunction\(demo::Refill, 5\)' . 40960
  # Lines of inlined calls.
  expect_line inlining.cc 'malloc\(16 << 10\)' 131072 131072
  expect_line inlining.cc 'malloc\(32 << 10\)' 98304 98304
  expect_line inlining.cc 'int main' . .
  expect_match out \
    "^ROUTINE ====================== main in .*/inlining\.cc$"
done

if [[ -f $dumps/rust_alloc.gcc-O2.heap ]]; then
  run --list '^rust_alloc::' --show_bytes "$dumps/rust_alloc.gcc-O2.heap"
  expect_line rust_alloc.rs '    hold_vec\(black_box' . 1048576
  expect_line rust_alloc.rs '    hold_box\(black_box' . 196608
  expect_line rust_alloc.rs '    hold_map\(black_box' . 327680
  expect_line rust_alloc.rs 'Vec::<u8>::with_capacity' . 1048576
fi

dump=$dumps/inlining.gcc-O2.heap
run --list . --lines "$dump" # any function; those of libraries have no source
expect_status 0
expect_match err 'source file not found: .* and [0-9]+ more; name the folder with --source-path'

# Moved sources: another last line shows that the moved file is read.
mkdir -p "$tmp/moved/programs"
sed '$a // the moved one' "$PROGRAMS/inlining.cc" \
  >"$tmp/moved/programs/inlining.cc"
run --list '^main$' --source-path "/nowhere:$tmp/moved" "$dump"
expect_match out ': // the moved one$'
run --list '^main$' --path-map "$PROGRAMS=$tmp/moved/programs" "$dump"
expect_match out ': // the moved one$'
# Only regular files are read.
rm "$tmp/moved/programs/inlining.cc"
mkfifo "$tmp/moved/programs/inlining.cc"
run --list '^main$' --source-path "$tmp/moved" "$dump"
expect_status 0
expect_line inlining.cc 'int main' . .

run --list 'no such function' "$dump"
expect_status 1
expect_match err "error: --list=no such function matches none of the functions"
run --list '(' "$dump"
expect_status 2
run --list main --text "$dump"
expect_status 2
expect_match err 'more than one output'

# A name as tables show it: with the address that tells overloads apart, and
# with characters that mean something else in a pattern.
readonly overloads=$dumps/warehouse.gcc-O2-static.heap
text "$overloads"
name=$(grep -om1 'demo::Shelf129::Fill@[0-9a-f]*' "$tmp/out")
for option in --list --disasm; do
  run "$option=$name" "$overloads"
  expect_status 0
  expect_match out "^ROUTINE =+ demo::Shelf129::Fill(\\(|\$| )"
  expect_equal "routines of $name" 1 "$(grep -c '^ROUTINE' "$tmp/out")"
done
readonly stripped=$dumps/inlining.gcc-O2-stripped.heap
text "$stripped"
name=$(grep -om1 'inlining+0x[0-9a-f]*' "$tmp/out")
for option in --list --disasm --callers --peek; do
  run "$option=$name" "$stripped"
  expect_status 1
  expect_match err "the name itself is '$option=inlining\\\\\\+0x"
done
for option in --list --disasm; do
  run "$option=${name/+/\\+}" "$stripped"
  expect_status 1
  expect_match err "matches only code without a (name|symbol), such as inlining"
done
