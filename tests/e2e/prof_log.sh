#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# jemalloc's log of freed samples, with the memory map of a dump of the same
# process: each sample weighs 1/p. The thread's name is not escaped in the file.
. "$(dirname "$0")/common.inc"

LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_log:true,\
prof_final:true,lg_prof_sample:12,prof_sys_thread_name:true,\
prof_prefix:$tmp/app" "$bin/gcc-O2/quickstart" >/dev/null
json=$(echo "$tmp"/app.*.json)
dump=$(echo "$tmp"/app.*.f.heap)

text --alloc_space --maps "$dump" "$json"
expect_equal total "$(python3 - "$json" <<'EOF'
import math, re, sys
sizes = [int(n) for n in re.findall(r'"usize":(\d+)', open(sys.argv[1]).read())]
print(int(sum(n / (1 - math.exp(-n / 4096)) for n in sizes) + 1e-6))
EOF
)" "$(total)"
expect_match out ' main$'

# --alloc_space is the default. The memory map comes from the dump that is next
# to the log or named with it; the samples of that dump do not count.
cp "$tmp/out" "$tmp/mapped"
text --maps "$dump" "$json"
expect_same mapped out
expect_match err 'only what was allocated, not what is live: showing --alloc_space$'
text "$json"
expect_same mapped out
expect_match err "$json: read with the memory map of $dump\$"
expect_no_match err 'no memory map'
mkdir "$tmp/elsewhere"
cp "$json" "$tmp/elsewhere/log.json"
cp "$dump" "$tmp/elsewhere/named.heap"
for order in "log.json named.heap" "named.heap log.json"; do
  # shellcheck disable=SC2086
  (cd "$tmp/elsewhere" && "$HEAPPROF" --text --show_bytes $order) \
    >"$tmp/out" 2>"$tmp/err"
  expect_same mapped out
  expect_match err 'log\.json: read with the memory map of named\.heap$'
done

# Live allocations are not in the log.
run --inuse_space --maps "$dump" "$json"
expect_status 1
expect_match err 'error: .*/.*: the profile says only what was allocated, not what is live: choose --alloc'
run info --maps "$dump" "$json"
expect_status 0
expect_no_match out 'live'
expect_match out '^Modules by their share of the allocated bytes$'

# Lifetimes are a label, which pprof selects by.
. "$(dirname "$0")/pprof.inc"
write log --alloc_space --maps "$dump" "$json"
pprof -tags "$tmp/log.pb.gz"
expect_match out '^ *lifetime: Total '
expect_match out '(below 1ms|ms to |s to )'

# The recent allocations of jemalloc, some of them live.
g++ -std=c++17 -g -O2 -o "$tmp/recent" "$PROGRAMS/recent.cc" -ljemalloc
MALLOC_CONF=prof:true,lg_prof_sample:0,prof_recent_alloc_max:-1 \
  "$tmp/recent" "$tmp/recent.json" "$tmp/recent.heap"
text --maps "$tmp/recent.heap" "$tmp/recent.json"
expect_flat 'demo::HoldRecent' 196608
expect_no_match out 'FreeRecent'
text --alloc_space --maps "$tmp/recent.heap" "$tmp/recent.json"
expect_flat 'demo::HoldRecent' 196608
expect_flat 'demo::FreeRecent' 65536
run "$tmp/recent.json"
expect_match err 'recent\.json: no memory map, so its addresses cannot be named'
