#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# An index that `heapprof index` has made names the frames of a stripped
# program and of a missing one as its debug information does; but only those of
# the build that ran.
. "$(dirname "$0")/common.inc"

readonly index=$tmp/index
readonly program=$bin/gcc-O2/inlining
readonly dump=$dumps/inlining.gcc-O2.heap

build_id() {
  readelf -n "$1" | sed -n 's/^ *Build ID: //p'
}
# offset_of SECTION FILE: in decimal digits.
offset_of() {
  echo $((16#$(readelf -SW "$2" |
    sed -nE "s/.* \\$1 +[A-Z]+ +[0-9a-f]+ ([0-9a-f]+) .*/\1/p")))
}
# gone DUMP [NAME]: the dump, as of a machine on which the program has another
# path than here.
gone() {
  sed "/\\.so/!s|/[^ ]*/\\([^/ ]*\\)\$|/gone/${2-\\1}|" "$1"
}
# expect_named ARGUMENT...: the report equals $tmp/expected.
expect_named() {
  run --text --lines --show_bytes "$@"
  expect_status 0
  expect_same expected out
}
# expect_nameless ARGUMENT...: no function of the program has its name.
expect_nameless() {
  run --text --lines --show_bytes "$@"
  expect_status 0
  expect_no_match out 'demo::'
  expect_match out ' inlining\+0x[0-9a-f]+'
}
# expect_words REGEX ARGUMENT...: the report, as one line, matches.
expect_words() {
  local words=$1
  shift
  run "$@"
  tr -s ' \n' ' ' <"$tmp/out" >"$tmp/words"
  expect_match words "$words"
}

# The same binary gives the same index, whatever the number of threads.
run index "$program" -o "$index/new"
expect_status 0
name=$(build_id "$program").idx
readonly name
expect_match out "^$name +[0-9.]+ KiB +[0-9.]+ s  inlining\$"
expect_equal "files" "$name" "$(ls -A "$index/new")"
mkdir "$tmp/copies"
cp "$program" "$tmp/copies/inlining"
ln -s inlining "$tmp/copies/link"
run index --jobs 1 "$tmp/copies/link" -o "$tmp/copies"
cmp "$tmp/copies/$name" "$index/new/$name" ||
  fail "an index of a copy" "the same" "another"
touch -d 2001-01-01 "$index/new/$name"
run index "$program" -o "$index/new"
expect_match out "^$name .* as it was  inlining\$"
expect_equal "time of the index" 2001 "$(date -r "$index/new/$name" +%Y)"
readonly new=$index/new

# Of a stripped program and the file that it was before, the index has the name
# of the program. Nor does a report need more than that folder.
mkdir "$tmp/both"
cp "$program" "$tmp/both/a.full"
strip -o "$tmp/both/inlining" "$program"
run index "$tmp/both" -o "$index/both"
expect_status 0
expect_match out "^$name .*  inlining\$"
expect_no_match out 'a\.full'
run --text --lines --show_bytes "$dump"
cp "$tmp/out" "$tmp/expected"
gone "$dump" >"$tmp/gone.heap"
expect_named "$tmp/both" "$tmp/gone.heap"

# A stripped program, at its path or renamed; and no program at all.
for binary in "$program" "$bin/gcc-O2-dotdebug/inlining" \
  "$bin/gcc-O2-nopie/inlining" "$bin/gcc-O2-static/warehouse"; do
  variant=$(basename "$(dirname "$binary")")
  file=$(basename "$binary")
  run index "$binary" -o "$index/$variant"
  expect_status 0
  run --text --lines --show_bytes "$dumps/$file.$variant.heap"
  cp "$tmp/out" "$tmp/expected"
  expect_match expected 'demo::|[A-Z][a-z]+::'
  gone "$dumps/$file.$variant.heap" >"$tmp/gone.heap"
  strip -o "$tmp/stripped" "$binary"
  expect_named --index-dir "$index/$variant" "$tmp/stripped" "$tmp/gone.heap"
  expect_no_match err 'assumed'
  expect_named --index-dir "$index/$variant" --jobs 1 "$tmp/gone.heap"
  expect_match err "^heapprof: warning: $file: assumed to be build [0-9a-f]{12}; see"
