#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Whatever is wrong with the cache, the report is right, and at most one line
# mentions the problem.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
readonly cache=$XDG_CACHE_HOME/heapprof
run --no-cache --text "$dump"
expect_status 0
cp "$tmp/out" "$tmp/out.right"
cp "$tmp/err" "$tmp/err.right"

# expect_right LINES: the report is as without a cache, with at most LINES more
# on standard error.
expect_right() {
  expect_status 0
  expect_same out.right out
  local more
  more=$(($(wc -l <"$tmp/err") - $(wc -l <"$tmp/err.right")))
  [[ $more -ge 0 && $more -le $1 ]] ||
    fail "lines on stderr" "$1 more than without a cache" "$more"
}

# No home.
command_line="env -u HOME heapprof"
status=0
env -u HOME -u XDG_CACHE_HOME "$HEAPPROF" --text "$dump" \
  >"$tmp/out" 2>"$tmp/err" || status=$?
expect_right 0

# Not a directory; a directory in which none can be made.
echo file >"$tmp/file"
for place in "$tmp/file" "$tmp/file/below" /dev/null/cache /proc/cache; do
  run --cache-dir "$place" --text "$dump"
  expect_right 1
  expect_match err 'warning: .*(file|null|proc)'
  run --cache-dir "$place" --quiet --text "$dump"
  expect_empty err
  run cache --cache-dir "$place"
  [[ $place == /proc/cache || $status == 1 ]] ||
    fail "status of cache" 1 "$status"
done

# Damaged indexes: cut off, overwritten, or of another file.
run --text "$dump"
expect_right 0
index=$(find "$cache" -name '*.idx' | sort | head -n 1)
cp "$index" "$tmp/index"
for size in 0 1 20 100 1000; do
  head -c $size "$tmp/index" >"$index"
  run --text "$dump"
  expect_right 1
  cmp -s "$index" "$tmp/index" || fail "damaged index" "replaced" "$size bytes"
done
printf 'xxxx' | dd of="$index" bs=1 seek=500 conv=notrunc status=none
run --text "$dump"
expect_right 1
run --text "$dump"
expect_right 0

# As on a full disk: no file may become longer than 1 KiB.
rm -rf "$cache"
command_line="ulimit -f 1; heapprof"
status=0
report=$(
  trap '' XFSZ
  ulimit -f 1
  exec "$HEAPPROF" --text "$dump" 2>"$tmp/err"
) || status=$?
printf '%s\n' "$report" >"$tmp/out"
expect_right 1
expect_match err 'warning: .*File too large'
expect_equal "files of an index that did not fit" 0 \
  "$(find "$cache" -type f | wc -l)"

# A user without a home, as in many containers.
XDG_CACHE_HOME=/proc/none run --text "$dump"
expect_right 1
expect_match err 'no index for later runs: /proc/none.*; --cache-dir names another'

if [[ $(id -u) == 0 ]]; then
  # Another user's directory.
  rm -rf "$cache"
  mkdir "$cache"
  chown 12345 "$cache"
  run --text "$dump"
  expect_right 1
  expect_match err "belongs to another user"
  expect_equal "files in another user's cache" 0 "$(find "$cache" -type f | wc -l)"
else
  # A directory that is read only.
  rm -rf "$cache"
  mkdir "$cache"
  chmod 500 "$cache"
  run --text "$dump"
  expect_right 1
  expect_match err 'Permission denied'
  chmod 700 "$cache"
fi
