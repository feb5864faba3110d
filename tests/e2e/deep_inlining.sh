#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Of more inlined calls than any real program has, all runs keep the same: while
# an index is built, with the index of another dump, and without one. They take
# little memory.
. "$(dirname "$0")/common.inc"

readonly left_out='inlined calls left out: there are more than any real program'

# reports KIND: a pprof profile, which shows every detail, and what is said.
reports() {
  local arguments=(--memory-limit 250MiB --proto "${@:2}" "$tmp/$name.heap")
  command_line="heapprof ${arguments[*]}"
  status=0
  "$HEAPPROF" "${arguments[@]}" >"$tmp/out.$1" 2>"$tmp/err.$1" || status=$?
  expect_status 0
  expect_match "err.$1" "/$name: $left_out"
}

for shape in 'calls 24 1000 90' 'deep 8 1000 1000'; do
  read -ra words <<<"$shape"
  name=${words[0]}
  python3 -B "$E2E_SOURCES/deep_inlining.py" "$tmp/$name" "${words[@]:1}"
  reports none --no-cache --jobs 1
  for jobs in 1 2; do
    reports jobs --no-cache --jobs "$jobs"
    reports cold --jobs "$jobs"
    reports warm --jobs "$jobs"
    rm -rf "$XDG_CACHE_HOME"
    run --verbose --text --jobs "$jobs" "$tmp/$name.few.heap"
    expect_match err 'index of [0-9]+ bytes built$'
    reports other --jobs "$jobs"
    rm -rf "$XDG_CACHE_HOME"
    for kind in jobs cold warm other; do
      expect_same out.none out.$kind
      expect_same err.none err.$kind
    done
  done
  run --no-cache --text --show_bytes "$tmp/out.none"
  expect_match out "^Total: $((words[1] * words[2] * 100 - 100)) B$"
done
