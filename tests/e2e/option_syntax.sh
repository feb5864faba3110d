#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Command lines as published how-tos for jeprof write them.
. "$(dirname "$0")/common.inc"

readonly binary=$bin/gcc-O2/inlining
readonly dump=$dumps/inlining.gcc-O2.heap

# same_as REFERENCE ARGUMENT...: the output is that of $tmp/REFERENCE.
same_as() {
  local reference=$1
  shift
  run "$@"
  expect_status 0
  expect_same "$reference" out
}

run --collapsed "$binary" "$dump"
expect_status 0
cp "$tmp/out" "$tmp/collapsed"
same_as collapsed "$binary" "$dump" --collapse
same_as collapsed "$binary" -collapsed "$dump"
same_as collapsed --COLLAPSED "$dump" "$binary"
same_as collapsed --collapsed -- "$binary" "$dump"

run --text --cum --show_bytes "$binary" "$dump"
expect_status 0
cp "$tmp/out" "$tmp/text"
same_as text --tex -cu --sh "$binary" "$dump"
same_as text "$binary" "$dump" --show_byte --cum
same_as text --nocum --cum --show_bytes "$binary" "$dump"

# One screen, although jeprof's rule of prefixes would call -h ambiguous.
run -h
expect_status 0
expect_match out '^usage: heapprof '
[[ $(wc -l <"$tmp/out") -le 24 ]] || fail "-h" "24 lines" "$(wc -l <"$tmp/out")"
expect_no_match out '.{81}'
run check -h
cp "$tmp/out" "$tmp/short"
run check --help
expect_same short out
run --top 5 "$dump" -h
expect_status 0
expect_match out '^usage: heapprof '
[[ $(wc -l <"$tmp/out") -le 24 ]] || fail "-h" "24 lines" "$(wc -l <"$tmp/out")"
run check --base "$dump" -h
expect_same short out

# A pattern that is left out takes the dump for itself.
for option in callers list focus module own; do
  expect_usage_error "--$option=$dump is taken as a pattern, and no dump is" \
    "--$option" "$dump"
done
# So does a dump before another one, and a binary.
for file in "$dump" "$bin/gcc-O2/inlining"; do
  run --callers "$file" "$dump"
  expect_status 1
  expect_match err "$file is a file, .* as in --callers=PATTERN $file$"
done
# A program may have the name of its function.
expect_usage_error 'no profile given' --focus "$bin/gcc-O2/inlining"
for command in trend '--each -o {name}.txt' info; do
  # shellcheck disable=SC2086
  expect_usage_error '=PATTERN ' $command --focus "$dump"
done
