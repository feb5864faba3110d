#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --html: the file has the stacks of --collapsed and the numbers of --json, for
# each metric, thread and dump, and says the essential without scripts.
. "$(dirname "$0")/common.inc"

reader=$(dirname "$0")/read_html.py
readonly exact=$dumps/inlining.gcc-O2.heap
readonly sampled=$E2E/sampled/quickstart.gcc-O2.heap
readonly threads=$dumps/threads.gcc-O2.heap
readonly first=$dumps/growth.first.heap grown=$dumps/growth.grown.heap

# html ARGUMENT...: writes $tmp/mem.html.
html() {
  run -o "$tmp/mem.html" "$@"
  expect_status 0
  expect_empty out
}

# read_html MODE [NAME]: prints what the report has; it must be valid.
read_html() {
  python3 "$reader" "$1" "$tmp/mem.html" "${@:2}" 2>"$tmp/err" ||
    fail "file" "a valid one" "$(tail -n 1 "$tmp/err")"
}

# same_totals DUMP: of all metrics.
same_totals() {
  run --json "$1"
  expect_equal "totals" \
    "$(jq -r '.totals | to_entries[] | "\(.key) \(.value.value)"' "$tmp/out")" \
    "$(read_html totals)"
}

# same_stacks METRIC ARGUMENT...
same_stacks() {
  read_html folded "$1" | sort >"$tmp/folded"
  run --collapsed "--$1" "${@:2}"
  sort "$tmp/out" >"$tmp/collapsed"
  expect_same collapsed folded
}

# same_table files|modules ARGUMENT...
same_table() {
  read_html table "$1" >"$tmp/of_html"
  run --json "--$1" "${@:2}"
  jq -r '.rows[] | [.flat, .cumulative] as $c
    | (if .flat.change then [$c[].change.value] else [$c[].value] end) as $v
    | select(any($v[]; . != 0)) | "\($v[0]) \($v[1]) \(.name)"' "$tmp/out" |
    sort >"$tmp/of_json"
  expect_same of_json of_html
}

for dump in "$exact" "$sampled"; do
  html "$dump"
  same_totals "$dump"
  for metric in inuse_space inuse_objects alloc_space alloc_objects; do
    same_stacks $metric "$dump"
  done
  same_table files "$dump"
  same_table modules "$dump"
done
read_html bounds modules | sort >"$tmp/of_html"
run --json --modules "$sampled"
jq -r '.shown.value as $all | .rows[]
  | select(.cumulative.value >= 0.001 * $all and .cumulative.interval)
  | "\(.cumulative.interval.lower) \(.cumulative.interval.upper) \(.name)"' \
  "$tmp/out" | sort >"$tmp/of_json"
expect_same of_json of_html
[[ -s $tmp/of_html ]] || fail "bounds" "some" "none"

# A function has the sums of the stacks that end in it, and of all with it.
read_html table functions >"$tmp/of_html"
run --collapsed "$sampled"
awk '{
    bytes = $NF
    sub(/ [0-9]+$/, "")
    count = split($0, names, ";")
    self[names[count]] += bytes
    split("", seen)
    for (i = 1; i <= count; ++i)
      if (!seen[names[i]]++) total[names[i]] += bytes
  }
  END { for (name in total) print self[name] + 0, total[name], name }' \
  "$tmp/out" | sort >"$tmp/of_stacks"
# The stacks of --collapsed are rounded one by one.
python3 - "$tmp/of_stacks" "$tmp/of_html" <<'EOF' || fail "functions" equal "-"
import sys
tables = []
for path in sys.argv[1:]:
    rows = (line.split(" ", 2) for line in open(path))
    tables.append({name: (int(a), int(b)) for a, b, name in rows})
ours, theirs = tables
assert ours.keys() == theirs.keys()
for name, values in ours.items():
    assert all(abs(a - b) < 100 for a, b in zip(values, theirs[name])), name
EOF

# Frames that are too narrow show the names of --names=short.
run --collapsed --names=short --alloc_space "$sampled"
sed 's/ [0-9]*$//' "$tmp/out" | tr ';' '\n' | LC_ALL=C sort -u >"$tmp/short"
read_html short >"$tmp/of_html"
expect_same short of_html

