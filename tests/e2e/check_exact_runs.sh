#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs of a program that counts every allocation still differ. Three or more on
# each side show how much: what is within that is no regression.
. "$(dirname "$0")/common.inc"

g++ -std=c++20 -g -O2 -o "$tmp/jitter" "$PROGRAMS/jitter.cc"

# runs NAME SEED...: $tmp/NAME.SEED.heap, with $change as the program's
# argument.
runs() {
  local seed
  for seed in "${@:2}"; do
    LD_PRELOAD=libjemalloc.so.2 \
      MALLOC_CONF=prof:true,prof_final:true,lg_prof_sample:0,prof_prefix:$tmp/$1 \
      "$tmp/jitter" "$seed" ${change:+"$change"}
    mv "$tmp/$1".*.f.heap "$tmp/$1.$seed.heap"
  done
}

change=
runs base 1 2 3 4 5
runs same 6 7 8 9 10
change=leak
runs leak 11 12 13 14 15
change=rare
runs rare 16

run check --max-growth=0 --base "$tmp"/base.1.heap "$tmp"/same.6.heap
expect_status 1
for limit in --max-growth=0 --max-total-growth=0; do
  run check $limit --base "$tmp"/base.*.heap --new "$tmp"/same.*.heap
  expect_status 0
  expect_match out ' ± .* MiB live, mean of 5 dumps; without sampling$'
done

run check --max-growth=0 --base "$tmp"/base.*.heap --new "$tmp"/leak.*.heap
expect_status 1
expect_match out '^regression: 1 function over the limit'
expect_match out 'regression  *demo::FillCache<3'

# Other reports say the same.
run --overview --base "$tmp"/base.1.heap --base "$tmp"/base.2.heap \
  --base "$tmp"/base.3.heap "$tmp"/leak.11.heap "$tmp"/leak.12.heap \
  "$tmp"/leak.13.heap
expect_status 0
expect_match out '\+5\.[0-9] ± .* demo::FillCache<3'
expect_match out '1[0-9] functions unchanged$'

# What one run has and no other may be chance, for all reports.
rare=("$tmp"/rare.16.heap "$tmp"/same.6.heap "$tmp"/same.7.heap)
base=("$tmp"/base.1.heap "$tmp"/base.2.heap "$tmp"/base.3.heap)
run check --max-new=1KiB --base "${base[@]}" --new "${rare[@]}"
expect_status 0
expect_match out ' new .* inconclusive  *demo::FillRarely$'
run -o "$tmp/rare.md" -o "$tmp/rare.json" \
  --base "${base[0]}" --base "${base[1]}" --base "${base[2]}" "${rare[@]}"
expect_status 0
cp "$tmp/rare.md" "$tmp/out"
expect_no_match out '^\|.*FillRarely'
jq -c '.rows[] | select(.name == "demo::FillRarely").cumulative.change |
  [.is_proven, .interval.lower < 0]' "$tmp/rare.json" >"$tmp/out"
expect_match out '^\[false,true\]$'

# Only more runs or a wider limit help if this limit is too strict.
run check --max-total-growth=0.1% --explain --base "$tmp"/base.*.heap \
  --new "$tmp"/base.*.heap
expect_status 0
expect_match out '^Runs differ too much for this limit: growth of the total '
expect_match out 'to prove twice that, '
expect_no_match out 'lg_prof_sample'
