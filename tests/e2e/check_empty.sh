#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A side that holds next to nothing gives no verdict of `heapprof check`, and a
# report of such a dump says so.
. "$(dirname "$0")/common.inc"

readonly exact=$dumps/growth.first.heap

# dump NAME PERIOD COUNT SIZE: COUNT samples of SIZE bytes.
dump() {
  local bytes=$(($3 * $4))
  {
    printf 'heap_v2/%d\n  t*: %d: %d [0: 0]\n' "$2" "$3" $bytes
    printf '@ 0x1001 0x1002\n  t*: %d: %d [0: 0]\n\n' "$3" $bytes
    printf 'MAPPED_LIBRARIES:\n'
    printf '00001000-00002000 r-xp 00000000 fe:00 12  /srv/growth\n'
  } >"$tmp/$1.heap"
}

# judge STATUS DUMP ARGUMENT...: DUMP as either side, without names to match.
judge() {
  local expected=$1 heap=$tmp/$2.heap
  shift 2
  run check --max-total=1GiB --own=none --base "$heap" "$exact" "$@"
  expect_status "$expected"
  run check --max-total=1GiB --own=none --base "$exact" "$heap" "$@"
  expect_status "$expected"
}

dump few 524288 9 100
judge 3 few
expect_empty out
expect_match err "error: $tmp/few.heap: holds next to nothing, only 9 samples, so"
expect_match err 'dump while the memory is alive, --rate 16KiB if the process is small, or .* --allow-empty$'
judge 0 few --allow-empty
expect_match out '^ok: '
# Enough samples, large objects, and exact dumps hold something.
dump enough 524288 10 100
judge 0 enough
dump large 524288 1 100000000
judge 0 large
dump small 1 1 100
judge 0 small
dump none 524288 0 0
judge 3 none
expect_match err 'no sample has a value of inuse_space, .*dump while the memory'
judge 0 none --allow-empty
# What the last dump of a program holds when its memory has been freed.
mkdir "$tmp/freed"
echo '#include <vector>
int main() { std::vector<char>(1 << 20); }' >"$tmp/freed.cc"
g++ -g -o "$tmp/freed/growth" "$tmp/freed.cc"
LD_PRELOAD=libjemalloc.so.2 \
  MALLOC_CONF=prof:true,prof_final:true,lg_prof_sample:0,prof_prefix:$tmp/app \
  "$tmp/freed/growth"
mv "$tmp"/app.*.heap "$tmp/freed.heap"
run check --max-total=1GiB --base "$tmp/freed.heap" "$exact"
expect_status 3
expect_match err 'error: check: --own=auto finds none of your code on the base, '
for override in --own=none --allow-empty; do
  run check --max-total=1GiB $override --base "$tmp/freed.heap" \
    "$exact"
  expect_status 0
done
# What a filter removes because it has no names, or others, could be anything.
judge_filtered() {
  run check --max-growth=0B --own=none --focus=demo:: --base "$exact" \
    "$tmp/large.heap" "$@"
}
judge_filtered
expect_status 3
expect_match err 'error: check: .* but none of the new side: what they keep is gone,.* --allow-empty judges it as gone$'
judge_filtered --allow-empty
expect_status 4
judge_filtered --allow-empty --require-symbols=0
expect_status 0

# A report says what to look at instead of such a dump.
noted() {
  dump "$1" 524288 1 100
  run --text "$tmp/$1.heap"
  expect_status 0
  expect_match err "$2"
}
noted app.7.0.r0 "holds next to nothing; if the program frees .* 'heapprof record --every 30s'; if the process is small, --rate 16KiB shows more; if its children hold it, use --children; if it maps memory itself, --rss"
noted app.7.3.r3 'holds next to nothing; an earlier dump of the process may hold more; if the process is small, --rate 16KiB shows more; if its children'
noted app.7.0.f "freed its memory; 'heapprof record' dumps before \\(a stripped program: with --every 30s\\)$"
noted app.7.3.f 'freed its memory; an earlier dump of the process may hold more$'
