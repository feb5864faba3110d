#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --callers and --callees: trees of any depth, on a terminal and in a pipe.
# report_laws.py checks the numbers.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap

# tree EXPECTED ARGUMENT...: the report as a whole.
tree() {
  printf '%s\n' "$1" >"$tmp/expected"
  shift
  run "$@" "$dump"
  expect_status 0
  expect_same expected out
}

tree 'Callers of HoldRecursive: 60.0 KiB (10.9%) of 548.0 KiB
     value  share  function, and below it what calls it
  60.0 KiB  10.9%  demo::HoldRecursive
  60.0 KiB  10.9%  - main
  60.0 KiB  10.9%    __libc_start_call_main
  60.0 KiB  10.9%    __libc_start_main_impl
  60.0 KiB  10.9%    _start' --callers=HoldRecursive
tree 'Callees of ^main$: 479232 B (85.4%) of 561152 B
     value  share  function, and below it what it calls
  479232 B  85.4%  main
  147456 B  26.3%  - demo::Pool::Grow
  131072 B  23.4%  - demo::HoldChain
  131072 B  23.4%    demo::Outer (inline)
  131072 B  23.4%    demo::Middle (inline)
  131072 B  23.4%    demo::Inner (inline)
   98304 B  17.5%  - demo::HoldLambda
   98304 B  17.5%    demo::HoldLambda::{lambda#1}::operator()
   61440 B  10.9%  - demo::HoldRecursive
   40960 B   7.3%  - demo::HoldFunction
   40960 B   7.3%    std::function::operator() (inline)
   40960 B   7.3%    demo::Refill' --callees='^main$' --show_bytes

# A line says how many small rows are left out.
tree 'Callees of ^main$: 468.0 KiB (85.4%) of 548.0 KiB
     value  share  function, and below it what it calls
 468.0 KiB  85.4%  main
 144.0 KiB  26.3%  - demo::Pool::Grow
 128.0 KiB  23.4%  - demo::HoldChain
 128.0 KiB  23.4%    demo::Outer (inline)
 128.0 KiB  23.4%    demo::Middle (inline)
 128.0 KiB  23.4%    demo::Inner (inline)
 196.0 KiB  35.8%  - ... 3 more callees' --callees='^main$' --nodefraction 0.25
run --callees='^main$' --nodefraction 0.1 "$dump"
expect_match err '1 callee below 10% is left out; --nodefraction 0 shows all'
tree 'Callees of ^main$: 468.0 KiB (85.4%) of 548.0 KiB
     value  share  function, and below it what it calls
 468.0 KiB  85.4%  main
 144.0 KiB  26.3%  - demo::Pool::Grow
 324.0 KiB  59.1%  - ... 4 more callees' --callees='^main$' --top 4
expect_no_match err 'largest rows'

# A match is shown, however small a part of the process it is.
run --callees='^call_init' "$E2E/sampled/quickstart.gcc-O2.heap"
expect_status 0
expect_match out ' 0\.[0-9]+%  call_init'
expect_match out ' 0\.[0-9]+%  - '

# With the other options: names, metric, filters, threads.
run --callers='Pool<.*>::Grow\(int\)' --names full "$dump"
expect_match out ' demo::Pool<demo::Small>::Grow\(int\)$'
run --callers='Pool<.*>::Grow\(int\)' --alloc_objects "$dump"
expect_match out '^ +[0-9]+ +[0-9.]+%  - main$'
run --callers=demo:: --focus=HoldRecursive "$dump"
expect_match out '^Callers of demo::: 60\.0 KiB \(100%\) of 60\.0 KiB$'
run --callers=HoldInThread --thread='*' "$dumps/threads.gcc-O2.heap"
expect_match out '^ 256\.0 KiB +[0-9.]+%    - \[t4 x\]: 1: 2 \[3: 4\]$'

# Differences: the largest change first, with its share of all changes.
run --callers=demo::Grow --base "$dumps/growth.first.heap" \
  "$dumps/growth.grown.heap"
expect_match out '^Callers of demo::Grow: \+4\.0 MiB \(100%\) of \+4\.0 MiB$'
run --callees='^(main|_dl_init)$' --base "$dumps/growth.first.heap" "$dump"
expect_match out '^Shares are of all changes, '
expect_equal "the first row" demo::Grow \
  "$(awk '/  - / { print $NF; exit }' "$tmp/out")"

# A terminal gets lines, and as many rows as it has.
export LC_ALL=C.UTF-8
on_terminal "60 rows 24" "$HEAPPROF --callers=. $dump"
expect_match out ' └ main$'
expect_match out '^heapprof: the largest rows are shown; --top 0 shows all$'
rows=$(grep -c '%  ' "$tmp/out")
[[ $rows -le 16 && $rows -gt 10 ]] || fail "rows of 24" "up to 16" "$rows"
on_terminal "60 rows 24" "$HEAPPROF --quiet --lines --callees=main $dump"
longest=$(wc -L <"$tmp/out")
export LC_ALL=C
expect_equal "longest line" 60 "$longest"

run --callers='no such function' "$dump"
expect_status 1
expect_empty out
expect_match err '\-\-callers=no such function matches none of the functions'
cp "$dump" "$tmp/same.heap"
run --callers=main --base "$dump" "$tmp/same.heap"
expect_status 1
expect_match err '\-\-callers=main matches none of the functions that changed'
run --dot --base "$dump" "$tmp/same.heap"
expect_match err 'nothing to draw: no function changed'
run --callees='(' "$dump"
expect_status 2
expect_match err '\-\-callees=\(: '
expect_usage_error 'more than one output' --callers=a --callees=b "$dump"
