#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scripts/check_demo.sh shows a gate that is green, then red.
. "$(dirname "$0")/common.inc"

command_line="scripts/check_demo.sh"
status=0
bash "$(dirname "$0")/../../scripts/check_demo.sh" "$tmp/demo" >"$tmp/out" \
  2>"$tmp/err" || status=$?
expect_status 0
expect_match out '^\$ .* --max-growth .10% \+ 1MiB. '
expect_equal "verdicts" \
  "ok: regression: " "$(sed -nE 's/^(ok|regression): .*/\1:/p' "$tmp/out" |
    uniq | tr '\n' ' ')"
python3 -B "$E2E_SOURCES/check_pprof.py" "$tmp/demo/baseline.pb.gz"
expect_match out ' regression  demo::Sessions::Login$'
expect_match out 'via main > demo::Serve'

# The demo fails if the gate is wrong: a program that finds no regression.
printf '#!/bin/sh\n[ "$1" != check ] || set -- "$@" --fail-on=never\nexec "%s" "$@"\n' \
  "$HEAPPROF" >"$tmp/lenient"
chmod +x "$tmp/lenient"
status=0
HEAPPROF=$tmp/lenient bash "$(dirname "$0")/../../scripts/check_demo.sh" \
  "$tmp/demo" >"$tmp/out" 2>"$tmp/err" || status=$?
expect_status 1
expect_match err 'expected red'
