#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A binary under another path and name than the dump's is used when given.
. "$(dirname "$0")/common.inc"

text "$bin/gcc-O2/inlining" "$dumps/inlining.gcc-O2.heap"
cp "$tmp/out" "$tmp/expected"

sed 's|/[^ ]*/inlining$|/gone/inlining|' "$dumps/inlining.gcc-O2.heap" \
  >"$tmp/container.heap"
for name in inlining server; do
  cp "$bin/gcc-O2/inlining" "$tmp/$name"
  text "$tmp/$name" "$tmp/container.heap"
  expect_same expected out
done