done
gone "$dump" >"$tmp/gone.heap"
strip -o "$tmp/stripped" "$program"
run --text --lines --show_bytes "$dump"
cp "$tmp/out" "$tmp/expected"
gone "$dump" server >"$tmp/server.heap"
run --text --lines --show_bytes --index-dir "$new" "$tmp/server.heap"
expect_same out expected
expect_match err '^heapprof: warning: server: assumed to be build [0-9a-f]{12} of inlining; see'
# The index of another program does not name it, and is not asked for again.
run --text --lines --index-dir "$index/gcc-O2-static" "$tmp/server.heap"
expect_no_match out 'demo::'
expect_match err 'server was not found'
expect_words '--index-dir has no index of this build' \
  info --index-dir "$index/gcc-O2-static" "$tmp/server.heap"

# A profile that states the build id needs no assumption.
run --proto --symbol-path /nowhere "$tmp/stripped" "$tmp/gone.heap" -o \
  "$tmp/unnamed.pb.gz"
expect_nameless "$tmp/unnamed.pb.gz"
run --text --lines --show_bytes --index-dir "$new" "$tmp/unnamed.pb.gz"
expect_match out 'demo::'
expect_no_match err 'assumed'

# info and doctor say so.
expect_words 'indexes name the frames of inlining \(build [0-9a-f]{12}\), chosen' \
  info --index-dir "$new" "$tmp/gone.heap"
expect_words 'indexes name the frames of 1 module ' \
  info --index-dir "$new" "$tmp/stripped" "$tmp/gone.heap"
run info --json --index-dir "$new" "$tmp/stripped" "$tmp/gone.heap"
expect_match out "\"index_file\": \"$new/$name\""
expect_words 'lines, from the indexes of 1 module \(1 assumed\)' \
  doctor --index-dir "$new" "$tmp/gone.heap"
expect_words "inlined functions from the index $new/$name" \
  doctor --index-dir "$new" "$tmp/stripped"

# The cache is a folder of indexes, too.
mkdir -p "$XDG_CACHE_HOME/heapprof"
cp "$new/$name" "$XDG_CACHE_HOME/heapprof"
expect_named "$tmp/stripped" "$tmp/gone.heap"
expect_nameless --no-cache "$tmp/stripped" "$tmp/gone.heap"
run cache clear
expect_nameless "$tmp/stripped" "$tmp/gone.heap"

# Another build of the program.
gone "$dumps/inlining.gcc-O0.heap" >"$tmp/old.heap"
expect_nameless --index-dir "$new" "$tmp/old.heap"
expect_words "$name: another build: (only [0-9]+ of|its code has another)" \
  info --verbose --index-dir "$new" "$tmp/old.heap"
# The same build id, but other code.
cp "$tmp/stripped" "$tmp/forged"
printf '\xcc' | dd of="$tmp/forged" bs=1 conv=notrunc status=none \
  seek="$(offset_of .text "$tmp/stripped")"
expect_nameless --index-dir "$new" "$tmp/forged" "$tmp/gone.heap"
expect_match err "$name: made from another file with this build id: the code of"
# Two indexes that fit equally well.
mkdir "$index/two"
cp "$new/$name" "$index/two"
cp "$program" "$tmp/inlining"
# The id follows 16 bytes: two sizes, a type, and "GNU".
printf '\x11' | dd of="$tmp/inlining" bs=1 conv=notrunc status=none \
  seek="$(($(offset_of .note.gnu.build-id "$program") + 16))"
run index "$tmp/inlining" -o "$index/two"
expect_match out "^11${name:2}"
expect_nameless --index-dir "$index/two" "$tmp/gone.heap"
expect_words "$name: fits, but so do 2 indexes" \
  info --verbose --index-dir "$index/two" "$tmp/gone.heap"
expect_named --index-dir "$index/two" "$tmp/stripped" "$tmp/gone.heap"

