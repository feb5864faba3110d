#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --own=auto finds the sample programs' own code; --hide takes frames away.
. "$(dirname "$0")/common.inc"

# own_share DUMP REGEX: at least 90 % of what the program allocated is charged
# to functions of its author. Allocations of libraries while they are loaded are
# not the program's.
own_share() {
  run --text --show_bytes --own=auto --ignore='^call_init$' "$1"
  expect_status 0
  local own all
  own=$(sum_rows 1 "$2")
  all=$(sum_rows 1 '.*')
  [[ $all -gt 0 && $((own * 10)) -ge $((all * 9)) ]] ||
    fail "$1: bytes of $2" "90 % of $all" "$own"
}

for dump in "$dumps"/{inlining,growth,threads,warehouse}.*.heap; do
  [[ $dump == *-stripped.heap ]] || own_share "$dump" 'demo::.*|main'
done
own_share "$dumps/inlining.gcc-O2-stripped.heap" 'inlining\+0x[0-9a-f]+'
own_share "$dumps/shared_main.gcc-O2.heap" '(demo|shop)::.*|main'
for variant in gcc-O2 clang-O2; do
  own_share "$E2E/sampled/quickstart.$variant.heap" 'demo::.*|main'
done
if [[ -f $dumps/rust_alloc.gcc-O2.heap ]]; then
  own_share "$dumps/rust_alloc.gcc-O2.heap" 'rust_alloc::.*'
  run --collapsed --hide=@rust "$dumps/rust_alloc.gcc-O2.heap"
  expect_match out 'rust_alloc::main;rust_alloc::hold_vec [0-9]+$'
  expect_no_match out '(core|alloc|std)::[^;]*;rust_alloc::main'
fi

# Stacks without own code stay as they are, and nothing is lost.
readonly dump=$dumps/shared_main.gcc-O2.heap
text "$dump"
all=$(total)
cp "$tmp/out" "$tmp/all"
text --own=auto "$dump"
expect_equal "total" "$all" "$(total)"
expect_match err 'left 1 stack as \[outside your code\]$'
text --own=none "$dump"
expect_same all out

# Whatever tells own code apart, what is outside is the last row, and calls
# nothing.
for own in auto '^main$'; do
  run --overview --own="$own" "$dump"
  expect_status 0
  expect_match out '^ *[0-9.]+ [KM]iB +[0-9.]+% {15,}[0-9.]+ [KM]?i?B  \[outside your code\]$'
done

# Hidden frames are gone at every level, and their callers hold their memory.
run --text --hide=HoldInMain --hide=@std "$dump"
expect_no_match out ' (std::|__gnu_cxx|__libc_start|_dl_|libstdc|.*HoldInMain)'
expect_match out ' shop::'
expect_match err '--hide=HoldInMain cut frames from 1 stack; --hide=@std cut '
run --collapsed --hide=@std "$dump"
expect_no_match out '(^|;)(std::|__libc_start)'
run --text --show_bytes --hide=. "$dump"
expect_equal "report" "Total: $all B" "$(cat "$tmp/out")"
expect_match err 'which leaves nothing to show'

# With a base, growth is charged to own functions, too.
readonly base=$dumps/growth.first.heap grown=$dumps/growth.grown.heap
run --text --show_bytes --own=auto --hide=@std --base "$base" "$grown"
expect_status 0
difference=$(sum_rows 1 'demo::Grow')
text --own=auto "$grown"
now=$(sum_rows 1 'demo::Grow')
text --own=auto "$base"
expect_equal "growth" $((now - $(sum_rows 1 'demo::Grow'))) "$difference"

expect_usage_error '--hide=@own: expected @std, @rust or @wrappers' \
  --hide=@own "$dump"
expect_usage_error '--hide=a\(: missing closing parenthesis' '--hide=a(' "$dump"

# All outputs find the program's own allocator in all stacks, also if a filter
# leaves only one function that calls it.
cat >"$tmp/arena.heap" <<'END'
--- symbol
binary=/srv/app
0x10 Arena::Grow
0x1f Load
0x2f Parse
0x8f main
---
--- heap
heap_v2/1
  t*: 2: 2000 [0: 0]
  t0: 2: 2000 [0: 0]
@ 0x10 0x20 0x90
  t*: 1: 1000 [0: 0]
  t0: 1: 1000 [0: 0]
@ 0x10 0x30 0x90
  t*: 1: 1000 [0: 0]
  t0: 1: 1000 [0: 0]
END
for output in overview threads sizes; do
  run --$output --focus=Load "$tmp/arena.heap"
  expect_match out ' Load$'
done
run --json --focus=Load "$tmp/arena.heap"
expect_equal "function that holds the most" Load \
  "$(jq -r '.threads[].top_function' "$tmp/out")"
