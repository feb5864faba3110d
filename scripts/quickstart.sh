#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# From a fresh clone to a first report: installs what is missing, builds
# heapprof, profiles a small demo server with jemalloc and shows where its
# memory is. Prints each command, so that they can be repeated by hand.
set -euo pipefail

cd "$(dirname "$0")/.."
readonly heapprof=build/release/heapprof
readonly out=build/quickstart
readonly demo=$out/demo

show() {
  printf '\n$'
  printf ' %s' "$@"
  printf '\n'
  "$@"
}

bash scripts/install_deps.sh quickstart
# Several files per compilation: a third of the time.
show cmake --preset release --log-level=WARNING -DHEAPPROF_TESTS=OFF \
  -DHEAPPROF_PRECOMPILE=ON -DCMAKE_UNITY_BUILD=ON
show cmake --build --preset release --target heapprof

mkdir -p "$out"
rm -f "$out"/demo.*.heap
show g++ -std=c++17 -g -O2 -pthread -o "$demo" testdata/programs/quickstart.cc
show "$heapprof" record --rate 16KiB -o "$out/" "$demo"

dumps=("$out"/demo.*.heap)

cat <<END

A report on the same dump, to open in a browser:

\$ $heapprof -o $out/demo.html $demo ${dumps[0]}
END
