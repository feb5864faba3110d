#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs of a program that counts every allocation still differ. Three or more on
# each side show how much: what is within that is no regression.
. "$(dirname "$0")/common.inc"

g++ -std=c++20 -g -O2 -o "$tmp/jitter" "$PROGRAMS/jitter.cc"

# runs NAME SEED...: $tmp/NAME.SEED.heap, with $leak as the program's argument.
runs() {
  local seed
  for seed in "${@:2}"; do
    LD_PRELOAD=libjemalloc.so.2 \
      MALLOC_CONF=prof:true,prof_final:true,lg_prof_sample:0,prof_prefix:$tmp/$1 \
      "$tmp/jitter" "$seed" ${leak:+"$leak"}
    mv "$tmp/$1".*.f.heap "$tmp/$1.$seed.heap"
  done
}

leak=
runs base 1 2 3 4 5
runs same 6 7 8 9 10
leak=leak
runs leak 11 12 13 14 15

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

# Only more runs or a wider limit help if this limit is too strict.
run check --max-total-growth=0.1% --explain --base "$tmp"/base.*.heap \
  --new "$tmp"/base.*.heap
expect_status 0
expect_match out '^Runs differ too much for this limit: growth of the total '
expect_match out 'to prove twice that, '
expect_no_match out 'lg_prof_sample'
