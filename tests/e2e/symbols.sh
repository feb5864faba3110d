#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --symbols names the addresses on its standard input as jeprof does.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/accepted.inc"

readonly binary=$bin/gcc-O2/inlining

# symbols ARGUMENT...: of $tmp/addresses, into $tmp/out.
symbols() {
  run --symbols "$@" <"$tmp/addresses"
  expect_status 0
  expect_equal "lines" "$(grep -c '^0x' "$tmp/addresses")" \
    "$(wc -l <"$tmp/out")"
}

# as_jeprof ARGUMENT...: the same for jeprof, with the same outcome.
as_jeprof() {
  local differences=(call-operator-of-what cold-parts)
  jeprof --symbols "$@" <"$tmp/addresses" 2>"$tmp/err" |
    accept "${differences[@]}" >"$tmp/jeprof"
  accept "${differences[@]}" <"$tmp/out" >"$tmp/ours"
  expect_same jeprof ours
}

# The programs' functions, at 4 bytes after their starts.
for program in "$binary" "$bin/gcc-O2-static/warehouse"; do
  nm --defined-only "$program" |
    sed -nE 's/^0*([0-9a-f]+) [TtW] _ZN4demo.*/\1/p' |
    while read -r start; do printf '0x%x\n' $((0x$start + 4)); done \
      >"$tmp/addresses"
  symbols "$program"
  expect_empty err
  as_jeprof "$program"
done
[[ $(wc -l <"$tmp/out") -gt 120 ]] || fail "functions" "more than 120" "few"

# Addresses of a process, with its map: what is in the program.
dump=$dumps/inlining.gcc-O2.heap
map_line=$(grep -m1 "r-xp.*$binary\$" "$dump")
low=0x${map_line%%-*} high=${map_line#*-}
high=0x${high%% *}
{
  sed -n '/^MAPPED_LIBRARIES/,$p' "$dump"
  grep '^@' "$dump" | tr ' ' '\n' | grep '^0x' | sort -u |
    while read -r address; do
      if ((address >= low && address < high)); then echo "$address"; fi
    done
} >"$tmp/addresses"
symbols "$binary"
cp "$tmp/out" "$tmp/with_binary"
as_jeprof "$binary"
symbols
expect_same with_binary out

# Stubs are separate functions, however names are shown.
objdump -d --no-show-raw-insn "$binary" |
  sed -nE 's/^0*([0-9a-f]+) <(\w+@plt)>:$/0x\1 \2/p' |
  grep -v '_Z' >"$tmp/stubs"
[[ -s $tmp/stubs ]] || fail stubs some none
cut -d' ' -f1 "$tmp/stubs" >"$tmp/addresses"
for style in full template short; do
  symbols --names $style "$binary"
  expect_equal "stubs" "$(cut -d' ' -f2 "$tmp/stubs")" "$(cat "$tmp/out")"
done

printf '%s\n' 'call to 0xFFFFFFFFFFFF and 0x1, which counts no more' \
  'no address, 0xor' '0x10000000000000000' >"$tmp/addresses"
run --symbols -o "$tmp/names" "$binary" <"$tmp/addresses"
expect_status 0
expect_empty out
expect_equal "names" $'inlining+0xffffffffffff\n??' "$(cat "$tmp/names")"
run --symbols "$dump" </dev/null
expect_status 2
expect_match err 'takes a binary'
run --symbols -o "$tmp/a" -o "$tmp/b" "$binary" </dev/null
expect_status 2
run --symbols "$tmp/missing" </dev/null
expect_status 1
expect_match err 'missing'
