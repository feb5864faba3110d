#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: base_growth.sh OLD
#
# The report shows only what grew, with its exact growth: between two runs of
# one build (OLD: first) and of two builds (OLD: old-build).
. "$(dirname "$0")/common.inc"

readonly input=(--base "$dumps/growth.$1.heap" "$dumps/growth.grown.heap")

# The message says whether two builds are compared.
builds=$(cat "$dumps/growth.$1.heap" "$dumps/growth.grown.heap" |
  sed -n 's/.* r-xp .* \(.*\/growth\)$/\1/p' | xargs -n 1 readelf -n |
  grep 'Build ID' | sort -u | wc -l)
expect_equal "builds" "$([[ $1 == old-build ]] && echo 2 || echo 1)" "$builds"

text "${input[@]}"
expect_equal "Total" 4194304 "$(total)"
expect_flat 'demo::Grow' 4194304
expect_cum 'main' 4194304
expect_no_match out 'demo::Steady'

run --collapsed "${input[@]}"
expect_status 0
expect_equal "stacks that grew" 1 "$(wc -l <"$tmp/out")"
expect_match out '^_start;.*;main;demo::Grow\(int\) 4194304$'
