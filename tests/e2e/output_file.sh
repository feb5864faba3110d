#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# -o writes the whole file or leaves everything as it was.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
run --collapsed "$dump"
cp "$tmp/out" "$tmp/expected"

mkdir "$tmp/dir"
run --collapsed -o "$tmp/dir/file" "$dump"
expect_status 0
expect_empty out
expect_same expected dir/file

echo old >"$tmp/dir/file"
run --collapsed -o "$tmp/dir/file" "$tmp/missing.heap"
expect_status 1
# As on a full disk: no file may grow.
status=0
(
  trap '' XFSZ
  ulimit -f 0
  exec "$HEAPPROF" --collapsed -o "$tmp/dir/file" "$dump"
) 2>&1 | cat >"$tmp/err" || status=$?
expect_status 1
expect_match err 'dir/file'
expect_equal "contents" old "$(cat "$tmp/dir/file")"
expect_equal "files" file "$(ls -A "$tmp/dir")"

# Nothing that is read is replaced, by whatever path.
cp "$dump" "$tmp/dir/input.heap"
ln -s input.heap "$tmp/dir/link.heap"
for options in --text "--text --base $dump" "info --text" "trend --text" \
  "check --max-total=1GiB --format=text"; do
  for path in dir/input.heap ./dir/../dir/input.heap dir/link.heap; do
    # shellcheck disable=SC2086
    (cd "$tmp" && "$HEAPPROF" $options -o "$path" dir/input.heap) \
      >"$tmp/out" 2>"$tmp/err" && fail "$options -o $path" "a failure" "status 0"
    expect_match err "error: -o $path: would replace an input; name another file"
    cmp -s "$dump" "$tmp/dir/input.heap" || fail "$path" "kept" "replaced"
  done
done
(cd "$tmp" && "$HEAPPROF" --text -o dir/link.heap --base dir/input.heap "$dump") \
  2>"$tmp/err" && fail "an output on the base" "a failure" "status 0"
expect_match err "error: -o dir/link.heap: would replace an input"

# Nor is a program, which only the memory map of a dump may name.
cp "$bin/gcc-O2/inlining" "$tmp/dir/program"
cp "$dump" "$tmp/dir/program.heap"
run -o "$tmp/dir/program" "$dump"
expect_status 2
expect_match err "error: -o $tmp/dir/program: would replace a program or library;"
run --each -o "$tmp/dir/{name}" "$tmp/dir/program.heap"
expect_status 2
expect_match err 'dir/program: would be replaced by the output for '
cmp -s "$bin/gcc-O2/inlining" "$tmp/dir/program" || fail "program" kept replaced

# refuse_replacing FILE ARGUMENT...: the run fails, and FILE stays as it is.
refuse_replacing() {
  local file=$1
  shift
  cp "$file" "$tmp/before"
  run "$@"
  expect_status 2
  expect_match err 'would replace an input; name another file'
  expect_same before "${file#"$tmp/"}"
}

# Nor is what a folder has, or what explain finds next to a dump.
mkdir "$tmp/folder"
run --proto -o "$tmp/folder/heap.pb.gz" "$dump"
refuse_replacing "$tmp/folder/heap.pb.gz" --label a=b \
  -o "$tmp/folder/heap.pb.gz" "$tmp/folder"
cp "$dump" "$tmp/folder/server.1.0.r0.heap"
refuse_replacing "$tmp/folder/server.1.0.r0.heap" trend --text \
  -o "$tmp/folder/server.1.0.r0.heap" "$tmp/folder"
echo '{}' >"$tmp/folder/server.1.0.r0.stats.json"
refuse_replacing "$tmp/folder/server.1.0.r0.stats.json" explain \
  -o "$tmp/folder/server.1.0.r0.stats.json" "$tmp/folder/server.1.0.r0.heap"
echo '{}' >"$tmp/folder/server.1.0.r0.recent.json"
refuse_replacing "$tmp/folder/server.1.0.r0.recent.json" explain \
  -o "$tmp/folder/server.1.0.r0.recent.json" "$tmp/folder/server.1.0.r0.heap"
run --each -o "$tmp/folder/{name}.stats.json" "$tmp/folder"
expect_status 2
expect_match err 'r0.stats.json: would be replaced by the output for '
expect_equal "stats" '{}' "$(cat "$tmp/folder/server.1.0.r0.stats.json")"
# Nor is a memory map that an option names.
sed -n '/^MAPPED_LIBRARIES:$/,$p' "$dump" | sed 1d >"$tmp/folder/maps.txt"
refuse_replacing "$tmp/folder/maps.txt" --maps "$tmp/folder/maps.txt" \
  -o "$tmp/folder/maps.txt" "$dump"
# A folder of binaries is not where a report takes dumps from.
run --proto -o "$tmp/folder/heap.pb.gz" "$tmp/folder" "$dump"
expect_status 0

# A check that fails would pass when it is repeated.
run check --save-baseline "$tmp/base.pb.gz" --new "$dump"
expect_status 0
refuse_replacing "$tmp/base.pb.gz" check --max-growth=5% --new "$dump" \
  --base "$tmp/base.pb.gz" --save-baseline "$tmp/base.pb.gz"
refuse_replacing "$tmp/dir/input.heap" check --max-total=1GiB \
  --new "$tmp/dir/input.heap" --save-baseline "$tmp/dir/input.heap"

# A name that stands for another format gets what was asked for, with a note.
for options in --json "trend --json" "info --json" \
  "check --max-total=1GiB --format=json"; do
  # shellcheck disable=SC2086
  run $options -o "$tmp/mem.svg" "$dump"
  expect_status 0
  expect_match err 'mem.svg is what --(format )?json writes, though its name st'
done
# A file that is named like the output is one, if it does not exist.
run --flamegraph "$tmp/none.flame.svg" "$dump"
expect_status 1
expect_match err "No such file or directory; -o $tmp/none.flame.svg writes it"

run --collapsed -o "$tmp/nowhere/file" "$dump"
expect_status 1
expect_match err 'nowhere/file.*No such file'
status=0
"$HEAPPROF" --collapsed "$dump" >/dev/full 2>"$tmp/err" || status=$?
expect_status 1
expect_match err 'No space left'
