#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --flamegraph draws the frames that flamegraph.pl draws from our folded stacks,
# and loses nothing: what is too thin is summed up, and the differences of all
# frames add up.
. "$(dirname "$0")/common.inc"

reader=$(dirname "$0")/read_flamegraph.py
flamegraph=$(dpkg -L libdevel-nytprof-perl | grep '/flamegraph\.pl$')

# draw ARGUMENT...: to $tmp/a.flame.svg, whose boxes must be right.
draw() {
  run -o "$tmp/a.flame.svg" "$@"
  expect_status 0
  expect_empty out
  python3 "$reader" check "$tmp/a.flame.svg" >"$tmp/err" 2>&1 ||
    fail "boxes" "in their places" "$(tail -n 1 "$tmp/err")"
}

# compare LEAST DUMP [OPTION]: with what flamegraph.pl draws.
compare() {
  local least=$1
  draw --width=1200 --min-width="$least" "${@:2}"
  run --collapsed "$2"
  perl "$flamegraph" --width=1200 --minwidth="$least" "${@:3}" \
    <"$tmp/out" >"$tmp/theirs.svg" 2>"$tmp/err"
  expect_empty err
  python3 "$reader" compare "$tmp/a.flame.svg" "$tmp/theirs.svg" "$least" \
    >"$tmp/out" 2>"$tmp/err" ||
    fail "frames" "those of flamegraph.pl" "$(tail -n 1 "$tmp/err")"
}

# sums: the numbers of $tmp/a.flame.svg.
sums() {
  read -r now before changes frames folded \
    < <(python3 "$reader" sums "$tmp/a.flame.svg")
}

# many_stacks COUNT PERIOD SEED: a dump whose names are in it.
many_stacks() {
  python3 - "$@" <<'EOF'
import random, sys
count, period, seed = map(int, sys.argv[1:])
tree = random.Random(1)
sizes = random.Random(seed)
print("--- symbol\nbinary=/srv/app")
for f in range(1, 3001):
    print(f"0x{f * 4096:016x} ns{f % 7}::Class{f % 99}<int>::f{f}(char const*)")
print(f"---\n--- heap\nheap_v2/{period}\n  t*: 1: 1 [0: 0]")
stack = []
for _ in range(count):
    del stack[tree.randrange(len(stack) + 1):]
    while len(stack) < 4 or len(stack) < 30 and tree.random() < 0.9:
        stack.append(tree.randrange(1, 3001))
    objects = sizes.randrange(1, 40)
    size = sizes.choice([0, 8, 48, 200, 4096, 70000])
    if size == 0:
        continue
    print("@", *(hex(f * 4096 + 1) for f in reversed(stack)))
    print(f"  t*: {objects}: {objects * size} [0: 0]")
EOF
}

readonly first=$dumps/growth.first.heap grown=$dumps/growth.grown.heap
count=500
[[ -z ${HEAPPROF_FULL-} ]] || count=1500
many_stacks "$count" 65536 1 >"$tmp/many.raw"
many_stacks "$count" 65536 2 >"$tmp/others.raw"

inputs=("$dumps/threads.gcc-O2.heap" "$tmp/many.raw")
[[ -z ${HEAPPROF_FULL-} ]] ||
  inputs+=("$dumps/inlining.gcc-O2.heap" "$dumps/warehouse.gcc-O2-static.heap"
    "$E2E/sampled/quickstart.gcc-O2.heap")
for dump in "${inputs[@]}"; do
  compare 0.5 "$dump"
  compare 0.1 "$dump" --inverted
  compare 0.5 "$dump" --reverse
done

# The totals are those of the other reports.
for dump in "$dumps/inlining.gcc-O2.heap" "$tmp/many.raw"; do
  for metric in inuse_space inuse_objects; do
    draw --$metric "$dump"
    sums
    run --json --$metric "$dump"
    expect_equal "total" "$(jq ".totals.$metric.value" "$tmp/out")" "$now"
    expect_equal "base" 0 "$before"
  done
done

# Comparisons: widths by the new side, and all differences.
for sides in "$first $grown" "$grown $first" "$tmp/many.raw $tmp/others.raw"; do
  read -r old new <<<"$sides"
  draw --base "$old" "$new"
  sums
  run --json --base "$old" "$new"
  change=$(jq '.totals.inuse_space.change.value' "$tmp/out")
  # Each side is cut to a whole number.
  difference=$((changes - change))
  [[ ${difference#-} -le 1 ]] ||
    fail "sum of the differences" "$change" "$changes"
  expect_equal "totals" "$changes" $((now - before))
done

# One side may hold nothing.
sed '/^@/,$d;s/^  t\*: .*/  t*: 0: 0 [0: 0]/' "$tmp/many.raw" >"$tmp/empty.raw"
draw --base "$tmp/many.raw" "$tmp/empty.raw"
sums
expect_equal "what is left" 0 "$now"
expect_equal "what was lost" "-$before" "$changes"
expect_match a.flame.svg '"side":1'

# The same bytes again, on any number of threads.
cp "$tmp/a.flame.svg" "$tmp/once.flame.svg"
for jobs in 1 4; do
  draw --jobs=$jobs --base "$tmp/many.raw" "$tmp/empty.raw"
  expect_same once.flame.svg a.flame.svg
done

# A file has at most about 100 000 frames, and the sum of the others.
if [[ -n ${HEAPPROF_FULL-} ]]; then
  many_stacks 30000 524288 1 >"$tmp/huge.raw"
  draw "$tmp/huge.raw"
  sums
  ((frames < 160000 && folded > 1000)) ||
    fail "frames" "at most 160000, and others" "$frames, $folded others"
  run --json "$tmp/huge.raw"
  expect_equal "total" "$(jq .totals.inuse_space.value "$tmp/out")" "$now"
fi

# Deep stacks are cut to what a browser can show.
python3 - >"$tmp/deep.raw" <<'EOF'
print("--- symbol\nbinary=/app\n0x1000 f\n0x2000 g\n---\n--- heap")
print("heap_v2/1\n  t*: 1: 1 [0: 0]")
print("@", "0x2001 " * 100000 + "0x1001\n  t*: 1: 1000 [0: 0]")
EOF
draw "$tmp/deep.raw"
expect_match a.flame.svg '>99602 deeper frames<'
sums
expect_equal "total" 1000 "$now"

# Names are untrusted.
printf '%s\n' '--- symbol' binary=/bin/a \
  $'0x0000000000401000 </script>]]>"\'&\u202e\x01\xff\xef\xbf\xbe<b>' \
  '---' '--- heap' 'heap profile: 1: 4096 [0: 0] @ heapprofile' \
  '1: 4096 [0: 0] @ 0x401000' >"$tmp/hostile.raw"
draw --title=$'</title><script>\x02' "$tmp/hostile.raw"
expect_equal "scripts" 2 "$(grep -c '</script>$' "$tmp/a.flame.svg")"
expect_no_match a.flame.svg '<b>|</title><script>'
expect_match a.flame.svg '<title>&#60;/title&#62;&#60;script&#62;\?: '

# The options of other outputs and of comparisons.
expect_usage_error '--title works only with --flamegraph' --text --title=x "$grown"
expect_usage_error '--palette does not work with --base' \
  --flamegraph --palette=hot --base "$first" "$grown"
expect_usage_error '--width: expected 100 to 100000, found 5' \
  --flamegraph --width=5 "$grown"
run -o "$tmp/a.svg" --reverse "$grown"
expect_status 2
run --flamegraph --focus=nothing "$grown"
expect_status 1
expect_match err 'nothing to draw'
