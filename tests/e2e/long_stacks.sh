#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Stacks are written as they are made: the memory in use depends on the dump and
# not on the text, which is a hundred times as large.
. "$(dirname "$0")/common.inc"

# 3000 stacks of 40 functions whose names have 2000 characters.
python3 - >"$tmp/long.raw" <<'EOF'
import random
random.seed(1)
functions = range(1, 201)
print("--- symbol\nbinary=/app")
for f in functions:
    print(f"0x{f * 4096:016x} f{f}::{'x' * 2000}")
print("---\n--- heap\nheap_v2/1\n  t*: 3000: 3000 [0: 0]")
for _ in range(3000):
    frames = (random.choice(functions) * 4096 + 1 for _ in range(40))
    print("@", *map(hex, frames))
    print("  t*: 1: 1 [0: 0]")
EOF

# measure ARGUMENT...: sets $bytes, the size of the report, and $peak, the most
# memory in use, in MB.
measure() {
  command_line="heapprof $*"
  read -r bytes peak < <(python3 - "$HEAPPROF" "$@" <<'EOF'
import resource, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
size = 0
while block := process.stdout.read(1 << 20):
    size += len(block)
assert process.wait() == 0
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(size, peak // 1024)
EOF
  )
}

measure --no-cache --text "$tmp/long.raw"
readonly of_a_table=$peak
for output in --collapsed --traces; do
  measure --no-cache "$output" "$tmp/long.raw"
  ((bytes > 230000000)) || fail "$output" "230 MB" "$bytes bytes"
  ((peak < of_a_table + 16)) ||
    fail "$output" "at most $((of_a_table + 16)) MB in use" "$peak MB"
done

# A reader that has seen enough ends the run without a message.
command_line="heapprof --collapsed | head"
status=0
"$HEAPPROF" --no-cache --collapsed "$tmp/long.raw" 2>"$tmp/err" |
  head -c 100 >"$tmp/out" || status=$?
expect_status 141 # SIGPIPE
expect_empty err
