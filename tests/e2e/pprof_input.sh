#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A profile without names from a service's pprof endpoint: heapprof adds names,
# and pprof reads the result. Existing names are kept. The wrong binary is
# refused.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/pprof.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
python3 "$(dirname "$0")/pprof_layout.py" D "$dump" "$tmp/service.pb.gz"
write named "$bin/gcc-O2/inlining" "$tmp/service.pb.gz"
top named.pb.gz
expect_match out '^Type: inuse_space$'
expect_match out '^ +131072B +[0-9.]+% +[0-9.]+% +131072B .* demo::Inner\(int\)'

# Our own profile says what the dump said.
write own "$dump"
text "$dump"
cp "$tmp/out" "$tmp/expected"
text "$tmp/own.pb.gz"
expect_same expected out
gunzip -c "$tmp/own.pb.gz" >"$tmp/plain.pb"
text "$tmp/plain.pb"
expect_same expected out

# Names are kept though the binary has gone; with it, they can be replaced.
write bare "$bin/gcc-O2-nodebug/inlining" "$dumps/inlining.gcc-O2-nodebug.heap"
text "$tmp/bare.pb.gz"
expect_flat 'demo::Inner \(inline\)' 0
text --resymbolize "$tmp/own.pb.gz"
expect_same expected out

# The service counts only bytes.
run --text --inuse_objects "$tmp/service.pb.gz"
expect_status 1
expect_match err 'error: .*/.*: the profile has no object counts, only bytes'
run --text --alloc_space "$tmp/service.pb.gz"
expect_status 1
expect_match err 'error: .*/.*: the dump has no accumulated counters'

# Another build is an error, where the file is needed.
run --text "$bin/clang-O0/inlining" "$tmp/service.pb.gz"
expect_status 1
expect_empty out
expect_match err 'error: .*/clang-O0/inlining: another build: expected '\
'build id [0-9a-f]+, found [0-9a-f]+; --force uses it anyway'
run --text --force "$bin/clang-O0/inlining" "$tmp/service.pb.gz"
expect_status 0
run --text "$bin/clang-O0/inlining" "$tmp/own.pb.gz"
expect_status 0
