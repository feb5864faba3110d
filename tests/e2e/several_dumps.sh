#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Several dumps are added up; on a side of a comparison, they are averaged.
. "$(dirname "$0")/common.inc"

readonly first=$dumps/growth.first.heap grown=$dumps/growth.grown.heap
readonly other=$dumps/threads.gcc-O2.heap

sum() {
  local dump result=0
  for dump in "$@"; do
    run --text --show_bytes "$dump"
    result=$((result + $(total)))
  done
  echo "$result"
}

expected=$(sum "$first" "$grown" "$other")
text "$first" "$other" "$grown"
expect_equal "sum" "$expected" "$(total)"

# The overview says so, and its commands show the same sum.
run --overview "$first" "$other"
expect_status 0
expect_match out "^[^ ]* +the sum of $first and 1 more "
for command in '--callers=[^ ]*' '-o mem.html'; do
  expect_match out " heapprof $command $first $other\$"
done
expect_no_match out 'heapprof info'  # which takes one

# Each side of a comparison is the mean of its dumps, in any order.
cp "$grown" "$tmp/copy.heap"
cp "$first" "$tmp/first.heap"
text --base "$first" "$grown"
cp "$tmp/out" "$tmp/one"
text --base "$first" "$grown" "$tmp/copy.heap"
expect_same one out
expect_match err '^heapprof: the new side is the mean of 2 dumps; if some .*--new'
text --base="$first" "$grown" --base="$tmp/first.heap"
expect_same one out
expect_match err '^heapprof: the base is the mean of 2 dumps$'
text --base "$other" --base "$first" "$grown"
cp "$tmp/out" "$tmp/one"
text --base="$first" "$grown" --base="$other"
expect_same one out
text --base "$first" "$other" --new "$grown" "$tmp/copy.heap"
expect_same one out
expect_match err '^heapprof: the new side is the mean of 2 dumps$'
# The commands that an overview suggests keep the sides.
run --overview --base "$first" "$other" --new "$grown" "$tmp/copy.heap"
expect_match out " --callers=[^ ]* --base $first $other --new $grown "
run --text --base "$first" --base "$grown" "$grown" "$first"
expect_status 0
expect_empty out
expect_match err 'no difference to the base'
for output in --collapsed '--collapsed --two-column' --flamegraph --tree \
  --traces; do
  # shellcheck disable=SC2086 # several options
  run $output --base "$first" "$grown"
  cp "$tmp/out" "$tmp/one"
  # shellcheck disable=SC2086
  run $output --base "$first" "$grown" "$tmp/copy.heap"
  sed -i 's/mean of \(growth.grown.heap\) and 1 more/\1/g' "$tmp/out"
  expect_same one out
done
run --flamegraph --base "$first" "$grown" "$tmp/copy.heap"
expect_match out 'mean of growth.grown.heap and 1 more'
run --proto --base "$first" --base "$other" -o "$tmp/diff.pb.gz" "$grown"
expect_status 0

# A dump that is named twice is one run: twice as many would seem more exact.
run --text --ci --base "$first" "$grown"
cp "$tmp/out" "$tmp/one"
ln -s "$grown" "$tmp/link.heap"
run --text --ci --base "$first" "$grown" "$tmp/link.heap"
expect_same one out
expect_match err "^heapprof: warning: $tmp/link.heap repeats a dump of the new side, \
and counts once\$"
run --text --ci --base "$first" --base "$first" "$grown"
expect_same one out
expect_match err 'repeats a dump of the base, and counts once$'
expected=$(sum "$first" "$first")
text "$first" "$first"
expect_equal "sum" "$expected" "$(total)"
expect_match err 'repeats a dump, and is added up, too$'

# jeprof adds up dumps of one process as heapprof does.
sed '1s/.*/heap_v2\/4096/' "$first" >"$tmp/sampled.heap"
jeprof --text --show_bytes --retain='demo::' "$bin/gcc-O2/growth" "$first" \
  "$tmp/sampled.heap" 2>/dev/null | grep ' demo::' >"$tmp/jeprof"
run --text --show_bytes --retain='demo::' "$first" "$tmp/sampled.heap"
grep ' demo::' "$tmp/out" >"$tmp/ours"
expect_same jeprof ours

