#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Inputs that are made to do harm take little memory and time, end with a line
# that says why, and do not get at other files.
. "$(dirname "$0")/common.inc"
command_line="hostile_inputs.py $tmp"
TMPDIR=$tmp python3 -B "$(dirname "$0")/hostile_inputs.py" "$HEAPPROF" "$tmp" \
  >"$tmp/out" 2>&1 ||
  fail "hostile inputs" "every run within its limits" "$(tail -n 5 "$tmp/out")"
