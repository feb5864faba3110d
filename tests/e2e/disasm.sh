#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --disasm shows, beside each line and each call, what the program holds there.
. "$(dirname "$0")/common.inc"

# expect_line FILE PATTERN FLAT CUMULATIVE: the line of testdata/programs/FILE
# that matches PATTERN is shown with these values.
expect_line() {
  local number text
  IFS=: read -r number text < <(grep -nE -m1 -e "$2" "$PROGRAMS/$1") ||
    fail "line of $1" "$2" none
  text=${text#"${text%%[! ]*}"}
  grep -qxF -e "$(printf '%6s %6s %5s: %s' "$3" "$4" "$number" "$text")" \
    "$tmp/out" || fail "line $number of $1" "$3 $4" \
    "$(grep -E " $number: " "$tmp/out" || true)"
}

# expect_call NAME FLAT CUMULATIVE: an instruction with these values calls it.
expect_call() {
  expect_match out "^ *$2 +$3 +[0-9a-f]+: callq? .*<$1>\$"
}

# expect_sums: in each function, the instructions and, where there are lines,
# the lines add up to its flat value; none holds more than it does.
expect_sums() {
  awk '
    function check() {
      if (name == "") return
      if (codes != flat || (has_lines && lines != flat)) {
        print name ": flat " flat ", lines " lines ", instructions " codes
        exit bad = 1
      }
    }
    /^ROUTINE/ {
      check(); name = $0; getline
      flat = $1; cumulative = $2; lines = codes = has_lines = 0
      next
    }
    /^---/ { has_lines = 1; next }
    {
      line = $0
      sub(/^ *[^ ]+ +[^ ]+/, "")
      # Numbers of lines are in five columns, addresses in twelve.
      is_code = index($0, ":") > 8
      split(line, value, " ")
      if (value[1] != ".") { if (is_code) codes += value[1]; else lines += value[1] }
      if (value[2] != "." && value[2] > cumulative + 0) {
        print name ": " line
        exit bad = 1
      }
    }
    END { if (!bad) check(); exit bad }' "$tmp/out" >"$tmp/sums" ||
    fail "sums" "those of the function" "$(cat "$tmp/sums")"
}

for variant in gcc-O0 gcc-O2 gcc-O2-nopie gcc-O2-debuglink clang-O2; do
  run --disasm 'main|demo::|HoldRec' --show_bytes \
    "$dumps/inlining.$variant.heap"
  expect_status 0
  expect_sums
  expect_line inlining.cc 'demo::HoldChain\(8\);' . 131072
  expect_line inlining.cc 'small.Grow\(4\);' . 16384
  expect_line inlining.cc 'big.Grow\(2\);' . 131072
  expect_line inlining.cc 'HoldFunction\(demo::Refill, 5\)' . 40960
  expect_line inlining.cc 'malloc\(16 << 10\)' 131072 131072
  expect_line inlining.cc 'malloc\(32 << 10\)' 98304 98304
  expect_call demo::HoldChain . 131072
  expect_call demo::HoldLambda . 98304
  expect_call 'malloc(@plt)?' 131072 131072
  expect_call 'malloc(@plt)?' 40960 40960
  expect_match out '^ROUTINE =+ main$'
  # A stack counts once, however deep the recursion is.
  expect_equal "total of a recursive function" " 61440  61440 B" \
    "$(grep -A1 'HoldRecursive$' "$tmp/out" | grep -o '^.* B')"
  # Two functions with one short name.
  expect_match out '^ROUTINE =+ demo::Pool<demo::Small>::Grow\(int\)$'
  expect_match out '^ROUTINE =+ demo::Pool<demo::Big>::Grow\(int\)$'
done

# With and without the origins of inlined code.
readonly dump=$dumps/inlining.gcc-O2.heap
line_of() {
  grep -nm1 -e "$1" "$PROGRAMS/inlining.cc" | cut -d: -f1
}
chain="inlining.cc:$(line_of 'Middle.*Inner(count)'), \
from inlining.cc:$(line_of 'Outer.*Middle(count)'), \
from inlining.cc:$(line_of 'HoldChain.*Outer(count)')"
run --disasm '^demo::HoldChain' --show_bytes "$dump"
expect_match out "^-+ .*/inlining.cc \(demo::Inner inlined at $chain\)\$"
run --disasm '^demo::HoldChain' --show_bytes --no-inlines "$dump"
expect_no_match out 'inlined at'
expect_line inlining.cc 'HoldChain.*Outer\(count\)' 131072 131072
run --disasm '^demo::Inner' "$dump"
expect_status 1
expect_match err 'such as demo::Inner\(int\): name those that they are inlined into'

if [[ -f $dumps/rust_alloc.gcc-O2.heap ]]; then
  run --disasm '^rust_alloc::' --show_bytes "$dumps/rust_alloc.gcc-O2.heap"
  expect_sums
  expect_line rust_alloc.rs '    hold_vec\(black_box' . 1048576
  expect_line rust_alloc.rs '    hold_map\(black_box' . 327680
  expect_call rust_alloc::hold_box . 196608
  expect_no_match out '17h[0-9a-f]{16}E'
fi

# Every function, also without debug information; several dumps; a comparison
# of two runs, whose addresses differ; filters and threads.
for variant in gcc-O2 gcc-O2-nodebug; do
  run --disasm . --show_bytes "$dumps/inlining.$variant.heap"
  expect_status 0
  expect_sums
done
run --disasm '^main$' --show_bytes "$dump" "$dump"
expect_call demo::HoldChain . 262144
run --disasm '^main$|Grow' --show_bytes --base "$dumps/growth.first.heap" \
  "$dumps/growth.grown.heap"
expect_sums
expect_call demo::Grow . 4194304
expect_call malloc@plt 4194304 4194304
run --disasm '^main$|Grow' --show_bytes --base "$dumps/growth.grown.heap" \
  "$dumps/growth.first.heap"
expect_call malloc@plt -4194304 -4194304
run --disasm '^main$' --show_bytes --focus=HoldChain "$dump"
expect_match out '^ +0 131072 B \(flat, cumulative\) 100.0% of total$'
run --disasm '^main$' --inuse_objects "$dump"
expect_call demo::HoldChain . 8
run --disasm '^main$' --names full "$dump"
expect_call 'demo::HoldChain\(int\)' . 0.1

# The same with an index and without, on any number of threads, and of a pprof
# profile.
run --disasm 'main|demo::' --no-cache --jobs 1 "$dump"
cp "$tmp/out" "$tmp/without"
run --proto -o "$tmp/heap.pb.gz" "$dump"
for input in "$dump" "$dump" "$tmp/heap.pb.gz"; do
  run --disasm 'main|demo::' --cache-dir "$tmp/indexes" --jobs 4 "$input"
  expect_same without out
done

# Moved sources.
mkdir "$tmp/moved"
sed 's/demo::HoldChain(8);/& \/\/ the moved one/' "$PROGRAMS/inlining.cc" \
  >"$tmp/moved/inlining.cc"
run --disasm '^main$' --source-path "$tmp/moved" "$dump"
expect_match out 'demo::HoldChain\(8\); // the moved one$'
run --disasm '^main$' --path-map "$PROGRAMS=$tmp/moved" "$dump"
expect_match out 'demo::HoldChain\(8\); // the moved one$'

# A program for another machine, by another objdump.
clang-19 --target=aarch64-linux-gnu -g -O2 -ffreestanding -nostdlib -pie \
  -fuse-ld=lld -o "$tmp/server" "$PROGRAMS/freestanding.c"
python3 -B "$(dirname "$0")/foreign_machine.py" "$tmp/server" "$tmp/d.heap" \
  "$tmp/expected"
run --disasm . --show_bytes --tools=objdump:llvm-objdump-19 "$tmp/server" \
  "$tmp/d.heap"
expect_status 0
expect_sums
expect_equal "calls that hold something" \
  "$(grep -c '^@' "$tmp/d.heap")" \
  "$(grep -cE '^ *[0-9]+ +[0-9]+ {4,}[0-9a-f]+: blr? ' "$tmp/out")"

run --disasm 'no such function' "$dump"
expect_status 1
expect_match err 'error: --disasm=no such function matches none of the functions'
run --disasm '(' "$dump"
expect_status 2
run --disasm . "$GOLDEN/ex1.raw"
expect_status 1
expect_match err 'shows the code of binaries, and none with symbols was found'

# without_objdump ARGUMENT...: as run, where binutils are not installed.
mkdir "$tmp/programs" "$tmp/dir"
without_objdump() {
  PATH=$tmp/programs run "$@"
}
without_objdump --disasm . -o "$tmp/dir/a" "$dump"
expect_status 1
expect_equal "files" "" "$(ls -A "$tmp/dir")"
expect_equal "message" "heapprof: error: cannot run objdump: it is not \
installed; Debian's package is binutils" "$(cat "$tmp/err")"
without_objdump --text "$dump"
expect_status 0
if [[ $(uname -m) != aarch64 ]]; then
  without_objdump --disasm . "$tmp/server" "$tmp/d.heap"
  expect_status 1
  expect_match err 'cannot run aarch64-linux-gnu-objdump: .* is binutils-aarch64-linux-gnu$'
fi

# objdump's output may make no sense.
# objdump_says STATUS SCRIPT: --disasm with a script instead of objdump.
objdump_says() {
  printf '#!/bin/sh\n%s\n' "$2" >"$tmp/programs/objdump"
  chmod +x "$tmp/programs/objdump"
  run --disasm '^main$' --tools="$tmp/programs/" -o "$tmp/dir/a" "$dump"
  expect_status "$1"
  expect_equal "files" "" "$(ls -A "$tmp/dir")"
}
objdump_says 1 'echo half; echo broken >&2; exit 3'
expect_match err 'objdump of .*/inlining from 0x.* failed with status 3: broken$'
objdump_says 1 'echo hello'
expect_match err 'inlining: objdump found no instructions from 0x'
objdump_says 1 'printf "    1:\tret\n"'
expect_match err 'expected instructions from 0x.* found one at 0x1 in objdump.s output$'
run --disasm '^main$' --tools=/nowhere/ "$dump"
expect_status 2
expect_match err '--tools=/nowhere/ .*names no objdump'
export JEPROF_TOOLS=objdump:$tmp/programs/objdump
run --disasm '^main$' "$dump"
expect_status 1
expect_match err 'found one at 0x1 in objdump.s output$'
run --disasm '^main$' --tools=/usr/bin/ "$dump"
expect_status 0
