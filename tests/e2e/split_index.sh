#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The index of a binary with split debug information is used only while the
# split files are those it was made from.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
source=$(dirname "$0")/../../testdata/programs/inlining.cc
readonly build=$tmp/build
readonly binary=$build/inlining
mkdir "$build"
cp "$source" "$(dirname "$source")/hold.h" "$build"
(cd "$build" && g++ -std=c++17 -pthread -g -O2 -gsplit-dwarf -o inlining \
  inlining.cc && llvm-dwp-19 -e inlining -o "$tmp/package")
dwo=$(ls "$build"/*.dwo)
# Not needed here.
echo 'int Other() { return 1; }' >"$tmp/other.cc"
(cd "$tmp" && g++ -std=c++17 -g -gsplit-dwarf -c other.cc -o other.o &&
  llvm-dwp-19 other.dwo -o other.dwp)

# messages FILE: without those on indexes and times.
messages() {
  grep -vE ': (index of|no index|reading the profile)' "$tmp/err" >"$tmp/$1" ||
    true
}

# check WHAT ARGUMENT...: the index is used or built or there is none, and the
# report and messages are those without index.
check() {
  local what=$1 found=used
  shift
  run --verbose --no-cache --callgrind "$binary" "$@" "$dump"
  expect_status 0
  cp "$tmp/out" "$tmp/expected"
  messages expected.messages
  run --verbose --callgrind "$binary" "$@" "$dump"
  expect_status 0
  expect_same expected out
  messages messages
  expect_same expected.messages messages
  ! grep -q 'inlining: index of .* built$' "$tmp/err" || found=built
  ! grep -q 'inlining: no index: some of its split' "$tmp/err" || found=none
  expect_equal "the index" "$what" "$found"
}

# change_names FILE FROM TO: another content of the same size, at the same time and
# with the same units.
change_names() {
  cp "$1" "$1.new"
  sed -i "s/$2/$3/g" "$1.new"
  touch -r "$1" "$1.new"
  expect_equal "size" "$(stat -c '%s %Y' "$1")" "$(stat -c '%s %Y' "$1.new")"
  ! cmp -s "$1" "$1.new" || fail "$1" "$2" nothing
  cat "$1.new" >"$1"
  touch -r "$1.new" "$1"
  rm "$1.new"
}

# A missing split file appears.
mv "$dwo" "$tmp/away.dwo"
check none
check none
mv "$tmp/away.dwo" "$dwo"
check built
check used
check used "$tmp/other.dwp"
expect_match messages 'warning: .*/other\.dwp: not used'

# A split file disappears, and then another one takes its place.
mv "$dwo" "$tmp/away.dwo"
check none
mv "$tmp/away.dwo" "$dwo"
change_names "$dwo" Middle Meddle
check built
run --collapsed "$binary" "$dump"
expect_match out Meddle
check used

# A package is preferred to .dwo files: first one, then another, then none.
cp "$tmp/package" "$binary.dwp"
check built
run --collapsed "$binary" "$dump"
expect_no_match out Meddle
check used
change_names "$binary.dwp" Middle Muddle
check built
run --collapsed "$binary" "$dump"
expect_match out Muddle
rm "$binary.dwp"
check built
check used
expect_equal indexes 1 "$(run cache; grep -c /build/inlining "$tmp/out")"
