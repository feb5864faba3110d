#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# -o mem.md has the numbers of the other outputs within its budget, and the
# commands of `heapprof help agents` work as printed.
. "$(dirname "$0")/common.inc"

readonly sampled=$E2E/sampled/quickstart.gcc-O2.heap
readonly first=$dumps/growth.first.heap grown=$dumps/growth.grown.heap

run -o "$tmp/mem.md" -o "$tmp/mem.json" "$sampled"
expect_status 0
expect_match mem.md '^# `quickstart`: [0-9.]+ ± [0-9.]+ MiB live$'
expect_match mem.md '^\* \*\*9[0-9.]+%( ±[0-9.]+)?\*\* `demo::Worker::Serve → demo::RenderBody, quickstart.cc:[0-9]+`$'
expect_match mem.md '^\| [0-9.]+ MiB \| 9[0-9.]+% \| 9[0-9.]+% \| 3\.[0-9] KiB \| `demo::RenderBody'
expect_match mem.md "^heapprof --callers=demo::RenderBody $sampled\$"
expect_match mem.md "^heapprof -o mem.html $sampled\$"
expect_no_match mem.md '[?][?]:0'
largest=$(run --traces --top 1 "$sampled"
  awk '$1 ~ /^[0-9.]+$/ { print $1; exit }' "$tmp/out")
expect_match mem.md "^$largest MiB, [0-9.]+%$"

for budget in 1KB 2KB 4KB; do
  run --markdown --budget "$budget" "$sampled"
  expect_status 0
  [[ $(wc -c <"$tmp/out") -le ${budget%KB}000 ]] ||
    fail "bytes" "at most $budget" "$(wc -c <"$tmp/out")"
  expect_match out '^# `quickstart`'
done
run --budget 4KB "$sampled"
expect_status 2

# A difference that was saved is a comparison, too.
run --proto --base "$first" "$grown" -o "$tmp/difference.pb.gz"
for inputs in "--base $first $grown" "$tmp/difference.pb.gz"; do
  # shellcheck disable=SC2086
  run --markdown $inputs
  expect_match out '^# `growth`: 3\.6 MiB → 7\.6 MiB \(\+4\.0 MiB\) live$'
  expect_match out '^\* \*\*\+4\.0 MiB\*\* `demo::Grow, growth\.cc:15`$'
  expect_match out '^\| 3\.0 MiB \| 7\.0 MiB \| \+4\.0 MiB \| `demo::Grow`'
done
expect_match out '^the difference in `.*difference.pb.gz`, '

# Of several snapshots of a process, it is about the last one.
cp "$sampled" "$tmp/app.12.0.i0.heap"
cp "$sampled" "$tmp/app.12.1.i1.heap"
run --markdown --quiet "$tmp/app.12.0.i0.heap" "$tmp/app.12.1.i1.heap"
expect_match out '^the last of 2 dumps \(`.*app.12.0.i0.heap` and 1 more\),'
expect_equal "total of the last one" "$(sed -n 1p "$tmp/mem.md")" \
  "$(sed -n 1p "$tmp/out")"

# What a reader must know is in the file.
sed -n '1p;/^MAPPED/,$p' "$sampled" >"$tmp/empty.heap"
run --markdown "$tmp/empty.heap"
expect_match out '^\* Warning: `the dump holds no samples: '

run help agents
sed -n 's/^  heapprof /heapprof /p' "$tmp/out" |
  sed "s,DUMP DUMP,$first $grown,; s,OLD DUMP,$first $grown,; s,DUMP,$sampled," \
    >"$tmp/commands"
[[ $(wc -l <"$tmp/commands") -ge 9 ]] ||
  fail "commands" "9 or more" "$(cat "$tmp/commands")"
heapprof() { "$HEAPPROF" "$@"; }
while IFS= read -r line; do
  command_line=$line
  status=0
  (set -o pipefail; eval "$line") >"$tmp/out" 2>"$tmp/err" || status=$?
  expected=0
  [[ $line != *"check "* ]] || expected=1
  expect_status "$expected"
  [[ -s $tmp/out ]] || fail "output" "something" "nothing"
done <"$tmp/commands"
