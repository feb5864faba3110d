#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A library with preferred addresses, as prelink writes them: it is loaded
# elsewhere, but its symbols have the preferred addresses.
. "$(dirname "$0")/common.inc"

mkdir "$tmp/app"
g++ -std=c++17 -g -O2 -fPIC -shared -Wl,-Ttext-segment=0x3a2f000000 \
  -o "$tmp/app/libshared_lib.so" "$PROGRAMS/shared_lib.cc"
g++ -std=c++17 -g -O2 -o "$tmp/app/shared_main" "$PROGRAMS/shared_main.cc" \
  "$tmp/app/libshared_lib.so" -Wl,-rpath,"$tmp/app"
readelf -lW "$tmp/app/libshared_lib.so" | grep 'LOAD.* 0x0*3a2f00' >/dev/null ||
  fail "libshared_lib.so" "addresses above 0x3a2f000000" "none"
LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_final:true,\
lg_prof_sample:0,prof_prefix:$tmp/app" "$tmp/app/shared_main"

text "$bin/gcc-O2/shared_main" "$dumps/shared_main.gcc-O2.heap"
grep -E 'demo|shop' "$tmp/out" >"$tmp/expected"
text "$tmp"/app.*.f.heap
grep -E 'demo|shop' "$tmp/out" >"$tmp/found"
expect_same expected found
