#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --speedscope: each file obeys speedscope's format and has the stacks of
# --collapsed and the totals of --json, for each metric and thread.
. "$(dirname "$0")/common.inc"

reader=$(dirname "$0")/read_speedscope.py
readonly exact=$dumps/inlining.gcc-O2.heap
readonly sampled=$E2E/sampled/quickstart.gcc-O2.heap

# speedscope ARGUMENT...: writes $tmp/a.speedscope.json.
speedscope() {
  run -o "$tmp/a.speedscope.json" "$@"
  expect_status 0
  expect_empty out
}

# read_file profiles|folded [NAME]: to $tmp/read; the file must be valid.
read_file() {
  python3 "$reader" "$1" "$tmp/a.speedscope.json" "${@:2}" \
    >"$tmp/read" 2>"$tmp/err" ||
    fail "file" "a valid one" "$(tail -n 1 "$tmp/err")"
}

# profiles ARGUMENT...: as speedscope; the list of the profiles to $tmp/list.
profiles() {
  speedscope "$@"
  read_file profiles
  mv "$tmp/read" "$tmp/list"
}

# same_stacks NAME ARGUMENT...: the profile has the stacks of --collapsed.
same_stacks() {
  read_file folded "$1"
  sort "$tmp/read" >"$tmp/folded"
  run --collapsed "${@:2}"
  sort "$tmp/out" >"$tmp/collapsed"
  expect_same collapsed folded
}

# total NAME: of a profile.
total() {
  sed -nE "s/^([0-9]+) [a-z]+ $1\$/\1/p" "$tmp/list"
}

# same_totals DUMP: of all metrics.
same_totals() {
  profiles "$1"
  run --json "$1"
  expect_equal "totals" \
    "$(jq -r '.totals | to_entries[] | "\(.value.value) \(.key)"' "$tmp/out")" \
    "$(sed -nE 's/^([0-9]+) (bytes|none) /\1 /p' "$tmp/list")"
}

same_totals "$exact"
same_totals "$sampled"
for metric in inuse_space inuse_objects alloc_space alloc_objects; do
  profiles --$metric "$exact"
  shown=$(($(head -n 1 "$tmp/list") + 2))
  expect_match list "^[0-9]+ (bytes|none) $metric\$"
  expect_equal "profile that is shown first" "$metric" \
    "$(sed -n "${shown}s/.* //p" "$tmp/list")"
  same_stacks $metric --$metric "$exact"
done
for option in --lines --files --addresses --modules --names=short \
  --focus=demo --no-inlines; do
  speedscope "$option" "$exact"
  same_stacks inuse_space "$option" "$exact"
done

# Inlined calls are frames; a frame of a function has the place of its
# definition.
speedscope "$exact"
jq -r '.shared.frames[] | "\(.file // "" | sub(".*/"; "")):\(.line) \(.name)"' \
  "$tmp/a.speedscope.json" >"$tmp/frames"
source=$(grep -n 'Inner(int' "$PROGRAMS/inlining.cc" | head -n 1)
expect_match frames "^inlining\.cc:${source%%:*} demo::Inner\(int\)\$"

# What grew and what shrank.
readonly first=$dumps/growth.first.heap grown=$dumps/growth.grown.heap
profiles --base "$first" "$grown"
same_stacks 'inuse_space, grew' --base "$first" "$grown"
grew=$(total 'inuse_space, grew') shrank=$(total 'inuse_space, shrank')
run --json --base "$first" "$grown"
expect_equal "growth" "$((grew - ${shrank:-0}))" \
  "$(jq '.totals.inuse_space.change.value' "$tmp/out")"
profiles --base "$grown" "$first"
expect_equal "what shrank" "$grew" "$(total 'inuse_space, shrank')"

# Threads.
readonly threads=$dumps/threads.gcc-O2.heap
profiles --thread='*' "$threads"
expect_equal "thread" 196608 "$(total 'inuse_space, t3 net:io \[2\]')"
expect_equal "sum of the threads" "$(total inuse_space)" \
  "$(awk '/inuse_space, t/ { sum += $1 } END { print sum }' "$tmp/list")"
profiles --thread=3 "$threads"
expect_equal "thread" 196608 "$(total inuse_space)"

# Names are untrusted, and a profile may be empty.
printf '%s\n' '--- symbol' binary=/bin/a \
  $'0x0000000000401000 </script>"\\;\u202e\x01\xff' \
  '---' '--- heap' 'heap profile: 1: 4096 [0: 0] @ heapprofile' \
  '1: 4096 [0: 0] @ 0x401000' >"$tmp/hostile.raw"
profiles "$tmp/hostile.raw"
expect_equal "total" 4096 "$(total inuse_space)"
profiles --focus=nothing "$exact"
expect_equal "total" 0 "$(total inuse_space)"
