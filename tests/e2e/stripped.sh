#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A stripped binary without a debug file keeps its bytes, without names.
. "$(dirname "$0")/common.inc"

text "$bin/gcc-O2-stripped/inlining" "$dumps/inlining.gcc-O2-stripped.heap"
expect_flat 'inlining\+0x[0-9a-f]+' 479232
expect_no_match out 'demo::'
expect_match err 'unresolved.*inlining'
