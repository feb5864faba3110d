#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The number of threads changes nothing.
. "$(dirname "$0")/common.inc"

for dump in "$dumps"/*.heap; do
  for format in --text --proto; do
    for jobs in 1 4; do
      run $format --jobs $jobs "$dump"
      expect_status 0
      cp "$tmp/out" "$tmp/out.$jobs"
      cp "$tmp/err" "$tmp/err.$jobs"
    done
    [[ -s $tmp/out ]] || fail "$format" "a report" "nothing"
    expect_same out.1 out.4
    expect_same err.1 err.4
  done
done
