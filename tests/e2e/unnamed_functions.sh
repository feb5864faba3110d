#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A stripped program has a row for each function, as the program before it was
# stripped. .eh_frame tells where functions begin.
. "$(dirname "$0")/common.inc"

# flat_rows: name and flat value of the rows in $tmp/out. Instances of a template
# are one row if they have names.
flat_rows() {
  awk '$1 != "Total:" { value = $1; $1 = $2 = $3 = $4 = $5 = ""; $0 = $0
         $1 = $1; sum[$0] += value }
       END { for (name in sum) print name, sum[name] }' "$tmp/out" | sort
}

# give_names BINARY: replaces addresses in $tmp/out by the names of BINARY's
# symbols that begin exactly there.
give_names() {
  nm --defined-only "$1" | sed 's/^0*//' >"$tmp/symbols"
  cp "$tmp/out" "$tmp/unnamed"
  local address
  while read -r address; do
    grep -q "^$address [TtWw] " "$tmp/symbols" ||
      fail "$1" "a function that begins at 0x$address" "none"
    run --symbols "$1" <<<"0x$address"
    sed -i "s/inlining+0x$address\$/$(cat "$tmp/out")/" "$tmp/unnamed"
  done < <(sed -n 's/.* inlining+0x//p' "$tmp/unnamed")
  cp "$tmp/unnamed" "$tmp/out"
}

mkdir "$tmp/stripped"
for variant in gcc-O2 gcc-O2-nopie gcc-O2-static clang-O2 clang-O2-lld; do
  binary=$bin/$variant/inlining
  dump=$dumps/inlining.$variant.heap
  # Without names, an allocator in the program is not recognized.
  options=(--no-inlines)
  [[ $variant != *-static ]] || options+=(--allocator-frames)
  text "${options[@]}" "$binary" "$dump"
  flat_rows >"$tmp/expected"
  strip -o "$tmp/stripped/inlining" "$binary"
  text "${options[@]}" "$tmp/stripped/inlining" "$dump"
  expect_no_match out 'demo::'
  give_names "$binary"
  flat_rows >"$tmp/found"
  expect_same expected found
done

# Where addresses are shown, they are those of the calls.
run --text --addresses "$tmp/stripped/inlining" "$dump"
calls=$(grep -cE ' [0-9a-f]{16} inlining\+0x' "$tmp/out")
functions=$(grep -o 'inlining+0x[0-9a-f]*' "$tmp/out" | sort -u | wc -l)
((calls > functions)) || fail "calls of $functions functions" "more" "$calls"

# The story is that of the program with names.
story() {
  run --json "$1" "$dumps/threads.gcc-O2.heap"
  python3 -c 'import json, sys
for chain in json.load(sys.stdin)["story"]:
    frames = [frame["name"] for frame in chain["frames"]]
    print(round(chain["share"], 3), *frames)' <"$tmp/out"
}
strip -o "$tmp/threads" "$bin/gcc-O2/threads"
story "$bin/gcc-O2/threads" >"$tmp/expected"
story "$tmp/threads" >"$tmp/found"
while read -r name; do
  run --symbols "$bin/gcc-O2/threads" <<<"${name#*+}"
  sed -i "s/$name\b/$(cat "$tmp/out")/" "$tmp/found"
done < <(grep -o 'threads+0x[0-9a-f]*' "$tmp/found")
expect_match expected '^0\.[0-9]+ demo::'
expect_same expected found

# Symbolized profiles keep the functions. Those that were written without the
# program have addresses, and get functions from it.
g++ -std=c++17 -O2 -s -pthread -o "$tmp/inlining" "$PROGRAMS/inlining.cc"
LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_final:true,\
lg_prof_sample:0,prof_prefix:$tmp/app" "$tmp/inlining"
dump=$(echo "$tmp"/app.*.f.heap)
text "$dump"
cp "$tmp/out" "$tmp/with"
run --proto -o "$tmp/with.pb" "$dump"
run --raw -o "$tmp/with.raw" "$dump"
run index --allow-stripped "$tmp/inlining" -o "$tmp/indexes"
mv "$tmp/inlining" "$tmp/away"
text "$tmp/with.pb"
expect_same with out
text "$tmp/with.raw"
expect_same with out
text "$dump"
(($(grep -c 'inlining+0x' "$tmp/out") > $(grep -c 'inlining+0x' "$tmp/with"))) ||
  fail "rows without the program" "more" "$(cat "$tmp/with")"
text --index-dir "$tmp/indexes" "$dump"
expect_same with out
run --proto -o "$tmp/without.pb" "$dump"
mv "$tmp/away" "$tmp/inlining"
text "$tmp/without.pb"
expect_same with out

# All functions of other machines and linkers, by readelf.
for target in x86_64 aarch64 i386; do
  clang++-19 --target=$target-linux-gnu -O1 -fPIC -shared -nostdlib -x c \
    -fuse-ld=lld -fasynchronous-unwind-tables -s -o "$tmp/$target.so" \
    "$E2E_SOURCES/../elf/fixtures/plt.c"
done
python3 -B "$E2E_SOURCES/unwind_starts.py" "$HEAPPROF" "$tmp"/*.so \
  "$tmp/inlining" ||
  fail "functions" "those of readelf" "others"
