#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# How often `heapprof check` is wrong about a real server at jemalloc's default
# rate, with limits of 0: it rarely fails an unchanged server, and finds a leak
# of 10 MB in 119 MB. HEAPPROF_FULL=1 compares more runs.
. "$(dirname "$0")/common.inc"

# 5 % of false alarms are allowed, and rarer for functions; 2 or 3 % of the leaks
# are missed. The bounds leave room for chance: a right program misses them once
# in ten thousand tests.
pairs=6 most_false_totals=3 most_false=2 least_found=3
if [[ -n ${HEAPPROF_FULL-} ]]; then
  pairs=60 most_false_totals=11 most_false=6 least_found=50
fi

g++ -std=c++17 -g -O2 -pthread -o "$tmp/handlers" "$PROGRAMS/handlers.cc"

# sample NAME [leak]
sample() {
  LD_PRELOAD=libjemalloc.so.2 \
    MALLOC_CONF=prof:true,prof_final:true,prof_prefix:$tmp/$1 \
    "$tmp/handlers" "${@:2}"
  mv "$tmp/$1".*.f.heap "$tmp/$1.heap"
}

# Found by its name, or in the path to a function that it calls.
readonly leak='server::(HandleLogin|CacheSession)\b'

false_totals=0 false=0 found=0
for ((i = 0; i < pairs; ++i)); do
  sample base
  sample same
  sample leak leak
  run check --max-total-growth=0 --base "$tmp/base.heap" "$tmp/same.heap"
  ((false_totals += status)) || true
  run check --max-growth=0 --base "$tmp/base.heap" "$tmp/same.heap"
  ((false += status)) || true
  run check --max-growth=0 --base "$tmp/base.heap" "$tmp/leak.heap"
  if [[ $status == 1 ]] && grep -qE "(regression|via) .*$leak" "$tmp/out"; then
    ((++found))
  fi
done
echo "of $pairs: $false_totals totals and $false functions wrong, $found found"
[[ $false_totals -le $most_false_totals ]] ||
  fail "false alarms of the total" "<= $most_false_totals" $false_totals
[[ $false -le $most_false ]] ||
  fail "false alarms of functions" "<= $most_false" $false
[[ $found -ge $least_found ]] || fail "leaks" ">= $least_found" $found
