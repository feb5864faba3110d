#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares heapprof's HTML reports with the pages of pprof for the same
# profiles, and prints Markdown tables; scripts/bench/pages.mjs says how it
# measures.
#
# usage: bench_pages.sh [--runs N] [--only RE] [--peer NAME COMMAND]
#
#   --runs N  how often each page is opened, by default 5
#   --only    measures only the profiles whose names match (page_profiles.mjs)
#   --peer    also measures the pages of a program that draws flame graphs with
#             d3-flame-graph: COMMAND gets the output of heapprof --collapsed
#             and, as its only argument, the path of the page to write
#
# Needs build/release with its tests and what install_deps.sh full installs.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly out=$PWD/build/bench/pages
mkdir -p "$out"
bash tests/browser/install.sh "$out"
bash tests/e2e/build_pprof.sh testdata/programs "$out"
HEAPPROF=$PWD/build/release/heapprof E2E=$PWD/build/release/tests/e2e \
  PPROF=$out/pprof NODE_MODULES=$out/node_modules SCREENSHOTS=$out/pictures \
  exec node scripts/bench/pages.mjs "$@"
