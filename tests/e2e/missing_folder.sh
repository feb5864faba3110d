#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A folder that does not exist is said, whatever it was to be searched for.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/growth.first.heap
mkdir "$tmp/there"

for option in symbol-path source-path debug-dir sysroot; do
  run --text --$option="$tmp/there" "$dump"
  expect_status 0
  expect_no_match err 'warning'
  for path in "$tmp/gone" "$dump"; do
    run --text --$option="$path" "$dump"
    expect_status 0
    expect_match err "^heapprof: warning: --$option: $path: not a folder\$"
  done
done
run --text --symbol-path="$tmp/there:$tmp/gone" --lib_prefix="$tmp/there" "$dump"
expect_match err "warning: --symbol-path: $tmp/gone: not a folder\$"
# --lib_prefix means the same, but the warning has the name that was typed.
run --text --symbol-path="$tmp/there" --lib_prefix="$tmp/there,$tmp/gone" "$dump"
expect_match err "warning: --lib_prefix: $tmp/gone: not a folder\$"
run --text --path-map="$bin=$tmp/gone" "$dump"
expect_match err "warning: --path-map: $tmp/gone: no such file or folder\$"
run --text --path-map="/build=$bin" "$dump"
expect_no_match err 'warning'

# Whatever reads binaries says it.
for command in info "check --max-total=1GiB" trend doctor \
  "--each -o $tmp/{name}.txt"; do
  # shellcheck disable=SC2086
  run $command --debug-dir="$tmp/gone" "$dump"
  expect_status 0
  expect_match err "warning: --debug-dir: $tmp/gone: not a folder\$"
done
