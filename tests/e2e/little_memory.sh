#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# If the system refuses address space, an allocation, a mapping or a thread, a
# run ends with the whole report or with one line that says why.
. "$(dirname "$0")/common.inc"
cc -shared -fPIC -O1 -o "$tmp/failing_calls.so" "$SUPPORT/failing_calls.c"

# with_little KIND FIRST LAST STEP ARGUMENT...
with_little() {
  command_line="little_memory.py $*"
  python3 -B "$(dirname "$0")/little_memory.py" "$HEAPPROF" \
    "$tmp/failing_calls.so" "$@" >"$tmp/out" ||
    fail "runs with little" "reports or errors" "$(head -c 2000 "$tmp/out")"
}

readonly dump=$dumps/inlining.gcc-O2.heap
step=20000 every=4999 megabytes=2
if [[ -n ${HEAPPROF_FULL-} ]]; then step=500 every=17 megabytes=8; fi

with_little limit 34000 180000 "$step" --no-cache --text "$dump"
# So little that the program hardly starts.
with_little limit 28000 40000 400 --no-cache --text "$dump"
with_little allocation 1 all "$every" --no-cache --text "$dump"
with_little allocations 2 all $((5 * every)) --no-cache --text "$dump"
with_little mapping 1 40 9 --no-cache --text "$dump"
with_little threads 1 5 1 --no-cache --text --jobs 4 "$dump"

# Compressed debug information is inflated by threads beside those that read.
objcopy --compress-debug-sections=zlib "$bin/gcc-O2/inlining" "$tmp/packed"
with_little limit 34000 180000 $((2 * step)) --no-cache --lines \
  "$tmp/packed" "$dump"
with_little allocation 5 all $((3 * every)) --no-cache --lines --jobs 4 \
  "$tmp/packed" "$dump"
with_little threads 1 3 1 --no-cache --lines --jobs 4 "$tmp/packed" "$dump"

# Compressed dumps.
python3 -B "$SUPPORT/make_dump.py" "$megabytes" >"$tmp/large.heap"
for packer in gzip zstd xz bzip2; do
  "$packer" -qkf "$tmp/large.heap"
done
for packed in "$tmp"/large.heap{,.gz,.zst,.xz,.bz2}; do
  with_little limit 40000 130000 $((2 * step)) --collapsed "$packed"
  with_little allocation 3 all "$every" --collapsed "$packed"
done

# Building an index after the report, for later runs, cannot spoil the report.
run --text --no-cache "$dump"
cp "$tmp/out" "$tmp/report"
export LD_PRELOAD=$tmp/failing_calls.so
count() {
  # shellcheck disable=SC2069  # only what goes to stderr
  COUNT_ALLOCATIONS=2 "$HEAPPROF" --quiet "$@" --text "$dump" 2>&1 >"$tmp/out"
}
between=$((($(count --no-cache) + $(count --cache-dir "$tmp/first")) / 2))
for quiet in "" --quiet; do
  # shellcheck disable=SC2086
  FAIL_ALLOCATIONS=$between run --cache-dir "$tmp/second" $quiet --text \
    "$dump"
  expect_status 0
  expect_same report out
  if [[ -z $quiet ]]; then
    expect_match err '^heapprof: warning: no index for later runs: out of memory'
  else
    expect_empty err
  fi
done
unset LD_PRELOAD

# A small stack suffices.
(ulimit -s 256 && exec "$HEAPPROF" --no-cache --text "$dump") >"$tmp/out"
expect_same report out

# The message says what was large, and what the limit is.
status=0
(ulimit -v 60000 && exec "$HEAPPROF" --no-cache --text "$dump") \
  >"$tmp/out" 2>"$tmp/err" || status=$?
expect_status 1
expect_match err '^heapprof: error: out of memory while [a-z ]*.* MiB is the li'\
'mit \(ulimit -v\); the largest file read is /'
