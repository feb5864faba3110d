#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Input that cannot be used: status 1, nothing on stdout, a message that
# names the file and says what it is.
. "$(dirname "$0")/common.inc"

# refuse REGEX ARGUMENT...
refuse() {
  local message=$1
  shift
  run --text "$@"
  expect_status 1
  expect_empty out
  expect_match err "$message"
}

: >"$tmp/empty.heap"
refuse 'empty\.heap.*empty' "$tmp/empty.heap"
refuse 'empty\.heap.*empty' "$bin/gcc-O2/inlining" "$tmp/empty.heap"
refuse 'missing\.heap.*No such file' "$tmp/missing.heap"
refuse 'missing.*No such file' "$tmp/missing" "$dumps/growth.first.heap"
refuse 'missing\.heap.*No such file' --base "$tmp/missing.heap" \
  "$dumps/growth.first.heap"

echo 'int main() {}' >"$tmp/source.cc"
refuse 'source\.cc' "$tmp/source.cc"
echo '--- contention' >"$tmp/contention"
refuse 'contention' "$tmp/contention"
refuse "$tmp" "$tmp"
