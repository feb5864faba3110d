#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Status 0 for success, 2 for a wrong command line. bad_input.sh tests status 1.
. "$(dirname "$0")/common.inc"

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

expect_usage_error '.'
expect_usage_error 'frobnicate' --frobnicate "$dump"
expect_usage_error 'test_stride' --te "$dump"
expect_usage_error 'nodecount.*abc|abc.*nodecount' --nodecount=abc "$dump"
expect_usage_error 'base' "$dump" --base
# Nothing is accepted that a command would ignore.
for option in --json --inuse_objects -o\ file; do
  # shellcheck disable=SC2086
  expect_usage_error "does not work with 'heapprof cache'" cache $option
  # shellcheck disable=SC2086
  expect_usage_error "does not work with 'heapprof help'" help $option
done
expect_usage_error '.' "$bin/gcc-O2/inlining"
expect_usage_error '--' --web "$dump"

# The manual: a topic follows `help`, or a lone --help unless it is a file.
run help
expect_status 0
expect_match out '^usage: heapprof'
run help filters
expect_status 0
expect_match out '^filters - show a part of the dump$'
expect_match out '^  --focus RE '
cp "$tmp/out" "$tmp/filters"
run --help filters
expect_status 0
expect_same filters out
for command in info cache; do
  run help $command
  sed 1d "$tmp/out" >"$tmp/page"
  run $command --help
  expect_status 0
  expect_match out "^usage: heapprof $command "
  sed -i 1,3d "$tmp/out"
  expect_same page out
done
run --help "$dump"
expect_status 0
expect_match out '^usage: heapprof'
for words in 'help frobnicate' '--help frobnicate'; do
  # shellcheck disable=SC2086
  expect_usage_error "no help on 'frobnicate'; topics: recording, languages, runtimes, containers, " $words
done