# Full snapshots of one process mean nothing as a sum, nor as a mean. Whatever
# the order of their names, they are in the order in which they were written.
for i in 0 2 10; do cp "$grown" "$tmp/server.77.$i.i$i.heap"; done
cp "$first" "$tmp/server.77.0.i0.heap"
readonly -a series=("$tmp"/server.77.{0.i0,2.i2,10.i10}.heap)
run --text "${series[@]}"
expect_status 0
expect_equal "warnings" 1 "$(grep -c warning "$tmp/err")"
expect_match err 'warning: 3 dumps of [^ ]*/server.77 are added up'
for output in --text --json --html --collapsed; do
  run $output "${series[@]}"
  expect_status 0
  cp "$tmp/out" "$tmp/sorted"
  run $output "${series[2]}" "${series[0]}" "${series[1]}"
  expect_same sorted out
done
# The page is about the last of them, and shows the others in its time line.
touch -d '2026-01-02 03:04:05 UTC' "${series[0]}"
touch -d '2026-01-02 03:05:05 UTC' "${series[1]}"
touch -d '2026-01-02 03:06:05 UTC' "${series[2]}"
run --html "${series[@]}"
expect_no_match err 'added up'
expect_match out '<dt>Written</dt><dd>2026-01-02 03:06:05 UTC'
run --markdown "${series[@]}"
expect_match out '2026-01-02 03:06:05 UTC'
run --json "${series[2]}"
bytes=$(jq '.shown.value' "$tmp/out")
run --html "${series[@]}"
expect_match out "$(numfmt --to=iec-i --format=%.1f "$bytes" |
  sed 's/[KMG]i/ &B/').* live in the last of 3 dumps</p>"
run --text "$other" --base="${series[0]}" --base="${series[1]}"
expect_status 2
expect_match err 'server.77.0.i0.heap and 1 more are snapshots of one process'
expect_match err "use 'heapprof trend'"
expect_no_match err 'server.77.2.i2.heap'
run --text --base "${series[0]}" "${series[1]}"
expect_no_match err 'several dumps'
# Without a base, a check would pass with their mean, though the last one is
# above the limit.
for options in --max-total=1GiB "--save-baseline $tmp/mean.pb.gz"; do
  # shellcheck disable=SC2086
  run check $options --new "${series[@]}"
  expect_status 2
  expect_match err 'server.77.0.i0.heap and 2 more are snapshots of one process'
done
[[ ! -e $tmp/mean.pb.gz ]] || fail "a baseline" "none" "one"

# A pprof file names the first ones.
many=()
for i in {10..30}; do
  cp "$first" "$tmp/many.$i.heap"
  many+=("$tmp/many.$i.heap")
done
run -o "$tmp/many.pb.gz" "${many[@]}"
expect_status 0
gzip -dc "$tmp/many.pb.gz" | strings >"$tmp/out"
expect_match out "input: $tmp/many\.29\.heap"
expect_no_match out "input: $tmp/many\.30\.heap"
expect_match out 'and 1 more input[^s]*$'

# How much dumps differ says nothing about their sum: the share of a chain is as
# exact as what it and the rest hold.
sum=()
for factor in 1 4 9; do
  awk -v factor=$factor '
    /^@/ { ++stacks }
    /^ *t[0-9*]+: / && stacks % 2 == 1 {
      split($0, value, /[ :\[\]]+/)
      printf "  %s: %d: %d [%d: %d]\n", value[2], value[3] * factor,
             value[4] * factor, value[5] * factor, value[6] * factor
      next
    }
    { print }' "$E2E/sampled/quickstart.gcc-O2.heap" >"$tmp/sum.$factor.heap"
  sum+=("$tmp/sum.$factor.heap")
done
run --json "${sum[@]}"
jq -e 'def width: .upper - .lower;
       .totals.inuse_space as $total | .story[0] |
       (.share_interval | width) <
       2 * ((.held.interval | width) + ($total.interval | width)) /
         $total.value' "$tmp/out" >/dev/null ||
  fail "share of a sum" "an interval like those of values" \
    "$(jq -c '.story[0]' "$tmp/out")"
