#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Split debug information: .dwo files where they were made, moved as a whole,
# next to the binary, in a package; or missing.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
readonly source=$(dirname "$0")/../../testdata/programs/inlining.cc
run --collapsed "$dump"
cp "$tmp/out" "$tmp/expected"

# same ARGUMENT...: inlined calls are there.
same() {
  run --collapsed "$@" "$dump"
  expect_status 0
  expect_same expected out
  expect_no_match err warning
}

for version in 4 5; do
  build=$tmp/build$version
  binary=$build/inlining
  mkdir "$build" "$tmp/ship$version"
  cp "$source" "$(dirname "$source")/hold.h" "$build"
  (cd "$build" && g++ -std=c++17 -pthread -g -O2 -gdwarf-$version \
    -gsplit-dwarf -o inlining inlining.cc)
  same "$binary"
  llvm-dwp-19 -e "$binary" -o "$tmp/ship$version/inlining.dwp"

  mv "$build" "$tmp/moved$version"
  binary=$tmp/ship$version/inlining
  strip -o "$binary" "$tmp/moved$version/inlining"
  mv "$tmp/moved$version/inlining" "$tmp/ship$version/inlining.debug"
  same "$binary"
  same "$tmp/ship$version"
  mv "$tmp/ship$version/inlining.dwp" "$tmp/package"
  same "$binary" "$tmp/package"
  same "$binary" --path-map "$build=$tmp/moved$version"
  run --collapsed "$binary" "$dump"
  expect_match err 'inlining: split debug information is missing for 1 of the units asked, the first in .*\.dwo; inlined calls are not shown there$'
  cp "$tmp/moved$version"/*.dwo "$tmp/ship$version"
  same "$binary"
done
