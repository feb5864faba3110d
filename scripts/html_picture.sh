#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the picture of an HTML report in the README, from a dump of the demo
# server. Needs chromium, and a build of heapprof.
#
# usage: html_picture.sh > .github/report.png
set -euo pipefail
cd "$(dirname "$0")/.."

# The report shows this path.
readonly out=/tmp/demo
mkdir "$out"
trap 'rm -rf "$out"' EXIT
g++ -std=c++17 -g -O2 -pthread -o "$out/server" testdata/programs/quickstart.cc
LD_PRELOAD=libjemalloc.so.2 \
  MALLOC_CONF=prof:true,prof_final:true,lg_prof_sample:14,prof_prefix:$out/heap \
  "$out/server"
mv "$out"/heap.*.heap "$out/server.heap"
build/release/heapprof --quiet -o "$out/mem.html" "$out/server.heap"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars \
  --virtual-time-budget=5000 --window-size=1100,826 \
  --screenshot="$out/mem.png" "file://$out/mem.html" 2>"$out/log" ||
  { cat "$out/log" >&2 && exit 1; }
cat "$out/mem.png"
