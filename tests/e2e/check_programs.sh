#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `heapprof check` does not judge the dump of a wrong program, on any side, but
# does judge that of a renamed one.
. "$(dirname "$0")/common.inc"

readonly old=$dumps/growth.old-build.heap new=$dumps/growth.again.heap
readonly wrong=$dumps/inlining.gcc-O2.heap limits='--max-total=1GiB --max-growth=1GiB'

# judge STATUS ARGUMENT...
judge() {
  local expected=$1
  shift
  # shellcheck disable=SC2086
  run check $limits "$@"
  expect_status "$expected"
}

refuse() {
  judge 3 "$@"
  expect_empty out
  expect_match err "warning: different programs are .*/growth .*/inlining |.*/inlining .*/growth "
  expect_match err 'error: the dumps are of different programs, as a warning says: .*; --allow-renamed judges them$'
  judge 0 "$@" --allow-renamed
  expect_match out '^ok: '
}

judge 0 --base "$old" "$new"
refuse --base "$old" "$wrong"
refuse --base "$wrong" "$new"
# Among several runs of a side, in any place, and without the other side.
refuse --base "$old" "$wrong" --new "$new"
refuse --base "$old" --new "$new" "$wrong"
refuse --base "$old" --new "$wrong" "$new"
refuse_runs() {
  run check --max-total=1GiB "$@"
  expect_status 3
  expect_match err 'warning: different programs are averaged: '
}
refuse_runs "$new" "$wrong"
# Nor is such a baseline saved.
refuse_runs "$new" "$wrong" --save-baseline "$tmp/base.pb.gz"
[[ ! -e $tmp/base.pb.gz ]] || fail "baseline" "none" "one of two programs"
# Each program has its own code, also below /usr, where other files are
# libraries, and --own=none opens no gate.
sed 's,/[^ ]*/growth$,/usr/local/bin/growth,' "$old" >"$tmp/old.heap"
sed 's,/[^ ]*/inlining$,/usr/local/bin/inlining,' "$wrong" >"$tmp/wrong.heap"
for own in auto none; do
  refuse --own="$own" "$bin/gcc-O1/growth" "$bin/gcc-O2/inlining" \
    --base "$tmp/old.heap" "$tmp/wrong.heap"
done

# A saved baseline knows its program.
run check --save-baseline "$tmp/base.pb.gz" "$wrong"
expect_status 0
refuse --base "$tmp/base.pb.gz" "$new"

# A renamed program: the same build, or a version in its name.
for name in growth-1.4 growth-2 renamed; do
  cp "$bin/gcc-O2/growth" "$tmp/$name"
  sed "s,/[^ ]*/growth\$,$tmp/$name," "$new" >"$tmp/$name.heap"
done
judge 0 --base "$tmp/renamed.heap" "$new"
judge 0 --base "$old" "$tmp/growth-1.4.heap"
judge 0 --base "$old" "$tmp/growth-2.heap" --new "$tmp/growth-1.4.heap"
expect_no_match err 'different programs'
# Another build with another name, whose functions have kept theirs.
judge 0 --base "$old" "$tmp/renamed.heap"
expect_match err 'warning: different programs are compared: .*/renamed .*/growth '

# Outside of the gate, jeprof's sum of several programs is what it was.
run --text "$new" "$wrong"
expect_status 0
expect_no_match err 'different programs'
