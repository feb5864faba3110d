#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Random command lines on symbolized dumps give jeprof's reports. HEAPPROF_FULL=1
# tries many, HEAPPROF_SEED others.
. "$(dirname "$0")/common.inc"

cp "$GOLDEN"/ex?.raw "$tmp"
groups=("ex0.raw,ex1.raw")
for dump in "$dumps"/{inlining,threads,shared_main}.gcc-O2.heap \
  "$E2E"/sampled/quickstart.gcc-O2.heap; do
  name=$(basename "$dump" .heap)
  run --raw -o "$tmp/$name.raw" "$dump"
  expect_status 0
  # Another dump of the process: without some of the stacks.
  run --raw --ignore='Chain|Recursive|Library|append' -o "$tmp/$name.part.raw" \
    "$dump"
  expect_status 0
  groups+=("$name.raw,$name.part.raw")
done

cd "$tmp"
python3 -B "$ORACLE/random_command_lines.py" "${HEAPPROF_FULL:+5}25" \
  "${HEAPPROF_SEED-1}" "${groups[@]}" >"$tmp/differences" ||
  fail "reports" "those of jeprof" "$(tail -n 20 "$tmp/differences")"
cat "$tmp/differences"
