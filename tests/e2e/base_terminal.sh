#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --base on a terminal shows both sides, and what changed by more than sampling
# can explain. A pipe gets jeprof's table.
. "$(dirname "$0")/common.inc"

readonly escape=$'\x1b'

# compare COLUMNS ARGUMENT...: what a terminal receives.
compare() {
  on_terminal "$1 rows 40" "$HEAPPROF --quiet ${*:2}"
  expect_status 0
}

# Commands are as long as the user's command line.
expect_width() {
  local longest
  longest=$(sed '/^Next: /,$d' "$tmp/out" | LC_ALL=C.UTF-8 wc -L)
  [[ $longest -le $1 ]] || fail "the longest line" "at most $1" "$longest"
}

# Short paths, however deep the tree is.
cd "$E2E"
readonly first=dumps/growth.first.heap
readonly grown=dumps/growth.grown.heap

# Both dumps, their builds and totals; the function that grew.
for mode in '' --text; do
  compare 120 $mode --base "$first" "$grown"
  expect_width 120
  expect_match out '^before .*growth\.first\.heap'
  expect_match out '^after .*growth\.grown\.heap'
  expect_match out 'growth \(build [0-9a-f]{12}\)   20[0-9-]+ [0-9:]+ UTC$'
  expect_match out '^ +3\.6 MiB \(exact\) live; without sampling$'
  expect_match out '^ +3\.6 MiB +7\.6 MiB +\+4\.0 MiB +52\.8%  total$'
  expect_match out '^ +3\.0 MiB +7\.0 MiB +\+4\.0 MiB +52\.8%  demo::Grow  growth\.cc:[0-9]+$'
  expect_match out ' [0-9]+ functions unchanged$'
  expect_match out '^Next:  heapprof --callers=demo::Grow .*--base '
  expect_match out '^       heapprof -o growth\.html .*--base '
  expect_match out '^  \+4\.0 MiB  demo::Grow, growth\.cc:15$'
  expect_equal "lines" 14 "$(wc -l <"$tmp/out")"
  expect_match colored "^$escape\[1;31m +3\.0 MiB .*demo::Grow"
  expect_match colored "^$escape\[2m.*unchanged"
done

# What shrank; what came and went.
compare 80 --base "$grown" "$first"
expect_match out '^ *7\.0 MiB +3\.0 MiB +-4\.0 MiB +-52\.8%  demo::Grow(  .*)?$'
expect_match colored "^$escape\[1;36m *7\.0 MiB"
compare 80 --base "$first" "dumps/inlining.gcc-O2.heap"
expect_width 80
expect_match out '^ *3\.0 MiB +gone +-3\.0 MiB .* demo::Grow(  .*)?$'
expect_match out '^ *new +128\.0 KiB +\+128\.0 KiB .* demo::Inner(  .*)?$'

# Each stack counts for own code, unless the user wants something else.
compare 80 --cum --base "$first" "$grown"
expect_match out ' \+4\.0 MiB +52\.8%  main(  .*)?$'
expect_match out 'function, with what it calls$'
compare 80 --modules --base "$first" "$grown"
expect_match out ' \+4\.0 MiB +52\.8%  growth$'
compare 80 --files --base "$first" "$grown"
expect_match out ' \+4\.0 MiB +52\.8%  .*growth\.cc$'
compare 80 --inuse_objects --base "$first" "$grown"
expect_match out '^ +3 +7 +\+4 +[0-9.]+%  demo::Grow(  .*)?$'

# Filters leave a part of each side.
compare 100 --focus=Grow --base "$first" "$grown"
expect_match out '^ +3\.0 MiB \(exact\) of 3\.6 MiB live; '
expect_match out '^ +7\.0 MiB \(exact\) of 7\.6 MiB live; '

# Builds of one program with different compilers and levels.
for build in gcc-O2 gcc-O2-nopie gcc-O2-static clang-O0 clang-O2-lld; do
  compare 100 --base "dumps/inlining.gcc-O0.heap" \
    "dumps/inlining.$build.heap"
  # clang gives lambdas other names than gcc.
  sed -i '/demo::HoldLambda::/d' "$tmp/out"
  expect_match out ' [0-9]+ functions unchanged$'
  expect_no_match out '( new|gone) '
done

# Sampled: the second dump lacks one of 500 samples, which is within the error.
readonly sampled=sampled/quickstart
awk '/^ *t/ && $2 + 0 > 500 {
       lost = int($2 / 500)
       $3 -= lost * int($3 / $2)
       $2 = $2 - lost ":"
     }
     { print }' "$E2E/$sampled.gcc-O2.heap" >"$tmp/fewer.heap"
compare 100 --base "$sampled.gcc-O2.heap" "$tmp/fewer.heap"
expect_width 100
expect_match out '^ +[0-9.]+ ± [0-9.]+ MiB live; one sample per 4 KiB$'
expect_match out '^[0-9.]+ MiB +[0-9.]+ MiB .* ± [0-9.]+ .*  total$'
expect_match out '  [0-9]+ functions: may be chance$'
expect_match out '^before  .*   quickstart \(build'
expect_equal "lines" 8 "$(wc -l <"$tmp/out")"
compare 100 --top 0 --base "$sampled.gcc-O2.heap" "$tmp/fewer.heap"
expect_match out ' ± .*  demo::RenderBody(  .*)?$'
expect_match colored "^$escape\[2m.*demo::RenderBody"
expect_no_match out 'may be chance'

# live_mib DUMP: its live bytes, each stack scaled for what sampling missed.
live_mib() {
  awk '/^heap_v2\// { split($1, header, "/"); rate = header[2] }
       /^ *t\*:/ && in_stack && $2 + 0 > 0 {
         total += $3 / (1 - exp(-$3 / $2 / rate))
       }
       { in_stack = /^@/ || (in_stack && /^ /) }
       END { printf "%.1f", total / 1048576 }' "$1"
}

# expect_near WHAT EXPECTED FOUND: both have one decimal and are rounded apart.
expect_near() {
  awk "BEGIN { exit !(($2 - $3) ^ 2 < 0.11 ^ 2) }" || fail "$@"
}

# Several dumps of a side are averaged.
before=$(live_mib "$E2E/$sampled.gcc-O2.heap")
fewer=$(live_mib "$tmp/fewer.heap")
mean=$(awk "BEGIN { printf \"%.1f\", ($before + $fewer) / 2 }")
compare 120 --base "$sampled.gcc-O2.heap" --base "$tmp/fewer.heap" \
  "$sampled.gcc-O2.heap"
expect_match out '^before .*quickstart\.gcc-O2\.heap and 1 more'
expect_match out ' MiB live, mean of 2 dumps; one sample per 4 KiB$'
read -r mean_shown _ before_shown _ < <(grep 'total$' "$tmp/out")
expect_near "mean of the first side" "$mean" "$mean_shown"
expect_near "second side" "$before" "$before_shown"

# What only jeprof's table can show, and whatever is not a terminal.
for option in --show_bytes --lines --drop_negative; do
  compare 80 "$option" --base "$first" "$grown"
  expect_match out '^Total: '
done
run --text --base "$first" "$grown"
expect_match out '^Total: 4\.0 MB$'
compare 80 -o "$tmp/file" --base "$first" "$grown"
run --base "$first" "$grown"
expect_same file out
