#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The dump alone is enough: it names its binary.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
text "$bin/gcc-O2/inlining" "$dump"
cp "$tmp/out" "$tmp/expected"
text "$dump"
expect_same expected out
