#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Dumps that list their live objects, as ClickHouse's jemalloc writes them, and
# lines of later formats. The lines are added to a real dump by the form that
# the allocator's sources give them.
. "$(dirname "$0")/common.inc"

readonly plain=$E2E/sampled/quickstart.gcc-O2.heap listed=$tmp/listed.heap

# Every second object is five minutes old, the others ten seconds.
awk '
  function list(i) {
    for (i = 0; i < n; ++i)
      printf "  f: %.0f %.0f %.0f 20 1 %s\n", i % 2 ? 300e9 : 10e9, size, size, uid
    n = 0
  }
  /^@/ { list(); in_records = 1 }
  /^$/ || /^MAPPED/ {
    list()
    if (in_records) print "frag_util: 0 9 160 20480 128 1 7 61 7"
    in_records = 0
  }
  { print }
  in_records && $1 == "t*:" { n = $2 + 0; if (n > 0) size = int($3 / n + 0.5) }
  in_records && /^  t[0-9]/ { uid = substr($1, 2); sub(":", "", uid) }
  ' "$plain" >"$listed"
grep -q '^  f: ' "$listed" || fail "$listed" "listed objects" "none"

text "$plain"
all=$(total)
text "$listed"
expect_no_match err 'warning: .*(expected|list)'
difference=$(($(total) - all))
((${difference#-} * 100 < all)) ||
  fail "total with exact sizes" "near $all" "$(total)"
run info "$listed"
expect_match out '^ *objects +sizes and ages known; --min-age 2m shows only old'
expect_match out '^ *slabs +130\.5 KiB free of 140\.0 KiB \(93\.2%\), most for objects of$'

# The old half, in every output and on both sides of a comparison.
text --min-age 2m "$listed"
old=$(total)
((old * 3 > all && old * 3 < 2 * all)) || fail "old objects" "about half" "$old"
expect_match err '^heapprof: .*listed\.heap: --min-age leaves [0-9]+ of [0-9]+ sampled objects$'
text --min-age 1.5h "$listed"
expect_equal "very old objects" "" "$(total)"
run --json --min-age=120s "$listed"
expect_equal "old objects in JSON" "$old" "$(jq .totals.inuse_space.value "$tmp/out")"
run --text --show_bytes --min-age 120s --base "$listed" "$listed"
expect_status 0
expect_empty out
run --text --min-age 2m "$plain"
expect_status 1
expect_match err 'error: .*quickstart.*: --min-age: the file does not say how old'
expect_usage_error "--min-age: expected an age such as 90s, 2m or 1.5h, found '2'" \
  --min-age 2 "$listed"

# None of these lines is damage, whatever a later format adds.
sed 's/^  t\*: .*/&\n  x: 1 2 3/;s/^frag_util: .*/&\narena_util: 7/' "$listed" \
  >"$tmp/later.heap"
run check --max-growth=1B --base "$listed" --new "$tmp/later.heap"
expect_status 0
expect_match err '^heapprof: .*later\.heap: [0-9]+ lines of a kind that heapprof does not know are not used'
expect_no_match err 'warning: .*expected'
text "$tmp/later.heap"
expect_equal "total" "$((all + difference))" "$(total)"
# But a known line that is broken is.
for damage in 's/^  f: \([0-9]*\) .*/  f: \1 12/' 's/^\(frag_util: 0 9 \)160/\10/' \
  's/^\(  t\*: [0-9]*\):/\1/'; do
  sed "$damage" "$listed" >"$tmp/damaged.heap"
  run check --max-growth=1B --base "$listed" --new "$tmp/damaged.heap"
  expect_status 3
  expect_match err 'warning: .*damaged\.heap:[0-9]+: expected'
done

# The dump with its names says the same.
run --raw -o "$tmp/listed.raw" "$listed"
text "$tmp/listed.raw"
expect_equal "total of --raw" "$((all + difference))" "$(total)"

# The sizes of all objects are known only from the list; both tables add up.
for dump in "$listed" "$plain"; do
  text "$dump"
  all=$(total)
  run --sizes --show_bytes "$dump"
  expect_status 0
  expect_match out '^ +size +held  share +objects  samples  most by$'
  expect_match out '^ +4 KiB +[0-9]+ B +[0-9.]+% +[0-9]+ +[0-9]+  [a-z]'
  sum=$(awk 'NR > 1 { sum += $3 } END { printf "%d", sum }' "$tmp/out")
  difference=$((all - sum))
  [[ ${difference#-} -le $(wc -l <"$tmp/out") ]] || fail "sizes" "$all" "$sum"
done
expect_match err '^heapprof: --sizes: only the mean size of the objects of each'
run --sizes "$listed"
expect_no_match err 'only the mean size'