# What cannot be used is refused in one line, and the file itself is read.
mkdir "$index/bad"
# refuse REGEX: without the program, and with it.
refuse() {
  expect_nameless --no-cache --index-dir "$index/bad" "$tmp/gone.heap"
  expect_match err "^heapprof: warning: $index/bad/$name: $1"
  expect_named --no-cache --index-dir "$index/bad" "$program" "$tmp/gone.heap"
  expect_match err "^heapprof: warning: $index/bad/$name: $1"
  expect_equal "lines about it" 1 "$(grep -c "$name" "$tmp/err")"
}
head -c -1 "$new/$name" >"$index/bad/$name"
refuse 'the index is cut off$'
{ head -c 8 "$new/$name" && printf '\x03' && tail -c +10 "$new/$name"; } \
  >"$index/bad/$name"
refuse 'an index of version 3, expected [0-9]+$'
{ head -c -9 "$new/$name" && printf 'damaged!!'; } >"$index/bad/$name"
refuse 'the index is damaged$'
echo text >"$index/bad/$name"
refuse 'not an index$'
rm "$index/bad/$name"
mkfifo "$index/bad/$name"
refuse 'not a regular file$'
rm "$index/bad/$name"
cp "$index/two/11${name:2}" "$index/bad/$name"
refuse "the index of another build: expected the name 11"
run --text --index-dir /nowhere "$dump"
expect_status 0
expect_match err '^heapprof: warning: --index-dir: /nowhere: not a folder$'

# Binaries that cannot be indexed, and symbols if the user wants them.
objcopy --remove-section=.note.gnu.build-id "$program" "$tmp/no-id"
run index "$tmp/no-id" -o "$index/none"
expect_status 1
expect_match err "^heapprof: error: $tmp/no-id: it has no build id"
# A debug file beside it on the command line.
objcopy --only-keep-debug "$program" "$tmp/program.debug"
run index "$tmp/stripped" "$tmp/program.debug" -o "$index/pair"
expect_status 0
expect_equal "lines" 1 "$(wc -l <"$tmp/out")"
run index "$tmp/program.debug" -o "$index/none"
expect_status 1
strip -g -o "$tmp/symbols" "$program"
run index "$tmp/symbols" -o "$index/none"
expect_status 1
expect_match err 'no debug information for build id .*; --allow-stripped indexes'
# The file is named, even if the message begins with its name.
ln -s symbols "$tmp/no"
(cd "$tmp" && "$HEAPPROF" index no -o "$index/no" >out 2>err) || true
expect_match err '^heapprof: error: no: no debug information for build id'
expect_equal "files" "" "$(ls -A "$index/none")"
run index --allow-stripped "$tmp/symbols" -o "$index/none"
expect_status 0
run --text --index-dir "$index/none" "$tmp/stripped" "$tmp/gone.heap"
expect_match out 'demo::'
expect_named --index-dir "$index/none" "$program" "$tmp/gone.heap"
cp /bin/true "$tmp"
run index --allow-stripped "$tmp/symbols" "$tmp/inlining" "$tmp/no-id" \
  "$tmp/true" -o "$index/many"
expect_status 1
expect_equal "lines" 3 "$(wc -l <"$tmp/out")"
expect_match err "^heapprof: $tmp/no-id: it has no build id"
expect_match err '^heapprof: error: index: 1 of 4 files has no index$'
# Symbols do not replace debug information.
cp "$tmp/symbols" "$tmp/copies/inlining"
run index --allow-stripped "$tmp/copies/inlining" -o "$new"
expect_match out 'as it was'
expect_named --index-dir "$new" "$tmp/gone.heap"

# All files of a dump.
run index --allow-stripped "$dump" -o "$index/all"
expect_status 0
expect_match out "^$name .* inlining\$"
expect_match out ' libjemalloc\.so\.2$'
expect_named --index-dir "$index/all" "$tmp/gone.heap"

# Whole or not at all.
for folder in "$tmp/stripped" /dev/null/x; do
  run index "$program" -o "$folder"
  expect_status 1
  expect_match err 'cannot create the folder'
done
status=0
(ulimit -f 1 && "$HEAPPROF" index "$program" -o "$index/full") \
  >"$tmp/out" 2>"$tmp/err" || status=$?
expect_status 1
expect_equal "files" "" "$(ls -A "$index/full")"
expect_usage_error 'name one folder for the indexes with -o DIR' index "$program"
expect_usage_error 'name binaries, or a dump' index -o "$tmp"
expect_usage_error "does not work|works only" --allow-stripped "$dump"
