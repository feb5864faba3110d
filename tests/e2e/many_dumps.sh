#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The stacks of many dumps are merged while further dumps are read. That changes
# nothing but the memory that a run needs.
. "$(dirname "$0")/common.inc"

# What is read from a pipe is merged last of all. Two processes have the same
# stacks; a third one has unloaded a library, which an earlier dump still has.
cp "$dumps/growth.first.heap" "$tmp/1.heap"
cp "$dumps/growth.grown.heap" "$tmp/2.heap"
cp "$dumps/shared_main.gcc-O2.heap" "$tmp/3.heap"
sed '/libshared_lib\.so/d' "$tmp/3.heap" >"$tmp/4.heap"
cp "$dumps/threads.gcc-O2.heap" "$tmp/5.heap"
for output in --text --collapsed --traces --raw --threads; do
  run --no-cache "$output" "$tmp"/{1,2,3,4,5}.heap
  expect_status 0
  cp "$tmp/out" "$tmp/merged_early"
  run --no-cache "$output" "$tmp"/{1,2,3,4}.heap <(cat "$tmp/5.heap")
  expect_status 0
  expect_same merged_early out
done
expect_match merged_early 'net:io'
run --no-cache --text --top=0 "$tmp"/{1,2,3,4,5}.heap
expect_match out 'shop::HoldInLibrary'

run --no-cache --text --base "$tmp"/{1,3,5}.heap --new "$tmp"/{2,4,5}.heap
cp "$tmp/out" "$tmp/merged_early"
run --no-cache --text --base "$tmp"/{1,3,5}.heap \
  --new "$tmp"/{2,4}.heap <(cat "$tmp/5.heap")
expect_same merged_early out

# peak ARGUMENT...: the most memory in use, in KiB.
peak() {
  python3 - "$HEAPPROF" "$@" <<'EOF'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL,
               stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
EOF
}

# If all stacks were kept, 48 dumps would take three times as much as 6.
python3 -B "$SUPPORT/make_dump.py" 6 >"$tmp/large.heap"
for number in {1..48}; do ln "$tmp/large.heap" "$tmp/large.$number.heap"; done
command_line="heapprof --collapsed large.*.heap"
few=$(peak --no-cache --collapsed "$tmp"/large.{1..6}.heap)
many=$(peak --no-cache --collapsed "$tmp"/large.{1..48}.heap)
((many < 2 * few)) ||
  fail "the memory for 48 dumps" "less than twice the $few KiB for 6" "$many KiB"
