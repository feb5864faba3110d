#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --show_from, --prune_from, --hide and --no-inlines keep what pprof keeps when
# it filters the whole profile itself.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/pprof.inc"

# rows FILE ARGUMENT...: flat and cumulative values and names of pprof's table.
rows() {
  top "$@"
  awk '$1 ~ /^[0-9]+B?$/ {
    flat = $1; cumulative = $4
    for (i = 1; i <= 5; ++i) sub(/^ *[^ ]+ */, "")
    print flat + 0, cumulative + 0, $0 }' "$tmp/out" | sort
}

# same DUMP FILTER...: ours, and pprof's where it has another name.
same() {
  local dump=$dumps/$1.heap
  shift
  write filtered "$@" "$dump"
  rows filtered.pb.gz >"$tmp/ours"
  rows all.pb.gz "${@/#--no-inlines/-noinlines}" >"$tmp/theirs"
  [[ -s $tmp/theirs ]] || fail "pprof $*" "rows" "none"
  expect_same theirs ours
}

write all "$dumps/inlining.gcc-O2.heap"
rows all.pb.gz >"$tmp/all"
for filter in --show_from=HoldRecursive --show_from=demo::Outer \
  '--show_from=demo::(Middle|Refill)' --show_from=std_function.h \
  --show_from=/libc.so --show_from='^main$' --prune_from=Middle \
  --prune_from=demo::HoldChain --prune_from=HoldFunction \
  '--prune_from=^demo::Outer$' --no-inlines --hide='^std::' --hide=Middle \
  '--hide=demo::(Middle|HoldChain|Inner)' --hide=std_function.h \
  --hide=/libc.so --hide=/inlining; do
  same inlining.gcc-O2 "$filter"
  ! cmp -s "$tmp/all" "$tmp/theirs" || fail "$filter" "fewer rows" "all"
done
same inlining.gcc-O2 --show_from=demo:: --prune_from=demo::Outer
same inlining.gcc-O2 --no-inlines --prune_from=demo::Outer

write all "$dumps/warehouse.gcc-O2-static.heap"
same warehouse.gcc-O2-static --show_from='Shelf1[0-9]::Put'
same warehouse.gcc-O2-static --prune_from='Shelf1[0-9]::Put' --no-inlines
