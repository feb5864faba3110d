#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A plugin that was unloaded before the dump is one row, although each process
# had it at another address.
. "$(dirname "$0")/common.inc"

for file in plugin plugin_host; do
  flags=(-rdynamic)
  [[ $file == plugin_host ]] || flags=(-shared -fPIC)
  g++ -std=c++17 -g -O1 "${flags[@]}" -o "$tmp/$file" "$PROGRAMS/$file.cc"
done
for run in one two; do
  LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_final:true,\
lg_prof_sample:0,prof_prefix:$tmp/$run" "$tmp/plugin_host" "$tmp/plugin"
  mv "$tmp/$run".*.f.heap "$tmp/$run.heap"
done

run check --own=none --max-growth=0B --base "$tmp/one.heap" "$tmp/two.heap"
expect_status 0
run --text --base "$tmp/one.heap" "$tmp/two.heap"
expect_no_match out '0x0'
# By itself, a dump shows addresses, as jeprof does.
run --text "$tmp/one.heap"
expect_match out ' 0x0000[0-9a-f]+$'
run --text --base "$tmp/one.heap" --focus='outside the memory map' "$dumps/growth.first.heap"
expect_status 0
expect_match out ' -[0-9.]+ .* \[outside the memory map\]$'
