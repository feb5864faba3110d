#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Twenty processes use an empty cache, and some are killed: the others give the
# right report, and no broken or temporary file is left.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/threads.gcc-O2.heap
readonly cache=$XDG_CACHE_HOME/heapprof
readonly rounds=${HEAPPROF_FULL:+10}
run --no-cache --proto "$dump"
expect_status 0
cp "$tmp/out" "$tmp/right"

for ((round = 0; round < ${rounds:-2}; ++round)); do
  rm -rf "$cache"
  pids=()
  for i in {1..20}; do
    "$HEAPPROF" --proto "$dump" >"$tmp/out.$i" 2>"$tmp/err.$i" &
    pids+=($!)
  done
  # Every third one, at moments from the start to the end of the work.
  for ((i = 0; i < 20; i += 3)); do
    sleep "0.0$((i / 3 + round))"
    kill -KILL "${pids[i]}" 2>/dev/null || true
  done
  for i in {1..20}; do
    status=0
    wait "${pids[i - 1]}" || status=$?
    command_line="heapprof $i of round $round"
    if (((i - 1) % 3 != 0)) || [[ $status != 137 ]]; then
      expect_status 0
      cmp -s "$tmp/out.$i" "$tmp/right" ||
        fail "output of a survivor" "that of a run alone" "$(cat "$tmp/err.$i")"
    fi
  done
  run --proto "$dump"
  expect_same out right
  run --proto "$dump"
  expect_same out right
  run cache prune
  expect_match out ': 0 indexes removed'
  expect_equal "temporary files" "" "$(find "$cache" -type f ! -name '*.idx')"
  [[ -n $(find "$cache" -name '*.idx') ]] || fail "indexes" "some" "none"
done
