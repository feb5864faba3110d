#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What filters keep, in every output, and what the message says was removed.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
readonly shared=$dumps/shared_main.gcc-O2.heap

# filtered ARGUMENT...: a text report in bytes.
filtered() {
  run --text --show_bytes "$@"
  expect_status 0
}

# The rows and what the message says was removed add up to the total.
filtered "$dump"
all=$(total)
filtered --ignore=HoldRecursive "$dump"
expect_equal "total" "$all" "$(total)"
left=$(sum_rows 1 '.*')
expect_match err "^heapprof: --ignore=HoldRecursive removed 3 of [0-9]+ stacks \
with $((all - left)) B \([0-9.]+%\)$"
filtered --focus=HoldRecursive "$dump"
expect_equal "what the opposite leaves" $((all - left)) "$(sum_rows 1 '.*')"

# One line for all filters.
filtered --focus=demo:: --exclude=main --ignore=nothing_like_it "$dump"
readonly removed='removed [0-9]+ of [0-9]+ stacks with [0-9]+ B \([0-9.]+%\)'
expect_match err "^heapprof: --exclude=main cut frames from [0-9]+ stacks; \
--focus=demo:: $removed; --ignore=nothing_like_it changed nothing$"
filtered --quiet --focus=demo:: "$dump"
expect_empty err

# A message says which filter left the report empty.
filtered --focus=demo:: --ignore=main "$dump"
expect_equal "report" "Total: $all B" "$(cat "$tmp/out")"
expect_match err \
  "--focus=demo:: $removed; --ignore=main $removed, which leaves nothing to show$"

# Own code holds what is allocated for it.
filtered --own='^shop::' "$shared"
expect_no_match out '^ *[1-9][0-9]* .* std::'
owned=$(sum_rows 1 'shop::.*')
expect_equal "outside your code" "$(($(total) - owned))" "$(sum_rows 1 '\[outside your code\]')"
expect_match err '^heapprof: --own=.* left [0-9]+ stacks? as \[outside your code\]$'
filtered --own=/shared_main --cum "$shared"
expect_match out ' \[outside your code\]$'

# Only stacks with frames of a library.
filtered --module='/libshared_lib\.so$' "$shared"
expect_match out ' shop::HoldInLibrary'
expect_match err '--module=.* removed [0-9]+ of [0-9]+ stacks'
filtered --modules --module='libshared_lib' "$shared"
expect_equal "stacks that reach the library" "$(sum_rows 1 '.*')" \
  "$(sum_rows 4 '/[^ ]*/libshared_lib[.]so')"

# Inlined calls belong to their function.
filtered "$dump"
held=$(sum_rows 1 'demo::Inner \(inline\)')
filtered --no-inlines "$dump"
expect_match err '^heapprof: --no-inlines cut frames from [1-9][0-9]* stacks$'
expect_no_match out '\(inline\)'
expect_flat demo::HoldChain "$held"
cp "$tmp/out" "$tmp/no-inlines"
filtered -noinlines "$dump"
expect_same no-inlines out

# Patterns do not match the allocator's frames, which reports leave out.
readonly static=$dumps/inlining.gcc-O2-static.heap
filtered --allocator-frames --focus='^prof_backtrace_impl$' "$static"
expect_flat prof_backtrace_impl "$(total)"
filtered --focus='^prof_backtrace_impl$' "$static"
expect_match err 'leaves nothing to show$'

# In every output.
run --collapsed --focus=HoldRecursive "$dump"
expect_no_match out 'HoldChain'
expect_equal "sum of the stacks" "$((all - left))" \
  "$(awk '{ sum += $NF } END { print sum }' "$tmp/out")"
run --raw --focus=HoldRecursive "$dump"
expect_match out 'HoldRecursive'
expect_no_match out 'HoldChain'
run --dot --show_bytes --focus=HoldRecursive "$dump"
expect_match out 'HoldRecursive'
expect_no_match out 'HoldChain'
run --proto --focus=HoldRecursive -o "$tmp/focus.pb" "$dump"
cp "$tmp/focus.pb" "$tmp/out"
LC_ALL=C grep -aq 'HoldRecursive' "$tmp/out" || fail pprof HoldRecursive none
! LC_ALL=C grep -aq 'HoldChain' "$tmp/out" || fail pprof "nothing else" HoldChain

# Filters apply to both sides: the difference of two filtered dumps equals the
# filtered difference.
readonly base=$dumps/growth.first.heap grown=$dumps/growth.grown.heap
filtered --focus=demo::Grow --base "$base" "$grown"
difference=$(sum_rows 1 '.*')
filtered --focus=demo::Grow "$grown"
now=$(sum_rows 1 '.*')
filtered --focus=demo::Grow "$base"
expect_equal "difference" $((now - $(sum_rows 1 '.*'))) "$difference"
[[ $difference -gt 0 ]] || fail "difference" "growth" "$difference"
run --focus=demo::Grow --base "$base" -o "$tmp/base.pb" -o "$tmp/base.txt" \
  "$grown"
expect_status 0
expect_equal "lines about the filter" 1 "$(grep -c demo::Grow "$tmp/err")"
expect_match err '^heapprof: --focus=demo::Grow affected only 2 stacks without a difference$'
# Own code of both sides, too.
filtered --own=demo::Grow "$grown"
now=$(sum_rows 1 '.*Grow')
filtered --own=demo::Grow "$base"
before=$(sum_rows 1 '.*Grow')
filtered --own=demo::Grow --base "$base" "$grown"
expect_flat 'demo::Grow' $((now - before))

# Wrong patterns end the run before anything is read.
for option in focus ignore retain exclude module show_from prune_from own; do
  run --$option='a(b' "$tmp/no-such-file"
  expect_status 2
  expect_match err "^heapprof: error: --$option=a\(b: missing closing parenth"
done
run --text --ignore='^(.|..)+[^\s\S]' "$dump"
expect_status 2
expect_empty out
expect_match err 'error: --ignore=.* takes too long to match '
