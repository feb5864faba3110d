#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Inputs of every kind, cut off and damaged at random, give a report or an error
# message and stay within limits of memory. So do large inputs.
. "$(dirname "$0")/common.inc"

# The files of the memory map are missing: only the input is tested.
sed 's| /[^ ]*/| /gone/|' "$dumps/threads.gcc-O2.heap" >"$tmp/dump.heap"
gzip -k "$tmp/dump.heap"
zstd -q "$tmp/dump.heap"
run --proto -o "$tmp/named.pb.gz" "$bin/gcc-O2/threads" \
  "$dumps/threads.gcc-O2.heap"
expect_status 0
sed -E 's/^  t[*0-9].*: ([0-9]+): ([0-9]+) .*/\1: \2/' "$tmp/dump.heap" |
  awk '/^heap_v2/ { print "heap profile: 1: 1 [1: 1] @ heap_v2/524288"; next }
       /^@/ { stack = $0; next }
       /^[0-9]+: [0-9]+$/ { if (stack != "") print $1, $2, "[0: 0]", stack
                            stack = ""; next }
       { print }' >"$tmp/flat.heap"
run --raw "$bin/gcc-O2/threads" "$dumps/threads.gcc-O2.heap"
sed 's| /[^ ]*/| /gone/|' "$tmp/out" >"$tmp/symbolized.raw"
LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_log:true,\
lg_prof_sample:16,prof_sys_thread_name:true,prof_prefix:$tmp/app" \
  "$bin/gcc-O2/quickstart" >/dev/null
log=$(echo "$tmp"/app.*.json)

count=15
[[ -z ${HEAPPROF_FULL-} ]] || count=50000
command_line=damaged_inputs.py
python3 -B "$(dirname "$0")/damaged_inputs.py" "$HEAPPROF" "$count" \
  "$tmp/dump.heap" "$tmp/dump.heap.gz" "$tmp/dump.heap.zst" \
  "$tmp/named.pb.gz" "$tmp/flat.heap" "$tmp/symbolized.raw" "$log" \
  >"$tmp/found" || fail "damaged inputs" "none of it" "$(cat "$tmp/found")"

# Large inputs stay within the same limits.
python3 -B "$SUPPORT/make_dump.py" 8 >"$tmp/large.heap"
"$HEAPPROF" --quiet --proto -o "$tmp/large.pb.gz" "$tmp/large.heap"
gunzip -k "$tmp/large.pb.gz"
python3 -B "$(dirname "$0")/damaged_inputs.py" "$HEAPPROF" 0 \
  "$tmp/large.heap" "$tmp/large.pb" "$tmp/large.pb.gz" >"$tmp/found" ||
  fail "large inputs" "less memory" "$(cat "$tmp/found")"

# A decompression bomb is stopped as soon as its content is no profile or is too
# large for one.
for content in "int main() {}" ""; do
  python3 - "$tmp/bomb.gz" "$content" <<'PY'
import gzip, sys
with gzip.open(sys.argv[1], "wb", compresslevel=1) as out:
    out.write(sys.argv[2].encode())
    for _ in range(100):
        out.write(bytes(1 << 20))
PY
  for packer in gzip zstd xz bzip2; do
    gunzip -c "$tmp/bomb.gz" | "$packer" -1 >"$tmp/bomb"
    (ulimit -v 100000 && exec "$HEAPPROF" "$tmp/bomb") >"$tmp/out" \
      2>"$tmp/err" && fail "$packer" "status 1" 0
    expect_empty out
    expect_match err "error: .*/bomb: a .*file.* compressed with $packer, not a prof"
  done
done
for head in 'heap_v2/524288\n' '\x0a\x04\x08\x01\x10\x02'; do
  python3 - "$tmp/bomb.gz" "$(printf '%b' "$head" | base64)" <<'PY'
import base64, gzip, sys
with gzip.open(sys.argv[1], "wb", compresslevel=1) as out:
    out.write(base64.b64decode(sys.argv[2]))
    for _ in range(300):
        out.write(bytes(1 << 20))
PY
  run "$tmp/bomb.gz"
  expect_status 1
  expect_empty out
  expect_match err 'error: .*/bomb\.gz: gzip data contains a single byte repeate'\
'd for 1 MiB, which no profile does; if you trust the file, decompress it first'
done
{ printf 'heap_v2/524288\n' && { yes 01 || true; } | head -c 300000000; } |
  zstd -q -f -o "$tmp/lines.zst"
run "$tmp/lines.zst"
expect_status 1
expect_empty out
expect_match err 'error: .*/lines\.zst: zstd data inflates to more than [0-9]+ by'\
'tes; if you trust the file, decompress it first'
