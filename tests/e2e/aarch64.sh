#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The static program for aarch64, which e2e.package has built, under qemu-user:
# it passes tests and writes the same reports as the program for this machine,
# also on a dump of an aarch64 process with the jemalloc of arm64_jemalloc.sh.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/static_program.inc"

build=$E2E_SOURCES/../../build
build=$(realpath "$build")
readonly root=$build/arm64-root program=$build/static-aarch64/heapprof
readonly runner=$tmp/heapprof server=$tmp/inlining
printf '#!/bin/sh\nexec qemu-aarch64 "%s" "$@"\n' "$program" >"$runner"
chmod +x "$runner"

# It needs no library and no loader. What it preloads runs with an old glibc.
command_line="readelf $program"
readelf --wide --file-header --dynamic --program-headers "$program" >"$tmp/out"
expect_match out 'Machine: *AArch64'
expect_no_match out 'NEEDED|INTERP'
expect_match out 'FLAGS_1.* PIE'
preload=$build/static-aarch64/src/record/libheapprof_preload.so
readelf --wide --dyn-syms "$preload" >"$tmp/out"
expect_equal "oldest glibc" GLIBC_2.17 \
  "$(grep -o 'GLIBC_[0-9.]*' "$tmp/out" | sort -V | tail -n 1)"

# A process on aarch64.
aarch64-linux-gnu-g++ "--sysroot=$root" -std=c++17 -g -O2 -pthread -o "$server" \
  "$PROGRAMS/inlining.cc"
MALLOC_CONF=prof:true,prof_final:true,prof_accum:true,lg_prof_sample:0,prof_prefix:$tmp/arm64 \
  qemu-aarch64 -L "$root" -E "LD_PRELOAD=$E2E/arm64/libjemalloc.so.2" "$server"
mv "$tmp"/arm64.*.f.heap "$tmp/arm64.heap"
text "$tmp/arm64.heap"
# The sizes are those of the source, as for x86-64.
expect_flat 'demo::Inner \(inline\)' 131072
expect_flat 'demo::Pool::Grow' 147456
expect_cum 'main' "$(($(sum_rows 4 _start)))"
run --raw "$tmp/arm64.heap"
python3 -B "$E2E_SOURCES/raw_names.py" "$server" "$tmp/out" "$tmp/arm64.heap" ||
  fail "names" "those of llvm-symbolizer" "others"

# unpacked FILE: ISA-L compresses differently on another kind of processor.
unpacked() {
  python3 -c 'import base64, gzip, re, sys
text = open(sys.argv[1], "rb").read()
if text.startswith(b"\x1f\x8b"):
    text = gzip.decompress(text)
text = re.sub(rb"(octet-stream\">)([^<]+)", lambda match: match[1]
              + gzip.decompress(base64.b64decode(match[2])), text)
sys.stdout.buffer.write(text)' "$1"
}

expect_same_files "$runner" "$tmp/arm64.heap" unpacked
expect_same_files "$runner" "$dumps/threads.gcc-O2.heap" unpacked
expect_same_reports "$runner" "$tmp/arm64.heap" "$dumps"/*.heap

# The tests that need neither another program nor a process.
for test in "holders gcc-O2-static" text_rows metrics callers collapsed names \
  clones filters own groups add_lib several_dumps terminal overview info json \
  markdown speedscope option_syntax cache dump_only moved_binary elsewhere; do
  # shellcheck disable=SC2086
  HEAPPROF=$runner bash "$E2E_SOURCES/${test%% *}.sh" ${test#"${test%% *}"} \
    >"$tmp/out" 2>"$tmp/err" || fail "$test under qemu-user" "status 0" "status $?"
done
