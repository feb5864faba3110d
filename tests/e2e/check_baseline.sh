#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A saved baseline gives the same report as the dumps that it was made from,
# without their binaries; pprof reads it.
. "$(dirname "$0")/common.inc"

# sample NAME [LG_PROF_SAMPLE]
sample() {
  LD_PRELOAD=libjemalloc.so.2 \
    MALLOC_CONF=prof:true,prof_final:true,prof_accum:true,lg_prof_sample:${2-14},prof_prefix:$tmp/$1 \
    "$tmp/quickstart" >"$tmp/ignored" 2>&1
  mv "$tmp/$1".*.f.heap "$tmp/$1.heap"
}

cp "$bin/gcc-O2/quickstart" "$tmp"
for name in one two three new; do sample $name; done
readonly runs=("$tmp/one.heap" "$tmp/two.heap" "$tmp/three.heap")

# The numbers of a JSON report, and the builds, without the names of files.
numbers() {
  jq 'del(.base.dumps[].path, .new.dumps[].path, .base.dumps[].time_seconds)' \
    "$tmp/out"
}

run check --max-total=1GiB --save-baseline "$tmp/base.pb.gz" --new "${runs[@]}"
expect_status 0

# Without a base, too, a limit applies to the mean of runs, not to their sum.
sum=0
for dump in "${runs[@]}"; do
  run --json "$dump"
  sum=$((sum + $(jq .totals.inuse_space.value "$tmp/out")))
done
run check --max-total=$((sum / 2))B --new "${runs[@]}"
expect_status 0
run check --max-total=$((sum / 2))B --format json --new "$tmp/base.pb.gz"
expect_status 0
# Each total is rounded.
after=$(jq '.total.after | floor' "$tmp/out")
[[ $((after - sum / 3)) =~ ^-?[012]$ ]] ||
  fail "the mean of the totals" $((sum / 3)) "$after"
run check --max-total=$((sum / 4))B --noise point --new "${runs[@]}"
expect_status 1
for by in function file module stack thread; do
  for metric in inuse_space alloc_space; do
    compare=("--by=$by" "--$metric" --max-growth=0 --max-total-growth=0 --explain
      --format=json --fail-on=never --new "$tmp/new.heap")
    run check --base "${runs[@]}" "${compare[@]}"
    expect_status 0
    numbers >"$tmp/from_dumps.$by.$metric"
  done
done
expect_equal "runs" 3 "$(jq .base.runs "$tmp/out")"

for by in function file module stack thread; do
  for metric in inuse_space alloc_space; do
    compare=("--by=$by" "--$metric" --max-growth=0 --max-total-growth=0 --explain
      --format=json --fail-on=never --new "$tmp/new.heap")
    run check --base "$tmp/base.pb.gz" "${compare[@]}"
    expect_status 0
    numbers >"$tmp/from_baseline.$by.$metric"
    expect_same "from_dumps.$by.$metric" "from_baseline.$by.$metric"
  done
done

# Without a limit, there is nothing to judge, only to save.
run check --save-baseline "$tmp/saved.pb.gz" "${runs[@]}"
expect_status 0
expect_empty out
cmp "$tmp/base.pb.gz" "$tmp/saved.pb.gz" ||
  fail "a baseline saved without a limit" "the same" "another"
expect_usage_error 'no limit' check --save-baseline "$tmp/saved.pb.gz" \
  -o "$tmp/report" "${runs[@]}"
expect_usage_error 'no limit' check --save-baseline "$tmp/saved.pb.gz" \
  --base "$tmp/one.heap" "$tmp/two.heap"

# Other commands take the mean of its runs for one dump.
for run in "${runs[@]}"; do
  "$HEAPPROF" --text --show_bytes "$run" | sed -n 's/^Total: \([0-9]*\).*/\1/p'
done >"$tmp/totals" 2>"$tmp/ignored"
total=$("$HEAPPROF" --text --show_bytes "$tmp/saved.pb.gz" 2>"$tmp/ignored" |
  sed -n 's/^Total: \([0-9]*\).*/\1/p')
# Each total is rounded.
mean=$(awk '{sum += $1} END {printf "%d", sum / NR}' "$tmp/totals")
[[ $((total - mean)) =~ ^-?[012]$ ]] ||
  fail "the total of a baseline" "$mean" "$total"
run --text "$tmp/saved.pb.gz"
expect_match err '^heapprof: the baseline shows the mean of 3 runs$'
# It is one file.
run --markdown --base "$tmp/saved.pb.gz" "${runs[0]}"
expect_match out "compared with .$tmp/saved.pb.gz., "

# A baseline has the sampling period of its own side.
sample coarse 17
sample fine 12
run check --max-total=1GiB --base "$tmp/coarse.heap" \
  --save-baseline "$tmp/fine.pb.gz" "$tmp/fine.heap"
expect_status 0
run check --max-growth=0 --noise=point --format=json --base "$tmp/fine.heap" \
  "$tmp/fine.pb.gz"
expect_status 0
expect_equal "period and error" "4096 true" \
  "$(jq -r '"\(.new.sampling_period) \(.total.change == 0)"' "$tmp/out")"
# Runs with several periods make none.
run check --max-total=1GiB --save-baseline "$tmp/mixed.pb.gz" \
  --new "$tmp/fine.heap" "$tmp/coarse.heap"
expect_status 3
expect_empty out
expect_match err 'error: --save-baseline: the runs .* periods, 4 KiB and 128 KiB'
[[ ! -e $tmp/mixed.pb.gz ]] || fail "a mixed baseline" "none" "one"

# Neither side needs the binary if both are baselines.
run check --max-total=1GiB --save-baseline "$tmp/new.pb.gz" "$tmp/new.heap"
expect_status 0
rm "$tmp/quickstart"
run check --max-growth=0 --max-total-growth=0 --by=function --inuse_space \
  --explain --format=json --fail-on=never --base "$tmp/base.pb.gz" \
  --new "$tmp/new.pb.gz"
expect_status 0
numbers >"$tmp/from_both"
expect_same from_dumps.function.inuse_space from_both

# Neither output takes the place of the other.
expect_usage_error 'standard output is for the report' check \
  --save-baseline - "$tmp/new.heap"
[[ ! -e - ]] || fail "a file '-' is there"
for same in "$tmp/x.json" "$tmp/./x.json"; do
  expect_usage_error 'names the same file' check --max-total=1GiB \
    --save-baseline "$same" -o "$tmp/x.json" "$tmp/new.heap"
done

# Written also if the verdict is a regression.
run check --max-total=1KiB --save-baseline "$tmp/red.pb.gz" "$tmp/new.pb.gz"
expect_status 1
run check --max-growth=0 --max-total-growth=0 --base "$tmp/new.pb.gz" \
  "$tmp/red.pb.gz"
expect_status 0
expect_match out '^ok: '

# A damaged baseline gives no verdict.
head -c 2000 "$tmp/base.pb.gz" >"$tmp/cut.pb.gz"
run check --max-growth=0 --base "$tmp/cut.pb.gz" "$tmp/new.pb.gz"
expect_status 3

# For pprof, it is an ordinary profile with the same total.
"$PPROF" -raw "$tmp/new.pb.gz" >"$tmp/out" 2>"$tmp/err"
expect_match out 'inuse_space/bytes'
"$PPROF" -top "$tmp/new.pb.gz" >"$tmp/out" 2>"$tmp/err"
expect_match out '^Type: inuse_space$'
expect_match out 'demo::'
