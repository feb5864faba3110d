#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The first screen: on a terminal without an option, in a pipe when asked for.
. "$(dirname "$0")/common.inc"

dump=$E2E/sampled/quickstart.gcc-O2.heap

on_terminal "80 rows 24" "$HEAPPROF --quiet $dump"
expect_match out '^demo|^quickstart'
expect_match out '^[0-9.]+ ± [0-9.]+ [KMG]iB live in [0-9]+ objects; one sample per '
expect_match out 'Your code, with libraries it calls$'
expect_match out '^  self  Functions that allocate$'
expect_match out '^Next:  heapprof --callers='
cp "$tmp/out" "$tmp/narrow"
[[ $(wc -l <"$tmp/narrow") -le 24 ]] ||
  fail "lines for a terminal of 24" "at most 24" "$(wc -l <"$tmp/narrow")"

# Notes leave room for the first line, too: also that on names with addresses.
for i in {100..160}; do
  echo "main;f@1b$i ${i}000"
done >"$tmp/tags.folded"
echo "main;g 500" >>"$tmp/tags.folded"
on_terminal "80 rows 24" "cd $tmp; $HEAPPROF --ignore=g tags.folded"
expect_match out 'removed 1 of 62 stacks'
expect_match out 'overloads of one name'
expect_equal "lines with notes for a terminal of 24" 23 "$(wc -l <"$tmp/out")"

on_terminal "200 rows 60" "$HEAPPROF --quiet $dump"
expect_match out 'Your code, with libraries it calls  +self  Functions that allocate$'

# Elsewhere jeprof's table is the default, and the overview has no limits.
run "$dump"
expect_match out '^Total: '
run --overview "$dump"
expect_match out 'Your code, with libraries it calls$'
run --quiet --overview -o "$tmp/file" "$dump"
expect_match file 'Your code, with libraries it calls$'

run --overview --top 1 "$dump"
expect_equal "functions that allocate" 1 "$(
  sed '1,/Functions that allocate/d;/^$/,$d;/ more functions\?$/d' "$tmp/out" |
    wc -l)"
# Of a comparison, it is the head of what a terminal shows.
grown=$dumps/growth.grown.heap
run --overview --base "$dumps/growth.first.heap" "$grown"
expect_match out '^ +before +after +change +share +function'
expect_no_match out ' live '
cp "$tmp/out" "$tmp/piped"
run --overview --top 1 --base "$dumps/growth.first.heap" "$grown"
expect_equal "rows of functions" 1 "$(grep -c '%  demo::\|%  main' "$tmp/out")"
expect_match out '^  \+4\.0 MiB  demo::Grow, growth\.cc:15$'

# It begins with who holds most, through what, for what. What a chain holds are
# the stacks with these calls in this order.
on_terminal "80 rows 24" "$HEAPPROF --quiet $dump"
expect_match out '^  9[0-9.]+%( ±[0-9.]+)?  demo::Worker::Serve → demo::RenderBody, quickstart.cc:[0-9]+$'
for each in "$dump" "$dumps/warehouse.gcc-O2-static.heap" \
  "$dumps/inlining.gcc-O2.heap" "$dumps/rust_alloc.gcc-O2.heap"; do
  [[ -e $each ]] || continue
  run --json --traces --names=short "$each"
  jq -e '.shown.value as $all | .frames as $f
    | [.traces[] | {value, names: ([.frames[] | $f[.].name
        | rtrimstr(" (inline)")] | reverse)}] as $traces
    | .story as $story
    | ($story | length > 0)
      and ([$story[] | select(.part_of == null).held.value] | add) <= $all
      and all(range($story | length); . as $whole
        | [$story[] | select(.part_of == $whole).held.value] | add // 0
        | . <= $story[$whole].held.value)
      and all(.story[]; . as $chain
        | [.frames[].name] as $want
        | ([$traces[]
            | select(reduce .names[] as $name (0;
                if $name == $want[.] then . + 1 else . end) == ($want | length))
            | .value] | add) as $below
        | .held.value >= 0.06 * $all and .held.value <= $below + 1)' \
    "$tmp/out" >"$tmp/jq" || fail "story" "parts of the traces" \
    "$(jq -c .story "$tmp/out") of $each"
done

# A table that was asked for is a table, with a heading on a terminal only.
on_terminal "80 rows 24" "$HEAPPROF --quiet --text $dump"
expect_match out '^Total: '
expect_match out '^    self  share    sum  with callees   function$'
run --text "$dump"
expect_no_match out 'with callees'

# It suggests to follow a function with a name, but not one that holds little.
printf 'app+0x10 1000000\nNamed 300000\n' >"$tmp/large.folded"
run --overview "$tmp/large.folded"
expect_match out '^Next:  heapprof --callers=Named '
printf 'app+0x10 1000000\nNamed 10\n' >"$tmp/small.folded"
run --overview "$tmp/small.folded"
expect_match out "^Next:  heapprof '--callers=app.*0x10' "

# Nothing calls main().
printf 'main 1000000\nmain;Named 300000\n' >"$tmp/large.folded"
run --overview "$tmp/large.folded"
expect_match out '^Next:  heapprof --callers=Named '
for main in main app::main; do
  printf 'domain;%s 1000000\ndomain;%s;Named 10\n' $main $main \
    >"$tmp/main.folded"
  run --overview "$tmp/main.folded"
  expect_match out "^Next:  heapprof '?--callees="
  eval "run $(sed -n "s/^Next:  heapprof //p" "$tmp/out")"
  expect_match out '^Callees of '
  expect_match out "^ 976.6 KiB   100%  $main$"
  expect_no_match out domain
done

# Each command that it suggests works. A line that ends with a backslash
# continues.
sed ':line; /\\$/{N; s/ \\\n */ /; b line}' "$tmp/narrow" |
  sed -n 's/^\(Next: \)\? *heapprof //p' >"$tmp/commands"
expect_equal "suggested commands" 3 "$(wc -l <"$tmp/commands")"
cd "$tmp"
while IFS= read -r line; do
  command_line="heapprof $line"
  status=0
  eval "\"\$HEAPPROF\" $line" >"$tmp/out" 2>"$tmp/err" || status=$?
  expect_status 0
done <"$tmp/commands"
