#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# 0 for what was asked, 2 for a command line that asks for nothing sensible.
# What cannot be read is in bad_input.sh.
. "$(dirname "$0")/common.inc"

# refuse REGEX ARGUMENT...: usage errors.
refuse() {
  local message=$1
  shift
  run "$@"
  expect_status 2
  expect_empty out
  expect_match err "$message"
}

readonly dump=$dumps/inlining.gcc-O2.heap
run "$dump"
expect_status 0
run --help
expect_status 0
expect_match out '--collapsed'
expect_empty err
run --version
expect_status 0
expect_match out '^heapprof [0-9]+\.[0-9]+'
expect_empty err

refuse '.'
refuse 'frobnicate' --frobnicate "$dump"
refuse 'test_stride' --te "$dump"
refuse 'nodecount.*abc|abc.*nodecount' --nodecount=abc "$dump"
refuse 'base' "$dump" --base
refuse '.' "$bin/gcc-O2/inlining"
refuse '--' --web "$dump"
