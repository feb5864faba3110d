#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# google/pprof reads what --proto writes: all four metrics, stacks with their
# inlined frames, lines, build ids.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/pprof.inc"

readonly input=("$bin/gcc-O2/inlining" "$dumps/inlining.gcc-O2.heap")
write inlining "${input[@]}"

# The reports add up to the same, and inuse_space is what pprof shows first.
for metric in alloc_objects alloc_space inuse_objects inuse_space; do
  run --text --show_bytes --$metric "${input[@]}"
  all=$(total)
  top inlining.pb.gz -sample_index=$metric
  expect_match out "^Type: $metric\$"
  expect_equal "sum of $metric" "$all" "$(flat_sum)"
done
cp "$tmp/out" "$tmp/inuse_space"
top inlining.pb.gz
expect_same inuse_space out
expect_match out '^ +131072B +[0-9.]+% +[0-9.]+% +131072B .* demo::Inner\(int\)'
expect_match out '^ +0 .* 131072B +[0-9.]+%  demo::HoldChain\(int\)$'
expect_match out ' 479232B +[0-9.]+%  main$'

# A stack from its leaf, as in the source.
pprof -traces -unit=B "$tmp/inlining.pb.gz"
sed -n '/131072B *demo::Inner/,/^ *main$/s/^ *\([0-9B]* *\)//p' "$tmp/out" \
  >"$tmp/chain"
printf 'demo::%s(int)%s\n' Inner ' (inline)' Middle ' (inline)' \
  Outer ' (inline)' HoldChain '' >"$tmp/expected"
echo main >>"$tmp/expected"
expect_same expected chain

pprof -raw "$tmp/inlining.pb.gz"
expect_match out '^PeriodType: space bytes$'
expect_match out '^Period: 1$'
expect_match out '^alloc_objects/count alloc_space/bytes inuse_objects/count'\
' inuse_space/bytes\[dflt\]$'
expect_match out 'demo::Inner\(int\) .*/inlining\.cc:21 '
expect_match out 'demo::Middle\(int\) .*/inlining\.cc:24 '
expect_match out 'demo::HoldChain\(int\) .*/inlining\.cc:28 '

# The program comes first; every build id is the one of the file.
sed -n '/^Mappings$/,$s/^[0-9]*: [^ ]* \([^ ]*\) \([0-9a-f]*\).*/\1 \2/p' \
  "$tmp/out" >"$tmp/mappings"
expect_equal "first mapping" "$bin/gcc-O2/inlining" \
  "$(head -n 1 "$tmp/mappings" | cut -d ' ' -f 1)"
expect_equal "mappings" 4 "$(wc -l <"$tmp/mappings")"
while read -r file build_id; do
  expect_equal "build id of $file" \
    "$(readelf -n "$file" | sed -n 's/ *Build ID: //p')" "$build_id"
done <"$tmp/mappings"
