#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The static program, which e2e.package has built, alone in an empty root: it
# passes every end-to-end test in which it needs no other program (label helper).
#
# usage: empty_root.sh [REGEX]
#
# REGEX names some of the tests.
. "$(dirname "$0")/common.inc"

STATIC_HEAPPROF=$(realpath "$E2E_SOURCES/../../build/static/heapprof")
export STATIC_HEAPPROF
# The line before the properties of a test is the test. Mounts take time.
grep --no-group-separator -B 1 "HEAPPROF=${HEAPPROF}[;\"]" \
  "$E2E/CTestTestfile.cmake" |
  sed "s,HEAPPROF=$HEAPPROF,HEAPPROF=$E2E_SOURCES/in_empty_root.sh,
    s,TIMEOUT \"[0-9]*,&0," >"$tmp/CTestTestfile.cmake"
unset HOME XDG_CACHE_HOME LC_ALL
ctest --test-dir "$tmp" --parallel "$(nproc)" --output-on-failure \
  --label-exclude helper --fixture-exclude-any '.*' --tests-regex "${1-.*}"
