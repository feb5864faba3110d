#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Messages about files that do not fit an option or cannot be used here. Other
# messages are tested with the features that they belong to.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap

# An object file has no segments.
g++ -std=c++17 -c -o "$tmp/inlining" "$PROGRAMS/inlining.cc"
sed "s|/[^ ]*/inlining\$|$tmp/inlining|" "$dump" >"$tmp/object.heap"
run info --verbose "$tmp/object.heap"
sed -z 's/\n \{20\}/ /g' "$tmp/out" >"$tmp/facts"
expect_match facts '^  missing +/.*/inlining: neither a program nor a library$'
expect_match facts '^  remedy +give a readable copy as BINARY'
run --add_lib "$tmp/inlining" "$dump"
expect_status 1
expect_match err 'error: .*/inlining: no code in it, expected a library'

# More than the format allows; the file takes no space.
printf '\x0a\x04\x08\x01\x10\x02' >"$tmp/large.pb"
truncate -s 3G "$tmp/large.pb"
run "$tmp/large.pb"
expect_status 1
expect_match err 'error: .*/large\.pb: expected at most 2 GiB, the limit of the pprof format'

# A library that does not load is as good as none.
mkdir "$tmp/lib"
: >"$tmp/lib/libdebuginfod.so.1"
LD_LIBRARY_PATH=$tmp/lib DEBUGINFOD_URLS=http://127.0.0.1:1 \
  run --debuginfod "$dump"
expect_status 1
expect_match err 'error: --debuginfod needs libdebuginfod\.so\.1: install the pac'\
'kage libdebuginfod1'
echo '#include <errno.h>
void* debuginfod_begin(void) { errno = ENOMEM; return 0; }
void debuginfod_end(void* c) {}
int debuginfod_find_debuginfo(void* c, const void* i, int n, char** p) {
  return -ENOSYS;
}
int debuginfod_find_executable(void* c, const void* i, int n, char** p) {
  return -ENOSYS;
}' | gcc -shared -x c -o "$tmp/lib/libdebuginfod.so.1" -
LD_LIBRARY_PATH=$tmp/lib DEBUGINFOD_URLS=http://127.0.0.1:1 \
  run --debuginfod "$dump"
expect_status 1
expect_match err 'error: --debuginfod: libdebuginfod\.so\.1 does not start: Canno'\
't allocate memory'

# Options that have a meaning in jeprof only, or not together.
for option in contentions total_delay mean_delay; do
  expect_usage_error "--$option.*heapprof reads heap profiles; use pprof for contention pro" \
    "--$option" "$dump"
done
expect_usage_error "--test.*it ran a self-test of jeprof; heapprof's tests run with ctest$" \
  --test "$dump"
expect_usage_error 'error: --symbols names addresses, not dumps: it has one -o$' \
  --symbols -o "$tmp/a" -o "$tmp/b" "$bin/gcc-O2/inlining"
expect_usage_error 'error: --symbols takes one binary$' \
  --symbols "$bin/gcc-O2/inlining" "$bin/gcc-O0/inlining"
expect_usage_error 'error: more than one -o: info writes one report$' \
  info -o "$tmp/a" -o "$tmp/b" "$dump"
expect_usage_error 'error: info writes text, or JSON with --json$' info --dot "$dump"
(unset HOME XDG_CACHE_HOME && expect_usage_error 'error: no cache folder: give --cache-dir, '\
'or set XDG_CACHE_HOME or HOME$' cache)

# Periods that one file cannot state.
sed 's,^heap_v2/1$,heap_v2/512,' "$dump" >"$tmp/other.heap"
run --raw "$dump" "$tmp/other.heap"
expect_status 0
expect_match err 'the values were recorded with several sampling periods: they a'\
're written in whole bytes, without threads$'

# Where the time goes.
run --verbose "$dump"
time='[0-9]+\.[0-9] ms'
expect_match err "heapprof: reading the profile $time, looking for the binaries \
$time, naming the frames $time, making the report $time$"

# Indexes that are damaged, and binaries that have none: here a unit is of an
# unknown version.
objcopy --remove-section=.note.gnu.build-id "$bin/gcc-O2/inlining" "$tmp/odd"
read -r offset _ < <(readelf -SW "$tmp/odd" |
  sed -n 's/.*\.debug_info *PROGBITS *[^ ]* //p')
printf 'x' | dd of="$tmp/odd" bs=1 seek=$((16#$offset + 4)) conv=notrunc status=none
run --verbose "$tmp/odd" "$dump"
expect_match err '/odd: no index: some of its debug information cannot be indexed$'
run cache
expect_match out '/odd \(cannot be indexed\)$'
for index in "$XDG_CACHE_HOME"/heapprof/*.idx; do
  printf 'xxxx' | dd of="$index" bs=1 seek=70 conv=notrunc status=none
done
run cache
expect_match out '\(damaged, or of another version\)$'

# Messages that nobody can read change neither the report nor the status.
run --no-cache --text "$dump"
expect_status 0
expect_match err 'have no names'
cp "$tmp/out" "$tmp/report"
command_line="heapprof --no-cache --text $dump 2>&-"
status=0
"$HEAPPROF" --no-cache --text "$dump" >"$tmp/out" 2>&- || status=$?
expect_status 0
expect_same report out
command_line="heapprof trend $dump 2>/dev/full"
status=0
"$HEAPPROF" trend "$dump" >"$tmp/out" 2>/dev/full || status=$?
expect_status 0
