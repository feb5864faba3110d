#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The second run on a binary reads its index and gives the same report.
. "$(dirname "$0")/common.inc"

readonly cache=$XDG_CACHE_HOME/heapprof
count() { find "$cache" -type f 2>/dev/null | wc -l; }

# Without a cache, cold, and warm. A pprof profile shows every detail.
inputs=("$dumps"/inlining.{gcc-O2,gcc-O2-static,gcc-O2-debuglink,clang-O2-lld}.heap
  "$dumps"/{threads,shared_main}.*.heap)
[[ -z ${HEAPPROF_FULL-} ]] || inputs=("$dumps"/*.heap)
for dump in "${inputs[@]}"; do
  for kind in none cold warm; do
    options=()
    [[ $kind == none ]] && options=(--no-cache)
    run --proto "${options[@]}" "$dump"
    expect_status 0
    [[ -s $tmp/out ]] || fail "--proto" "a profile" "nothing"
    cp "$tmp/out" "$tmp/out.$kind"
    cp "$tmp/err" "$tmp/err.$kind"
    [[ $kind != none ]] || expect_equal "files with --no-cache" 0 "$(count)"
  done
  for kind in cold warm; do
    expect_same out.none out.$kind
    expect_same err.none err.$kind
  done
  run cache clear
  expect_status 0
  rm -rf "$cache"
done

# The warm runs did use an index. It is written after the report.
readonly dump=$dumps/inlining.gcc-O2.heap
run --verbose --text "$dump"
expect_match err 'inlining: index of [0-9]+ bytes built$'
run --verbose --text "$dump"
expect_no_match err 'index'
built=$(count)
[[ $built -gt 0 ]] || fail "indexes" "some" "$built"
run cache
expect_match out "^$cache: $built index"
expect_match out ' [0-9-]{10} [0-9:]{8} UTC  .*/gcc-O2/inlining$'
run cache list
expect_match out '/gcc-O2/inlining$'

# Debug information is not read again: the debug file may even be gone.
run --text "$bin/gcc-O2-dotdebug/inlining" "$dumps/inlining.gcc-O2-dotdebug.heap"
expect_status 0
cp "$tmp/out" "$tmp/first"
run --text --jobs 1 "$bin/gcc-O2-dotdebug/inlining" \
  "$dumps/inlining.gcc-O2-dotdebug.heap"
expect_same first out

# A changed binary gets its own index, even without a build id.
cp "$bin/gcc-O2/inlining" "$tmp/plain"
objcopy --remove-section=.note.gnu.build-id "$tmp/plain"
for _ in before after; do
  run --verbose --text "$tmp/plain" "$dump"
  expect_match err 'plain: index of [0-9]+ bytes built$'
  printf 'x' >>"$tmp/plain"
done

# Another binary with the same build id and size as an indexed one.
cp "$bin/gcc-O2/inlining" "$tmp/forged"
run --collapsed "$tmp/forged" "$dump"
expect_match out 'Middle'
sed -i 's/Middle/Muddle/g' "$tmp/forged"
expect_equal "size" "$(stat -c %s "$bin/gcc-O2/inlining")" \
  "$(stat -c %s "$tmp/forged")"
expect_equal "build id" "$(readelf -n "$bin/gcc-O2/inlining" | grep Build)" \
  "$(readelf -n "$tmp/forged" | grep Build)"
for kind in built used; do
  run --collapsed --verbose "$tmp/forged" "$dump"
  expect_match out 'Muddle'
  expect_no_match out 'Middle'
  [[ $kind == used ]] || expect_match err 'forged: index of [0-9]+ bytes built$'
done
expect_no_match err 'index'
run --collapsed --verbose "$dump"
expect_match out 'Middle'
expect_no_match err 'index'

# prune removes unusable indexes, clear removes all.
echo damaged >"$cache/0123-4567.idx"
echo half >"$cache/0123-4567.idx.abcdef.tmp"
kept=$(($(count) - 2))
run cache prune
expect_status 0
expect_equal "indexes after prune" "$kept" "$(count)"
run cache prune --cache-size 1KiB
expect_equal "indexes after prune --cache-size" 0 "$(count)"
run --text "$dump"
run cache clear
expect_equal "indexes after clear" 0 "$(count)"

# Another cache directory. A file named "cache" is an input file.
run --cache-dir "$tmp/elsewhere" --text "$dump"
expect_equal "indexes in the usual place" 0 "$(count)"
[[ -n $(find "$tmp/elsewhere" -name '*.idx') ]] ||
  fail "--cache-dir" "an index there" "none"
cp "$dump" "$tmp/cache.heap"
(cd "$tmp" && mv cache.heap ./list && "$HEAPPROF" --no-cache --text ./list) \
  >"$tmp/out" || fail "./list" "a report" "status $?"
run cache grow
expect_status 2
expect_match err 'expected list, prune or clear'
