#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Code made at run time has the names of the program's perf-PID.map, next to
# the dump or given with --perf-map.
. "$(dirname "$0")/common.inc"

g++ -std=c++17 -g -O2 -o "$tmp/jit" "$PROGRAMS/jit.cc"
# profile FOLDER: runs the program; its dump and its perf map are in there.
profile() {
  mkdir "$tmp/$1"
  LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_final:true,\
lg_prof_sample:0,prof_prefix:$tmp/$1/app" "$tmp/jit" "$tmp/$1"
  dump=$(echo "$tmp/$1"/app.*.f.heap)
  map=$(echo "$tmp/$1"/perf-*.map)
}

expect_names() {
  expect_cum 'jit::Add' 196608
  expect_cum 'jit::Mul' 65536
  expect_flat 'demo::HoldForCode' 262144
  expect_no_match out 'Discarded'
}

profile first
text "$dump"
expect_names
expect_no_match err '\[anon\]'
gzip -k "$dump"
text "$dump.gz"
expect_names
cp "$dump" "$tmp/first.heap"
mv "$map" "$tmp/names.map"

# Not next to it: neither found nor silently unnamed.
text "$dump"
expect_no_match out 'jit::'
expect_match err '\[anon\] is code made at run time \(see --perf-map\)'
text --perf-map "$tmp/names.map" "$tmp/first.heap"
expect_names
run --proto -o "$tmp/jit.pb.gz" --perf-map "$tmp/names.map" "$dump"
expect_status 0
text "$tmp/jit.pb.gz"
expect_names
run --names full --text --perf-map "$tmp/names.map" "$dump"
expect_match out ' jit::Add\(int, int\)$'

# Where perf expects it, if it may be of this process.
pid=${map##*/perf-}
pid=${pid%.map}
readonly temporary=/tmp/perf-$pid.map
trap 'rm -f "$temporary"; rm -rf "$tmp"' EXIT
[[ ! -e $temporary ]] || fail "$temporary" "no file" "a file"
cp "$tmp/names.map" "$temporary"
text "$dump"
expect_names
expect_match err "generated code has the names in $temporary\$"
touch -d '2 days ago' "$temporary"
text "$dump"
expect_no_match out 'jit::'
expect_match err "$temporary is not used, because it was written on another day"
if ((UID == 0)); then
  touch "$temporary"
  chown 1 "$temporary"
  text "$dump"
  expect_no_match out 'jit::'
  expect_match err "$temporary is not used, because it belongs to another user"
fi
rm "$temporary"
ln -s "$tmp/names.map" "$temporary"
text "$dump"
expect_no_match out 'jit::'
expect_match err "$temporary is not used, because it is not a regular file"
rm "$temporary"

# The code of another process matches, wherever that process has put it.
cp "$tmp/names.map" "$map"
base=$dump
profile second
text --base "$base" "$dump"
expect_match err 'no difference to the base'
expect_no_match err '\[anon\]'

# A file that is not a perf map, or the map of another process.
run --perf-map "$dump" "$dump"
expect_status 1
expect_match err "error: .*heap: expected a perf map, with lines of '<start> <si"
echo '10 20 nothing' >"$tmp/other.map"
run --perf-map "$tmp/other.map" "$dump"
expect_status 0
expect_match err 'warning: .*heap: --perf-map names no address that this dump uses'
