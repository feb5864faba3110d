#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --tree, --peek and --traces print what Go's pprof prints for our --proto, but
# in other units and with inlined calls as separate functions.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/pprof.inc"

mark_inlined=$(dirname "$0")/mark_inlined.py

# profile DUMP: leaves $tmp/dump.pb.gz.
profile() {
  write dump --names=full "$1"
  python3 -B "$mark_inlined" "$tmp/dump.pb.gz"
}

# pprof_of MODE: leaves pprof's report on $tmp/dump.pb.gz in $tmp/pprof, without
# its heading, its own marks of inlined calls and trailing blanks, and with a
# blank before units.
pprof_of() {
  # shellcheck disable=SC2086
  pprof $1 -unit=B -nodecount=0 -nodefraction=0 -edgefraction=0 \
    "$tmp/dump.pb.gz"
  sed -E '/^(File|Build ID|Type|Time): |^heapprof /d; s/ \(inline\)//
    s/ \[inlined\]/ (inline)/; s/( [0-9]+)B([ ,])/\1 B\2/g
    s/[[:blank:]]+$//' "$tmp/out" >"$tmp/pprof"
  [[ $(wc -l <"$tmp/pprof") -gt 10 ]] || fail "pprof $1" "a report" "nothing"
}

# ours ARGUMENT...
ours() {
  run --show_bytes --names=full "$@"
  expect_status 0
  cp "$tmp/out" "$tmp/ours"
}

# expect_same_numbers FILE FILE: line by line the same words, except that pprof
# writes shares with more digits.
expect_same_numbers() {
  local difference
  difference=$(paste -d '\n' "$tmp/$1" "$tmp/$2" | awk '
    function number(share) { sub(/^</, "", share); return share + 0 }
    NR % 2 { theirs = $0; next }
    {
      all = $0
      words = split(theirs, t)
      same = NF == words
      for (i = 1; i <= NF && same; ++i)
        same = $i == t[i] || $i ~ /%,?$/ && t[i] ~ /%,?$/ &&
          (number($i) - number(t[i])) ^ 2 < 0.06 ^ 2
      if (!same) print theirs " or " all
    }' | head -n 5)
  expect_equal "lines of $1 and $2 that differ" "" "$difference"
}

# The stacks of $tmp/FILE, one per line, sorted, equal ones added up, without
# those that no longer hold anything, which pprof prints, too.
stacks() {
  awk '
    /^--/ { if (stack) sum[stack] += value; stack = ""; next }
    stack == "" { value = $1 + 0; sub(/^ *[0-9]+( ?B)? /, "") }
    { sub(/^ +/, ""); stack = stack $0 ";" }
    END { for (s in sum) if (sum[s]) print s, sum[s] }' "$tmp/$1" | sort
}

for dump in "$dumps"/inlining.{gcc-O0,gcc-O2,gcc-O2-stripped,clang-O2}.heap \
  "$dumps"/{threads,shared_main,rust_alloc}.gcc-O2.heap \
  "$dumps"/warehouse.gcc-O2-static.heap "$E2E"/sampled/quickstart.gcc-O2.heap; do
  [[ -f $dump ]] || continue  # where there is no Rust
  # Scaled values are not integers, and pprof's are truncated stack by stack.
  [[ $dump != */sampled/* ]] || sed '1s/.*/heap_v2\/1/' "$dump" >"$tmp/whole"
  [[ $dump != */sampled/* ]] || dump=$tmp/whole
  profile "$dump"
  pprof_of -tree
  ours --tree "$dump"
  expect_same_numbers pprof ours
  pprof_of -peek='Hold|main'
  ours --peek='Hold|main' "$dump"
  expect_same_numbers pprof ours
  pprof_of -traces
  stacks pprof >"$tmp/expected"
  ours --traces "$dump"
  stacks ours >"$tmp/stacks"
  expect_same expected stacks
done

# by_line FILE: the blocks of $tmp/FILE with their rows sorted, and without
# shares and differences in places: pprof simplifies paths, and omits "??:0".
by_line() {
  sed -E 's/ \?\?:0//; s|\./[a-z]+/\.\./||; s| \./| |
    s/ +[^ ]*[0-9]%//g; s/ +/ /g' "$tmp/$1" |
    awk '/^---/ { block++ } { print block + 0 "\t" $0 }' | sort -k 1n -k 2 |
    awk -F '\t' '$1 != last { print text; text = ""; last = $1 }
      { text = text $2 "|" } END { print text }' | sort >"$tmp/$1.lines"
}

for dump in "$dumps"/{inlining,shared_main}.gcc-O2.heap \
  "$dumps"/warehouse.gcc-O2-static.heap; do
  profile "$dump"
  pprof_of "-lines -tree"
  by_line pprof
  ours --tree --lines "$dump"
  by_line ours
  expect_same pprof.lines ours.lines
done

readonly dump=$dumps/inlining.gcc-O2.heap

run --tree --top 3 "$dump"
expect_match out '^Showing top 3 nodes out of [0-9]+$'
expect_match out '128\.0 KiB +23\.4% +49\.6% +128\.0 KiB +23\.4% +\| demo::Inner \(inline\)'
# Full names match, too, whatever the report calls the functions.
run --peek='^demo::Pool<demo::Small>::Grow\(int\)$' "$dump"
expect_status 0
expect_match out '% +\| demo::Pool::Grow$'
run --peek='no such function' "$dump"
expect_status 1
expect_empty out
expect_match err '\-\-peek=no such function matches none of the functions'
run --peek='(' "$dump"
expect_status 2
expect_match err '\-\-peek=\(: '
run --traces --base "$dumps/growth.first.heap" "$dumps/growth.grown.heap"
expect_status 0
expect_match out '^ +4\.0 MiB +demo::Grow'
expect_equal "stacks that differ" 1 "$(grep -c '_start$' "$tmp/out")"
