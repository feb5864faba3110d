#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Without names, the report of a stripped binary still has all bytes.
. "$(dirname "$0")/common.inc"

text "$bin/gcc-O2-stripped/inlining" "$dumps/inlining.gcc-O2-stripped.heap"
expect_flat 'inlining\+0x[0-9a-f]+' 479232
expect_no_match out 'demo::'
expect_match err '^heapprof: [0-9.]+% of bytes have no names: inlining has no debug information .*see heapprof info.$'

# Without debug information, names come from .symtab, even of static functions.
# A file with only .dynsym has the names of exported functions.
g++ -std=c++17 -O2 -rdynamic -o "$tmp/ifunc" "$PROGRAMS/ifunc.cc"
LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_final:true,\
lg_prof_sample:0,prof_prefix:$tmp/app" "$tmp/ifunc"
dump=$(echo "$tmp"/app.*.f.heap)
text "$dump"
expect_flat Chosen 65536
expect_flat exported 32768
strip -o "$tmp/stripped" "$tmp/ifunc"
text "$tmp/stripped" "$dump"
expect_no_match out Chosen
expect_flat exported 32768
expect_flat 'ifunc\+0x[0-9a-f]+' 65536
expect_cum main 98304
# The symbol of an indirect function has a type of its own, "i" for nm.
address=$(nm -D "$tmp/stripped" | awk '$2 == "i" && $3 == "grab" { print $1 }')
expect_equal "kind of symbol" 16 "${#address}"
echo "0x$address" >"$tmp/addresses"
run --symbols "$tmp/stripped" <"$tmp/addresses"
expect_equal "name of an IFUNC" grab "$(awk '{ print $NF }' "$tmp/out")"
