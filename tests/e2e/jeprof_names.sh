#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A name in one symbolized file serves the other files of the run, even if the
# file itself has no sample at that address.
. "$(dirname "$0")/common.inc"

# symbolized RECORD SYMBOL...
symbolized() {
  local record=$1
  shift
  printf '%s\n' '--- symbol' 'binary=/opt/demo/server' "$@" '---' '--- heap' \
    'heap_v2/524288' "$record" '  t*: 4: 4096 [0: 0]'
}

symbolized '@ 0x401000' '0x401000 leaf' '0x402000 outer()--inlined()' \
  '0x403000 caller' >"$tmp/named"
symbolized '@ 0x402000 0x403001 0x404001' >"$tmp/bare"
for files in 'named bare' 'bare named'; do
  # shellcheck disable=SC2086
  (cd "$tmp" && jeprof --text --show_bytes $files >theirs 2>/dev/null)
  # shellcheck disable=SC2086
  (cd "$tmp" && "$HEAPPROF" --text --show_bytes $files >out 2>/dev/null)
  expect_match theirs 'outer'
  expect_same theirs out
done
