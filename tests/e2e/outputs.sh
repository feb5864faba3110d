#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Several outputs of one run equal those of single runs, or none is written.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/growth.grown.heap
readonly base=$dumps/growth.first.heap

# check ARGUMENT...
check() {
  local extension
  for extension in txt collapsed pb.gz; do
    run -o "$tmp/one.$extension" "$@"
    expect_status 0
  done
  run -o "$tmp/two.txt" -o - -o "$tmp/two.pb.gz" --collapsed "$@"
  expect_status 0
  expect_same one.collapsed two.txt
  expect_same one.collapsed out
  expect_same one.pb.gz two.pb.gz
  run -o "$tmp/three.pb.gz" -o "$tmp/three.txt" -o - "$@"
  expect_status 0
  expect_same one.pb.gz three.pb.gz
  expect_same one.txt three.txt
  expect_same one.txt out
}

check "$dump"
# pprof gets both sides of a comparison, the others the difference.
check --base "$base" "$dump"
check --base "$base" --drop_negative "$dump"

# Samples by thread are read only for outputs that need them.
readonly threads=$dumps/threads.gcc-O2.heap
for extension in txt collapsed callgrind dot speedscope.json; do
  run -o "$tmp/alone.$extension" "$threads"
  expect_status 0
  run -o "$tmp/beside.$extension" -o "$tmp/beside.json" "$threads"
  expect_status 0
  expect_same "alone.$extension" "beside.$extension"
done
run --text "$threads"
expect_same alone.txt out
run --text --ci "$threads"
mv "$tmp/out" "$tmp/errors"
run --text --ci -o - -o "$tmp/beside.json" "$threads"
expect_same errors out

mkdir "$tmp/dir"
run -o "$tmp/dir/a.txt" -o "$tmp/dir/a.docx" "$dump"
expect_status 2
expect_match err 'a\.docx'
run -o "$tmp/dir/a.txt" -o "$tmp/dir/a.txt" "$dump"
expect_status 2
expect_match err 'named twice'
expect_equal "files" "" "$(ls -A "$tmp/dir")"
run -o "$tmp/dir/a.txt" -o "$tmp/nowhere/a.txt" "$dump"
expect_status 1
expect_match err 'nowhere/a.txt: cannot write: No such file or directory'
expect_equal "files" "" "$(ls -A "$tmp/dir")"
echo old >"$tmp/dir/a.txt"
run -o "$tmp/dir/a.txt" -o /dev/full -o "$tmp/dir/a.pb.gz" "$dump"
expect_status 1
expect_match err '/dev/full: cannot write: No space left on device'
status=0
"$HEAPPROF" -o "$tmp/dir/a.txt" -o - "$dump" >/dev/full 2>"$tmp/err" ||
  status=$?
expect_status 1
expect_match err 'standard output: cannot write: No space left on device'
expect_equal "files" "a.txt: old" "$(cd "$tmp/dir" && head -n 1 -v -- * |
  sed -n 's/^==> \(.*\) <==/\1:/p; /^old/p' | paste -sd ' ')"

rm "$tmp/dir/a.txt"
for command in trend "check --max-total=1GiB --new"; do
  # shellcheck disable=SC2086
  run $command "$dump" -o "$tmp/dir/a.json" -o "$tmp/nowhere/a.txt"
  expect_status 3
  expect_match err 'nowhere/a.txt: cannot write: No such file or directory'
  expect_equal "files" "" "$(ls -A "$tmp/dir")"
done

# A name that ends with .gz gets what it says.
for name in a.json a.collapsed a.raw; do
  run -o "$tmp/plain.$name" -o "$tmp/packed.$name.gz" "$dump"
  expect_status 0
  gzip -dc "$tmp/packed.$name.gz" >"$tmp/unpacked.$name"
  expect_same "plain.$name" "unpacked.$name"
done
run --ndjson -o "$tmp/rows.gz" "$dump"
gzip -dc "$tmp/rows.gz" | head -n 1 >"$tmp/out"
expect_match out '^[{]'
for command in info "trend --text" "check --max-total=1GiB --new"; do
  # shellcheck disable=SC2086
  run $command "$dump" -o "$tmp/plain.txt"
  # shellcheck disable=SC2086
  run $command "$dump" -o "$tmp/packed.txt.gz"
  expect_status 0
  gzip -dc "$tmp/packed.txt.gz" >"$tmp/unpacked.txt"
  expect_same plain.txt unpacked.txt
done

# An interrupted run leaves no files either.
mkdir "$tmp/programs" "$tmp/interrupted"
printf '#!/bin/sh\n: >%s/started; exec sleep 1\n' "$tmp" >"$tmp/programs/dot"
chmod +x "$tmp/programs/dot"
PATH=$tmp/programs:$PATH "$HEAPPROF" -o "$tmp/interrupted/a.txt" \
  -o "$tmp/interrupted/a.svg" "$dump" &
pid=$!
for ((i = 0; i < 400; ++i)); do
  [[ -e $tmp/started ]] && break
  sleep 0.05
done
kill "$pid"
status=0
wait "$pid" || status=$?
expect_status 143
expect_equal "files" "" "$(ls -A "$tmp/interrupted")"
