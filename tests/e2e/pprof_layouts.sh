#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: pprof_layouts.sh DUMP
#
# A profile in any layout that rust-jemalloc-pprof has ever written gives the
# same report as the dump, with and without build ids. So does our own profile.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/$1.heap
layout=$(dirname "$0")/pprof_layout.py
text "$dump"
sort -k 6 "$tmp/out" >"$tmp/dump.text"
samples=$(grep -c '^@' "$dump")

# same_report ARGUMENT...: the same names, and numbers that differ at most by
# the truncation of each sample.
same_report() {
  text "$@"
  expect_no_match err 'warning'
  sort -k 6 "$tmp/out" >"$tmp/pprof.text"
  local difference
  difference=$(paste -d '\n' "$tmp/dump.text" "$tmp/pprof.text" |
    awk -v samples="$samples" '
      /^Total/ { next }
      {
        flat = $1; cumulative = $4
        for (i = 1; i <= 5; ++i) sub(/^ *[^ ]+ */, "")
        if (!(other = !other)) {
          if ($0 != name) print name, "or", $0
          else if (flat - f > samples || f - flat > samples ||
                   cumulative - c > samples || c - cumulative > samples)
            print name, f, c, "or", flat, cumulative
        }
        name = $0; f = flat; c = cumulative
      }')
  expect_equal "rows of $* that differ" "" "$difference"
}

for kind in A B C D; do
  python3 "$layout" $kind "$dump" "$tmp/$kind.pb.gz"
  same_report "$tmp/$kind.pb.gz"
  run --proto -o "$tmp/$kind.again.pb.gz" "$tmp/$kind.pb.gz"
  same_report --resymbolize "$tmp/$kind.again.pb.gz"
  python3 "$layout" $kind "$dump" "$tmp/$kind.bare.pb.gz" --no-build-id
  same_report "$tmp/$kind.bare.pb.gz"
done
