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

run --names=long "$dump"
expect_status 2
expect_match err "--names: expected full, template or short, found 'long'"
