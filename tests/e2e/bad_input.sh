#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Unusable input: status 1, nothing on stdout, and a message that names the file
# and says what kind of file it is.
. "$(dirname "$0")/common.inc"

# refuse REGEX ARGUMENT...
refuse() {
  local message=$1
  shift
  run --text "$@"
  expect_status 1
  expect_empty out
  expect_match err "$message"
}

: >"$tmp/empty.heap"
refuse 'empty\.heap.*empty' "$tmp/empty.heap"
refuse 'empty\.heap.*empty' "$bin/gcc-O2/inlining" "$tmp/empty.heap"
refuse 'missing\.heap.*No such file' "$tmp/missing.heap"
refuse 'missing.*No such file' "$tmp/missing" "$dumps/growth.first.heap"
refuse 'missing\.heap.*No such file' --base "$tmp/missing.heap" \
  "$dumps/growth.first.heap"

# The message says what kind of file it is instead of a profile.
echo 'int main() {}' >"$tmp/source.cc"
refuse 'source\.cc: a text file, not a profile; expected a heap dump' \
  "$tmp/source.cc"
for packer in gzip zstd xz bzip2; do
  "$packer" -c "$tmp/source.cc" >"$tmp/source.packed"
  refuse "source\.packed: a text file compressed with $packer, not a profile" \
    "$tmp/source.packed"
done
xz -c "$bin/gcc-O2/inlining" >"$tmp/program.xz"
refuse 'program\.xz: an ELF file compressed with xz, not a profile' "$tmp/program.xz"
printf 'SQLite format 3\0abc' >"$tmp/data.db"
refuse 'data\.db: a SQLite database, not a profile' "$tmp/data.db"
head -c 64 "$bin/gcc-O2/inlining" >"$tmp/core"
printf '\4' | dd of="$tmp/core" bs=1 seek=16 conv=notrunc status=none
refuse 'core: a core file, the memory of a process, not a profile' "$tmp/core"

# jeprof would fetch a URL. A file with such a name is read as a file.
for address in localhost:8080/pprof/heap 10.0.0.1:80 '[::1]:6060/debug/x' \
  http://localhost:80/heap HTTPS://host/heap; do
  run "$address"
  expect_status 2
  expect_match err 'fetch the profile first, for example with curl -o server\.hea'
  run --base "$address" "$dumps/growth.first.heap"
  expect_status 2
  expect_match err 'fetch the profile first, for example with curl -o server\.hea'
done
run 'http://host/heap?seconds=1&gc=1'
expect_match err "curl -o server\.heap 'http://host/heap\?seconds=1&gc=1'$"
refuse 'a:b/c.heap: cannot open' "$tmp/a:b/c.heap"
refuse 'file:x: cannot open' "file:x"
refuse 'http: cannot open' "http"
mkdir "$tmp/localhost:8080"
cp "$dumps/growth.first.heap" "$tmp/localhost:8080/heap"
(cd "$tmp" && "$HEAPPROF" --text localhost:8080/heap) >"$tmp/out" 2>"$tmp/err"
expect_match out '^Total: '

# xz and bzip2 dumps are read, and damaged ones as far as they go.
text "$dumps/growth.first.heap"
cp "$tmp/out" "$tmp/plain"
for packer in gzip zstd xz bzip2; do
  "$packer" -c "$dumps/growth.first.heap" >"$tmp/packed"
  text "$tmp/packed"
  expect_same plain out
  head -c 30 "$tmp/packed" >"$tmp/cut"
  refuse "cut: $packer data ends early, at byte 30" "$tmp/cut"
done

# Of a truncated or damaged dump, what is left is reported. If nothing is left,
# the dump is as unusable as any other file.
printf 'heap_v2/4096\n' >"$tmp/nothing.heap"
refuse 'error: .*nothing\.heap: damaged beyond use' "$tmp/nothing.heap"
printf 'heap_v2/4096' >"$tmp/nothing.heap"
refuse 'error: .*nothing\.heap: damaged beyond use' "$tmp/nothing.heap"
printf 'heap_v2/4096\nmore\nfrom elsewhere\n' >"$tmp/nothing.heap"
refuse 'error: .*nothing\.heap: damaged beyond use' "$tmp/nothing.heap"
printf '  t*: 1: 64 [0: 0]\n@ 0xzz\n  t*: 1: 64 [0: 0]\n' >>"$tmp/nothing.heap"
refuse 'error: .*nothing\.heap: damaged beyond use' "$tmp/nothing.heap"
printf '@ 0x10\n  t*: 1: 64 [0: 0]\n' >>"$tmp/nothing.heap"
text "$tmp/nothing.heap"
# It is no damage if nothing was sampled.
printf 'heap_v2/4096\n  t*: 0: 0 [0: 0]\n' >"$tmp/nothing.heap"
run --text "$tmp/nothing.heap"
expect_status 0
rm "$tmp/nothing.heap"

echo '--- contention' >"$tmp/contention"
refuse 'contention' "$tmp/contention"
refuse "$tmp" "$tmp"
