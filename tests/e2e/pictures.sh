#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Graphviz draws every call graph, and other programs read the pictures.
. "$(dirname "$0")/common.inc"

# Lines of FILE in $tmp that match REGEX.
count() {
  grep -cE -e "$2" "$tmp/$1" || true
}

for dump in "$dumps"/*.heap "$E2E"/sampled/*.heap; do
  run -o "$tmp/graph.dot" -o "$tmp/graph.svg" "$dump"
  expect_status 0
  # The legend is a node, too.
  expect_equal "nodes of ${dump##*/}" \
    "$(($(count graph.dot '^N[0-9]+ \[') + 1))" \
    "$(count graph.svg 'class="node"')"
  expect_equal "edges of ${dump##*/}" "$(count graph.dot '^N[0-9]+ -> ')" \
    "$(count graph.svg 'class="edge"')"
done

# The numbers of a picture have the unit that suits the largest one.
run -o "$tmp/graph.dot" -o "$tmp/graph.svg" "$dumps/growth.first.heap"
expect_match graph.dot '^Legend .*Total: [0-9.]+ MB'
expect_match graph.svg '>Total: [0-9.]+ MiB<'
run --focus=Steady -o "$tmp/graph.svg" "$dumps/growth.first.heap"
expect_match graph.svg '>Shown: [0-9.]+ KiB<'

# Edges across functions that are left out are dotted, those of inlined calls
# dashed; a recursive call counts once for each stack.
readonly inlining=$dumps/inlining.gcc-O2.heap
run --show_bytes --nodecount=7 -o "$tmp/g.dot" -o "$tmp/g.svg" "$inlining"
expect_match g.dot '" 131072".*style=dotted.*HoldChain -> demo::Inner \(inline\)"'
expect_match g.dot 'Legend.*\\lHidden: [0-9]+ with .*Dotted: across hidden ones'
expect_match g.svg 'stroke-dasharray="1,5"'
run --show_bytes -o "$tmp/g.dot" -o "$tmp/g.svg" "$inlining"
expect_no_match g.dot 'dotted'
expect_match g.dot '" 131072".*style=dashed.*HoldChain -> demo::Outer \(inline\)"'
expect_match g.svg 'stroke-dasharray="5,2"'
expect_match g.dot '" 40960".*tooltip="demo::HoldRecursive -> demo::HoldRecursive"'

# A picture shows names unchanged, including brackets.
run --names=full -o "$tmp/g.svg" "$inlining"
python3 - "$tmp/g.svg" >"$tmp/texts" <<'END'
import sys, xml.dom.minidom
for text in xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("text"):
    print(text.firstChild.data)
END
for line in 'Pool<demo::Big>' 'operator()(int)' '{lambda(int)}' \
  'HoldFunction(std::function<void (int)> const&,'; do
  grep -qxF -e "$line" "$tmp/texts" || fail "texts" "$line" "$(cat "$tmp/texts")"
done

# Bytes of $tmp/FILE in hexadecimal.
magic() {
  head -c 4 "$tmp/$1" | od -An -tx1 | tr -d ' \n'
}

# paints PDF: one page, and not a white one.
paints() {
  command_line="pdftoppm $1"
  pdftoppm -r 40 -gray "$tmp/$1" "$tmp/page"
  expect_equal "pages of $1" 1 "$(find "$tmp" -name 'page*' | wc -l)"
  local dark
  dark=$(tail -c +20 "$tmp"/page* | tr -d '\377' | wc -c)
  [[ $dark -gt 500 ]] || fail "$1" "a picture" "$dark dark pixels"
  rm "$tmp"/page*
}

readonly dump=$dumps/growth.grown.heap
for base in "" --base="$dumps/growth.first.heap"; do
  run -o "$tmp/g.pdf" -o "$tmp/g.ps" -o "$tmp/g.png" -o "$tmp/g.gif" \
    ${base:+"$base"} "$dump"
  expect_status 0
  paints g.pdf
  ps2pdf "$tmp/g.ps" "$tmp/from_ps.pdf"
  paints from_ps.pdf
  expect_equal "magic bytes of PNG" 89504e47 "$(magic g.png)"
  expect_equal "magic bytes of GIF" 47494638 "$(magic g.gif)"
  for format in pdf ps png gif; do
    run --$format ${base:+"$base"} "$dump"
    expect_status 0
    cp "$tmp/g.$format" "$tmp/again"
    expect_same again out
  done
done

# Names are untrusted: anybody may have written the file.
cat >"$tmp/hostile.raw" <<'DUMP'
--- symbol
binary=/bin/"];\
0x0000000000401000 a"]; N2 [shape=star label="<b>&lt;&#0;\
0x0000000000402000 -> { } // /* # html
---
--- heap
heap profile: 1: 4096 [0: 0] @ heapprofile
1: 4096 [0: 0] @ 0x401000 0x402001
DUMP
run -o "$tmp/h.dot" -o "$tmp/h.svg" --show_bytes "$tmp/hostile.raw"
expect_status 0
expect_equal "nodes" 3 "$(count h.svg 'class="node"')"
python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' \
  "$tmp/h.svg"

# without_dot ARGUMENT...: as run, where Graphviz is not installed.
without_dot() {
  PATH=$tmp/programs run "$@"
}

mkdir "$tmp/programs" "$tmp/dir"
without_dot -o "$tmp/dir/a.svg" "$dump"
expect_status 1
expect_equal "files" "" "$(ls -A "$tmp/dir")"
expect_equal "message" "heapprof: error: cannot run dot: it is not installed; \
Debian's package is graphviz" "$(cat "$tmp/err")"
without_dot -o "$tmp/dir/a.txt" -o "$tmp/dir/a.pdf" "$dump"
expect_status 1
expect_equal "files" "" "$(ls -A "$tmp/dir")"
without_dot --gif "$dump"
expect_status 1
expect_empty out
without_dot -o "$tmp/dir/a.dot" "$dump"
expect_status 0

printf '#!/bin/sh\necho half; echo broken >&2; exit 3\n' >"$tmp/programs/dot"
chmod +x "$tmp/programs/dot"
without_dot -o "$tmp/dir/a.svg" "$dump"
expect_status 1
expect_match err 'dot failed with status 3: broken$'
expect_equal "files" a.dot "$(ls -A "$tmp/dir")"

run --dot --nodefraction=2 "$dump"
expect_status 1
expect_empty out
expect_match err 'nothing to draw.*--nodefraction'
for viewer in gv evince web; do
  run --$viewer "$dump"
  expect_status 2
  expect_match err 'no viewer.*--svg'
done
