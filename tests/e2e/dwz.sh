#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Debug files as Debian ships them: dwz has moved their common DIEs to another
# file, whose path exists only where the package is installed.
. "$(dirname "$0")/common.inc"

readonly dump=$dumps/inlining.gcc-O2.heap
readonly debug=$tmp/debug
# tree PROGRAM: its debug file, in the tree of build ids.
tree() {
  id=$(readelf --notes "$bin/gcc-O2/$1" | awk '/Build ID:/ { print $3 }')
  file=$debug/.build-id/${id:0:2}/${id:2}.debug
  mkdir -p "$(dirname "$file")"
  cp "$bin/gcc-O2/$1" "$file"
}
mkdir -p "$debug/.dwz"
tree growth
growth=$file
tree inlining
dwz -m "$debug/.dwz/common.debug" -M /usr/lib/debug/.dwz/heapprof/common.debug \
  "$file" "$growth"
for f in "$file" "$growth"; do
  objcopy --only-keep-debug "$f" "$f.new"
  mv "$f.new" "$f"
done
mkdir "$tmp/app"
strip -o "$tmp/app/inlining" "$bin/gcc-O2/inlining"

text "$dump"
cp "$tmp/out" "$tmp/expected"
# same ARGUMENT...: the names are those of the file before dwz.
same() {
  text "$tmp/app/inlining" "$dump" "$@"
  expect_same expected out
  expect_no_match err 'alternate'
}
run --verbose --text "$tmp/app/inlining" "$dump" --debug-dir "$debug"
expect_match err 'app/inlining: index of [0-9]+ bytes built$'
same --debug-dir "$debug"
run --verbose --text "$tmp/app/inlining" "$dump" --debug-dir "$debug"
expect_no_match err index

# By its build id, without its name; or flat in a folder.
id=$(readelf --notes "$debug/.dwz/common.debug" | awk '/Build ID:/ { print $3 }')
mkdir -p "$debug/.build-id/${id:0:2}"
mv "$debug/.dwz/common.debug" "$debug/.build-id/${id:0:2}/${id:2}.debug"
same --debug-dir "$debug"
mkdir "$tmp/flat"
mv "$debug/.build-id/${id:0:2}/${id:2}.debug" "$tmp/flat/common.debug"
same --debug-dir "$debug" --debug-dir "$tmp/flat"

# Where the link says, below another root.
root=$tmp/root
mkdir -p "$root/usr/lib/debug/.dwz/heapprof"
cp -r "$debug/.build-id" "$root/usr/lib/debug/"
cp "$tmp/flat/common.debug" "$root/usr/lib/debug/.dwz/heapprof/"
same --sysroot "$root"

# An unrelated file of that name is not used, and a message says it is missing.
mkdir "$debug/.dwz/heapprof"
cp "$growth" "$debug/.dwz/common.debug"
text "$tmp/app/inlining" "$dump" --debug-dir "$debug"
missing="its alternate debug file /usr/lib/debug/.dwz/heapprof/common.debug \
\\(build id $id\\) is missing; functions described there have no names; give its \
folder with --debug-dir\$"
expect_match err "warning: $tmp/app/inlining: $debug/.*\.debug: $missing"
# If the debug information is in the binary, a message names its path once.
cp "$bin/gcc-O2/inlining" "$tmp/app/whole"
cp "$bin/gcc-O2/growth" "$tmp/app/other"
dwz -m "$tmp/flat/whole.debug" -M /nowhere/whole.debug "$tmp/app/whole" \
  "$tmp/app/other"
text "$tmp/app/whole" "$dump"
expect_match err "warning: $tmp/app/whole: its alternate debug file /nowhere/w"

# An index also depends on the alternate file: it is not used without that file,
# and another file with the same build id gets an index of its own.
same --debug-dir "$debug" --debug-dir "$tmp/flat"
text "$tmp/app/inlining" "$dump" --debug-dir "$debug" --verbose
expect_match err 'its alternate debug file .* is missing'
expect_no_match err 'index of'
printf x >>"$tmp/flat/common.debug"
options=(--debug-dir "$debug" --debug-dir "$tmp/flat")
run --verbose --text "$tmp/app/inlining" "$dump" "${options[@]}"
expect_match err 'app/inlining: index of [0-9]+ bytes built$'
for kind in '' --no-cache; do
  run --proto $kind "$tmp/app/inlining" "$dump" "${options[@]}"
  expect_status 0
  cp "$tmp/out" "$tmp/proto$kind"
done
expect_same proto proto--no-cache

# The standard's way to link to the common file, and to tell whether it is the
# right one.
cp "$bin/gcc-O2/inlining" "$tmp/app/standard"
cp "$bin/gcc-O2/growth" "$tmp/app/other"
dwz --dwarf-5 -m "$tmp/app/standard.debug" -M standard.debug \
  "$tmp/app/standard" "$tmp/app/other"
text "$tmp/app/standard" "$dump" --no-cache
expect_same expected out
cp "$growth" "$tmp/app/standard.debug"
text "$tmp/app/standard" "$dump" --no-cache
expect_match err 'its alternate debug file standard.debug .* is missing'
