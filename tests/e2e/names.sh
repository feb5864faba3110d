#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --names says how much of a name every output shows.
. "$(dirname "$0")/common.inc"

dump=$dumps/warehouse.gcc-O2-static.heap

text "$dump"
expect_match out ' demo::Shelf10::Fill@[0-9a-f]+$'
text --names=full "$dump"
expect_match out ' demo::Shelf10::Fill\(double\)$'
expect_match out ' demo::Shelf10::Put\(int\) \(inline\)$'
# Overloads share a short name and one row.
text --names=short "$dump"
expect_cum 'demo::Shelf10::Fill' $((40 * 1024))
expect_no_match out 'Shelf10::Fill[(@]'

run --collapsed "$dump"
expect_match out ';demo::Shelf10::Fill\(double\) '
run --collapsed --names short "$dump"
expect_match out ';demo::Shelf10::Fill '
run --proto --names short -o "$tmp/short.pb" "$dump"
cp "$tmp/short.pb" "$tmp/out"
LC_ALL=C grep -aq 'demo::Shelf10::Fill' "$tmp/out" || fail pprof "Fill" none
! LC_ALL=C grep -aq '::Fill(double)' "$tmp/out" ||
  fail pprof "no arguments" "::Fill(double)"

# gcc's lambdas and instances with types that have no linkage have one name,
# whether or not they are inlined, and however the names come about.
build() {
  g++ -std=c++17 -g "${@:2}" -o "$tmp/$1" "$PROGRAMS/names.cc"
  LD_PRELOAD=libjemalloc.so.2 \
    MALLOC_CONF=prof:true,prof_final:true,lg_prof_sample:0,prof_prefix:$tmp/$1 \
    "$tmp/$1"
  mv "$tmp/$1".*.heap "$tmp/$1.heap"
}
build unoptimized -O0
build inlined -O2
for build in unoptimized inlined; do
  run --collapsed --names=template "$tmp/$build.heap"
  expect_status 0
  expect_no_match out 'unnamed|<lambda'
  cp "$tmp/out" "$tmp/cold"
  run --collapsed --names=template "$tmp/$build.heap"
  expect_same cold out
  sed 's/ [0-9]*$//' "$tmp/out" | tr ';' '\n' | grep -E 'demo::|Global' |
    sort -u >"$tmp/$build.names"
done
expect_equal "names of inlined functions only" "" \
  "$(comm -13 "$tmp/unoptimized.names" "$tmp/inlined.names")"
cp "$tmp/inlined.names" "$tmp/out"
expect_match out '^Global<main::\{lambda\(int\)\}>$'
expect_match out "^demo::\(anonymous namespace\)::Fill<demo::\(anonymous \
namespace\)::Rows const\*, \(demo::\(anonymous namespace\)::Kind\)120, \
\(char\)97, 4>$"
expect_match out '^demo::NoLinkage::\{lambda\}::operator\(\)::\{lambda\}::'

run --names=long "$dump"
expect_status 2
expect_match err "--names: expected full, template or short, found 'long'"
