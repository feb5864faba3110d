#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Thread names with blanks, colons and brackets neither hide counters nor
# count as damage.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/threads.gcc-O2.heap
for name in plain 'wrk 1' 'net:io [2]' 'x]: 1: 2 [3: 4'; do
  grep -qF "] $name" "$dump" || fail "$dump" "a thread '$name'" "none"
done

text "$bin/gcc-O2/threads" "$dump"
expect_flat 'demo::HoldInThread' 655360
expect_cum 'demo::Run' 655360
expect_no_match err 'malformed|damaged|line [0-9]'

# Each thread holds what the program allocated in it.
run --threads --show_bytes "$dump"
expect_status 0
expect_match out '^ +1 +65536 B +exact +exact +exact plain +demo::HoldInThread$'
expect_match out '^ +3 +196608 B .* exact net:io \[2\] +demo::HoldInThread$'
expect_equal "rows" 6 "$(wc -l <"$tmp/out")"
run --threads --top 1 --alloc_objects "$dump"
expect_match out '^ +4 +4 +exact +exact +exact x\]: 1: 2 \[3: 4 +demo::HoldInThread$'

# check SELECTOR TITLE BYTES
check() {
  text --thread="$1" "$dump"
  expect_match out "^Total \($2\): $3 B$"
  expect_flat 'demo::HoldInThread' "$3"
}
check 2 t2 131072
expect_match err '^heapprof: --thread=2 removed [0-9]+ of [0-9]+ stacks with [0-9]+ B \([0-9.]+%\)$'
removed=$(sed -nE 's/^heapprof: --thread=2 .* with ([0-9]+) B .*/\1/p' "$tmp/err")
run --thread='*' --show_bytes "$dump"
expect_equal "other threads" "$removed" "$(
  awk '/^Total \(t[^2]\)/ { sum += $3 } END { print sum }' "$tmp/out"
)"
check 'wrk 1' 'wrk 1' 131072
run --thread='net:io [2]' --show_bytes "$dump"
expect_match out '^Total \(net:io \[2\]\): 196608 B$'
run --thread='*' --show_bytes "$dump"
expect_equal "totals" "t0 t1 t2 t3 t4 " \
  "$(sed -nE 's/^Total \((t[0-9])\):.*/\1/p' "$tmp/out" | tr '\n' ' ')"
cp "$tmp/out" "$tmp/all"
for uid in 0 1 2 3 4; do
  run --thread=$uid --show_bytes "$dump"
  cat "$tmp/out" >>"$tmp/each"
done
expect_same each all

# In other outputs threads are the roots of stacks; the text stays as it is.
run --thread='*' --show_bytes -o "$tmp/t.txt" -o "$tmp/t.collapsed" \
  -o "$tmp/t.dot" "$dump"
expect_status 0
expect_same all t.txt
expect_match t.collapsed '^\[t3 net:io \[2\]\];.*demo::HoldInThread.* 196608$'
expect_match t.dot 'label="\[t1 plain\]\\n0 \(0.0%\)\\rof 65536 '

# One graph shows what each thread allocates in shared functions.
expect_equal "graphs" 1 "$(grep -c '^digraph' "$tmp/t.dot")"
expect_match t.dot 'label="\[t4 x\]: 1: 2 \[3: 4\]\\n0 .*of 262144 '
expect_match t.dot 'label=" 262144",.*tooltip="\[t4 x\]: 1: 2 \[3: 4\] -> __clone3"'
expect_match t.dot 'label=" 196608",.*tooltip="\[t3 net:io \[2\]\] -> __clone3"'
dot -Tsvg "$tmp/t.dot" >/dev/null

# A base is subtracted thread by thread.
run --thread=2 --base "$dump" "$dump"
expect_status 0
expect_empty out
sed -E 's/^  t2: 2: 131072 /  t2: 3: 196608 /' "$dump" >"$tmp/new.heap"
text --thread='wrk 1' --base "$dump" "$tmp/new.heap"
expect_flat 'demo::HoldInThread' 65536
expect_equal "threads that differ" "wrk 1" "$(
  run --threads --base "$dump" "$tmp/new.heap"
  awk 'NR > 1 && $2 != 0 { print $(NF - 2), $(NF - 1) }' "$tmp/out"
)"

run --thread=17 "$dump"
expect_status 0
expect_empty out
expect_match err '\-\-thread=17: no such thread; --threads lists them'
run --threads --thread=17 "$dump"
expect_match err '\-\-thread=17: no such thread'
expect_no_match err 'no data by thread'
for arguments in --threads --thread='*' --thread=17; do
  run $arguments "$GOLDEN/../corpus/parse_profile/flat.heap"
  expect_status 0
  expect_empty out
  expect_match err 'has no data by thread'
  expect_no_match err 'lists them'
done