# The overview has the numbers of --json, in words.
same_overview() {
  html "$1"
  run --json --own=auto "$1"
  cp "$tmp/out" "$tmp/own.json"
  run --json "$1"
  python3 "$(dirname "$0")/html_overview.py" "$tmp/mem.html" "$tmp/out" \
    "$tmp/own.json" 2>"$tmp/err" ||
    fail "overview" "the numbers of --json" "$(cat "$tmp/err")"
}
# 2.25 KiB and 6.25 %: in the middle between two numbers with one decimal.
{
  printf 'heap_v2/1\n  t*: 2: 36864 [0: 0]\n  t0: 2: 36864 [0: 0] main\n'
  for bytes in 2304 34560; do
    printf '@ %#x\n' $((0x400000 + bytes))
    printf "  %s: 1: $bytes [0: 0]\n" 't*' t0
  done
  printf '\nMAPPED_LIBRARIES:\n00400000-00500000 r-xp 0 08:01 1 /bin/none\n'
} >"$tmp/middle.heap"
same_overview "$tmp/middle.heap"
same_overview "$sampled"
same_overview "$threads"
same_overview "$exact"

# Without scripts.
html "$sampled"
read_html text >"$tmp/text"
run --json --names=full --cum --top=1 "$sampled"
name=$(jq -r '.rows[0].name' "$tmp/out")
grep -qF "$name" "$tmp/text" || fail "functions" "$name" "none"
expect_match text '[0-9.]+ ± [0-9.]+ [MK]iB live'

# The file says what was left out, and what is doubtful, as stderr does.
html --focus=Grow --base "$first" "$sampled"
read_html text >"$tmp/text"
expect_match text 'Filters--focus=Grow\. They leave 3\.0 MiB → 0 B of 3\.6 MiB → [0-9.]+ MiB\.$'
expect_match text 'Warningthe sampling periods differ: '
# Cut in the values of the last record: if a dump ends with a line of its memory
# map, nothing shows that it was cut.
value=$(grep -b '^  t\*:' "$sampled" | tail -n 1)
head -c $((${value%%:*} + 7)) "$sampled" >"$tmp/cut.heap"
html "$tmp/cut.heap"
read_html text >"$tmp/text"
expect_match text "Warning.*$tmp/cut.heap"
printf 'heap_v2/524288\n  t*: 0: 0 [0: 0]\n' >"$tmp/empty.heap"
html "$tmp/empty.heap"
read_html text >"$tmp/text"
expect_match text 'Warningthe dump holds no samples: '

# A profile with negative values has two sides, in all parts of the file.
printf '%s\n' '--- symbol' 'binary=/bin/a' '0x0000000000001000 f' \
  '0x0000000000002000 g' '---' '--- heap' \
  'heap profile: 0: 0 [0: 0] @ heapprofile' '1: 3000 [0: 0] @ 0x1000' \
  '-1: -5000 [0: 0] @ 0x2000' >"$tmp/negative.raw"
html "$tmp/negative.raw"
expect_equal "totals" "inuse_space 3000 5000" \
  "$(read_html totals | head -n 1)"
expect_equal "functions" $'-5000 -5000 g\n3000 3000 f' \
  "$(read_html table functions)"
read_html text >"$tmp/text"
expect_match text '^4.9 KiB0-4.9 KiB4.9 KiB0-4.9 KiBg$'

