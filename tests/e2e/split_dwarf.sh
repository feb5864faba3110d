#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Split debug information: .dwo files in the build directory, moved with it,
# next to the binary, in a package, or missing.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
source=$(dirname "$0")/../../testdata/programs/inlining.cc
run --collapsed "$dump"
cp "$tmp/out" "$tmp/expected"

# same ARGUMENT...: inlined calls are there.
same() {
  run --collapsed "$@" "$dump"
  expect_status 0
  expect_same expected out
  expect_no_match err warning
}

mkdir "$tmp/other"
cp "$source" "$(dirname "$source")/hold.h" "$tmp/other"
(cd "$tmp/other" && g++ -std=c++17 -pthread -g -O1 -gsplit-dwarf \
  -o inlining inlining.cc && llvm-dwp-19 -e inlining -o other.dwp)
cp "$tmp/other/other.dwp" "$tmp"
rm "$tmp/other/inlining" "$tmp/other"/*.dwo

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
  run --collapsed "$binary" "$tmp/package" "$tmp/other.dwp" "$dump"
  expect_match err 'warning: .*/other\.dwp: not used'
  # A folder may hold more than one run needs.
  same "$binary" "$tmp/package" "$tmp/other"
  same "$binary" --path-map "$build=$tmp/moved$version"
  run --collapsed "$binary" "$dump"
  expect_match err 'inlining: split debug information is missing for 1 of the units needed, the first in .*\.dwo; inlined calls are not shown there: name the \.dwp file, or the folder of the \.dwo files$'
  # info says so, too, and lists the places searched.
  run info --verbose "$binary" "$dump"
  sed -z 's/\n \{20\}/ /g' "$tmp/out" >"$tmp/facts"
  expect_match facts '^  tried  .*/ship./inlining\.dwp$'
  expect_match facts "^  tried  .*$build/[^ ]*inlining\.dwo\$"
  expect_match facts '^  tried  .*/ship./[^ ]*inlining\.dwo$'
  expect_match facts '^  problem +split debug information is missing for 1 of'
  # Packages and files of other builds are not used.
  for option in "$tmp/other.dwp" "$tmp/other"; do
    run --collapsed "$binary" "$option" "$dump"
    expect_match err 'warning: .*/other\.dwp: not used: no module needs its split debug information$'
  done
  run info --verbose "$binary" "$tmp/other.dwp" "$dump"
  sed -z 's/\n \{20\}/ /g' "$tmp/out" >"$tmp/facts"
  expect_match facts '^  does not fit +.*/other\.dwp: not used: no module needs'
  expect_match facts '^  tried +.*/other\.dwp: holds other units$'
  run info --json "$binary" "$tmp/other.dwp" "$dump"
  python3 - "$tmp/out" <<'EOF' || fail json valid invalid
import json, sys
info = json.load(open(sys.argv[1]))
assert "other.dwp: not used" in info["dump"]["unused_files"][0]
[module] = [m for m in info["modules"] if m["path"].endswith("/inlining")]
assert "split debug information" in module["problems"][0]
EOF
  cp "$tmp/moved$version"/*.dwo "$tmp/ship$version"
  same "$binary"
done
