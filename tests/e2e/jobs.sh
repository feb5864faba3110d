#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The number of threads changes nothing: a pprof profile has all there is. Of all
# dumps with HEAPPROF_FULL=1.
. "$(dirname "$0")/common.inc"

inputs=("$dumps"/*.heap)
[[ -n ${HEAPPROF_FULL-} ]] || inputs=("$dumps"/{threads,warehouse}.*.heap)
for dump in "${inputs[@]}"; do
  for jobs in 1 4; do
    run --proto --jobs $jobs "$dump"
    expect_status 0
    cp "$tmp/out" "$tmp/out.$jobs"
    cp "$tmp/err" "$tmp/err.$jobs"
  done
  [[ -s $tmp/out ]] || fail "--proto" "a profile" "nothing"
  expect_same out.1 out.4
  expect_same err.1 err.4
done
