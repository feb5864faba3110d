#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Everything that must hold before a change goes in: builds with warnings as
# errors, then runs all tests, among them the layer and format checks and the
# sanitized build's unit tests. Installs what is missing.
#
# usage: test.sh [--full]
#
#   --full  larger inputs in the tests that scale (HEAPPROF_FULL=1)
set -euo pipefail

case ${1:-} in
  --full) export HEAPPROF_FULL=1 ;;
  '') ;;
  *)
    echo "usage: test.sh [--full]" >&2
    exit 2
    ;;
esac

cd "$(dirname "$0")/.."
jobs=$(nproc)
bash scripts/install_deps.sh test

cmake --preset release --log-level=WARNING -DHEAPPROF_TESTS=ON \
  -DHEAPPROF_WERROR=ON -DHEAPPROF_SANITIZED_TREE="$PWD/build/asan"
cmake --build --preset release --parallel "$jobs"
cmake --preset asan --log-level=WARNING -DHEAPPROF_TESTS=ON -DHEAPPROF_WERROR=ON
cmake --build --preset asan --parallel "$jobs"

exec ctest --preset release --parallel "$jobs"