# Threads and several dumps.
for dump in "$threads" "$sampled"; do
  html "$dump"
  for metric in inuse_space inuse_objects alloc_space; do
    run --json "--$metric" "$dump"
    jq -r '.threads | sort_by(.uid)[] | "\(.held.value) \(.uid) \(.name)" +
      (.held.interval // {} | map(numbers | " \(.)")[:2] | add // "")' \
      "$tmp/out" >"$tmp/of_json"
    read_html threads "$metric" >"$tmp/of_html"
    expect_same of_json of_html
  done
done
# In a baseline, and if the sum is 0, stacks of threads are no others' stacks.
run check --max-total=1GiB --save-baseline "$tmp/base.pb.gz" \
  --new "$sampled" "$sampled"
sed -E '/^@/,$ s/^  t\*: .*/  t*: 0: 0 [0: 0]/' "$threads" >"$tmp/zero.heap"
for dump in "$tmp/base.pb.gz" "$tmp/zero.heap"; do
  html "$dump"
  run --json "$dump"
  jq -r '.threads | sort_by(.uid)[] | "\(.held.value) \(.uid) \(.name)" +
    (.held.interval // {} | map(numbers | " \(.)")[:2] | add // "")' \
    "$tmp/out" | LC_ALL=C sort >"$tmp/of_json"
  read_html threads inuse_space | LC_ALL=C sort >"$tmp/of_html"
  expect_same of_json of_html
  grep -qE '^[1-9]' "$tmp/of_html" || fail "threads" "values" "none"
done

# A dump has its path if it shares its name with another one.
html "$first" "$grown" "$first"
for dump in "$first" "$grown" "$first"; do
  run --json "$dump"
  [[ $dump == "$first" ]] || dump=${dump##*/}
  jq -r --arg name "$dump" '"\(.shown.value) \($name)"' "$tmp/out"
done >"$tmp/of_json"
read_html dumps inuse_space >"$tmp/of_html"
expect_same of_json of_html

# Comparisons.
for both in "$first $grown" "$grown $first" "$exact $sampled"; do
  read -r base new <<<"$both"
  html --base "$base" "$new"
  read_html totals >/dev/null
  read_html folded inuse_space | sort >"$tmp/folded"
  run --collapsed --two-column --base "$base" "$new"
  sort "$tmp/out" >"$tmp/collapsed"
  expect_same collapsed folded
  same_table modules --base "$base" "$new"
done

# Sources on request.
html --html-source "$exact"
read_html source 'demo::Inner(int)' >"$tmp/source"
line=$(grep -n 'Inner(int' "$PROGRAMS/inlining.cc" | head -n 1)
expect_match source " ${line%%:*} .*Inner\(int"
expect_equal "value of the lines" 131072 \
  "$(awk '{ sum += $1 } END { print sum }' "$tmp/source")"
html "$exact"
[[ -z $(read_html source 'demo::Inner(int)') ]] || fail "source" none some
expect_usage_error '^heapprof: error: --html-source works only with --html' \
  --html-source "$exact"

# A note names ten of the files whose code is in the page; the page names all.
for i in {10..21}; do
  echo "int f$i;" >"$tmp/file$i.c"
  printf '#line 1 "%s"\n__attribute__((noinline)) void f%d(void) {}\n' \
    "$tmp/file$i.c" "$i"
done >"$tmp/files.c"
{
  printf 'int main(void) { '
  printf 'f%d(); ' {10..21}
  echo '}'
} >>"$tmp/files.c"
gcc -g -no-pie -o "$tmp/files" "$tmp/files.c"
{
  printf 'heap_v2/1\n  t*: 12: 49152 [0: 0]\n'
  nm "$tmp/files" | while read -r address _ name; do
    [[ $name != f1[0-9] && $name != f2[0-9] ]] ||
      printf '@ %#x\n  t*: 1: 4096 [0: 0]\n' $((16#$address + 1))
  done
  printf '\nMAPPED_LIBRARIES:\n400000-405000 r-xp 00000000 fe:00 7 %s\n' \
    "$tmp/files"
} >"$tmp/files.heap"
html --force --html-source "$tmp/files.heap"
expect_match err "source code of $tmp/file10.c, .*, $tmp/file19.c and 2 more files; it lists them all"
expect_match mem.html "Contains code of</dt><dd>$tmp/file10.c, .*$tmp/file21.c</dd>"

# The bytes depend on nothing but the input.
for jobs in 1 2; do
  html --jobs=$jobs "$sampled"
  mv "$tmp/mem.html" "$tmp/mem.$jobs"
done
expect_same mem.1 mem.2

# Names are untrusted, and a profile may be empty.
printf '%s\n' '--- symbol' 'binary=/bin/<b>' \
  $'0x0000000000401000 </script><img src=x onerror=alert(1)>"\'&;\xe2\x80\xae\x01\xff' \
  '---' '--- heap' 'heap profile: 1: 4096 [0: 0] @ heapprofile' \
  '1: 4096 [0: 0] @ 0x401000' >"$tmp/<i>hostile.raw"
html "$tmp/<i>hostile.raw"
expect_equal "name" "</script><img src=x onerror=alert(1)>\"'&:??? 4096" \
  "$(read_html folded inuse_space)"
read_html text >/dev/null
html --focus=nothing "$exact"
expect_equal "total" "inuse_space 0" "$(read_html totals | head -n 1)"
