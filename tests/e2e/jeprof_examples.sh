#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Symbolized dumps need no binary, so a report on one is the same everywhere:
# jeprof's output is kept in testdata/golden, and ours must equal it byte for
# byte, except for the fractions of the values of folded stacks. So must the
# output of the installed jeprof. HEAPPROF_BLESS=1 renews the goldens from
# jeprof, never from heapprof.
. "$(dirname "$0")/common.inc"

readonly golden=${GOLDEN:?the directory of the inputs and the goldens}
cd "$golden"
jeprof --version >"$tmp/out"
expect_match out 'jemalloc 5\.3\.0'

# comparable FORMAT: jeprof's output in the form that heapprof promises.
# Folded stacks come in the order of a hash table, with the addresses of
# symbols and "[inline]" in names, and with differences below zero; ours are
# sorted, plain, and only what grew.
comparable() {
  case $1 in
    *.text*) cat ;;
    *.collapsed*) sed -E 's/<[0-9a-f]{16}>//g; s/\[inline\]//g' |
      { grep -v ' -[0-9]*$' || true; } | sort ;;
  esac
}

# rows FILE: sorts the rows of a difference, $tmp/FILE, and removes the columns
# that depend on their order, and the signs of zeros: jeprof sorts rows by sign,
# we sort them by size.
rows() {
  sed -E 's/^( *-?[0-9]+ +[^ ]+%) +[^ ]+%/\1/; s/ -0\.0%/  0.0%/g' "$tmp/$1" |
    sort >"$tmp/$1.rows"
  mv "$tmp/$1.rows" "$tmp/$1"
}

# near: $tmp/out, with the rows and the total of $tmp/golden that differ from ours
# by at most 1: jeprof rounds the difference, we round each side.
near() {
  awk '
    function name() { return match($0, /^Total/) ? "Total" : substr($0, 32) }
    function value(i) { return /^Total/ ? $2 : $i }
    function is_near(a, b) { return a - b <= 1 && b - a <= 1 }
    FILENAME == ARGV[1] {
      row[name()] = $0; first[name()] = value(1); second[name()] = value(3)
      next
    }
    name() in row && is_near(value(1), first[name()]) &&
      is_near(value(3), second[name()]) { $0 = row[name()] }
    { print }' "$tmp/golden" "$tmp/out" >"$tmp/near"
  mv "$tmp/near" "$tmp/out"
}

# whole: $tmp/golden with 1 added to each value that is smaller than ours by 1:
# jeprof drops the fraction of a value, we carry it to the next value.
whole() {
  awk '
    FILENAME == ARGV[1] { ours[FNR] = $NF; next }
    ours[FNR] == $NF + 1 { sub(/[0-9]+$/, ours[FNR]) }
    { print }' "$tmp/out" "$tmp/golden"
}

# example GOLDEN ARGUMENT...
example() {
  local file=$1
  shift
  jeprof "$@" 2>"$tmp/err" | comparable "$file" >"$tmp/jeprof"
  if [[ -n ${HEAPPROF_BLESS-} ]]; then
    cp "$tmp/jeprof" "$golden/$file"
    return
  fi
  cp "$golden/$file" "$tmp/golden"
  [[ -s $tmp/golden ]] || fail "$file" "a golden output" "nothing"
  expect_same golden jeprof
  run "$@"
  expect_status 0
  # Only messages about what filters removed are allowed.
  sed '/^heapprof: --[a-z]*=/d' "$tmp/err" >"$tmp/messages"
  expect_empty messages
  if [[ $file == *.text*.base* ]]; then
    rows golden
    rows out
    near
    sort "$tmp/golden" -o "$tmp/golden"
    sort "$tmp/out" -o "$tmp/out"
  fi
  if [[ $file == *.collapsed* ]]; then
    whole >"$tmp/whole"
    mv "$tmp/whole" "$tmp/golden"
  fi
  expect_same golden out
}

example ex1.text --text ex1.raw
example ex1.text.show_bytes --text --show_bytes ex1.raw
example ex1.text.show_bytes.cum --text --show_bytes --cum ex1.raw
for metric in inuse_objects alloc_space alloc_objects; do
  example ex1.text.$metric --text --$metric ex1.raw
done
example ex1.collapsed --collapsed ex1.raw
example ex1.collapsed.alloc_objects --collapsed --alloc_objects ex1.raw

example ex1.text.show_bytes.thread3 --text --show_bytes --thread=3 ex1.raw
example ex1.text.threads --text --thread='*' ex1.raw
example ex1.collapsed.thread0 --collapsed --thread=0 ex1.raw

# 0x401201 is in both dumps, but has its names in ex1.raw only.
example ex1.text.show_bytes.base --text --show_bytes --base=ex0.raw ex1.raw
example ex1.text.show_bytes.base.drop_negative \
  --text --show_bytes --base=ex0.raw --drop_negative ex1.raw
example ex0.text.show_bytes.base --text --show_bytes --base=ex1.raw ex0.raw
example ex0+ex1.text.show_bytes --text --show_bytes ex0.raw ex1.raw
example ex0+ex1.collapsed --collapsed ex0.raw ex1.raw

# Filters: percentages are of what is left, the total is not.
filtered() {
  local name=ex1.text.show_bytes.$1
  shift
  example "$name" --text --show_bytes "$@" ex1.raw
}

filtered focus --focus=parse
filtered ignore --ignore=parse
filtered exclude --exclude=parse
filtered retain --retain=parse
filtered focus_address --focus='^0*401200$'
filtered all_filters --retain='^(main|_start|ns::)' --exclude=_start \
  --focus=main --ignore=grow
filtered base.focus --base=ex0.raw --focus=parse
filtered base.exclude --base=ex0.raw --exclude=parse --cum
filtered thread.focus --thread=3 --focus=worker
filtered threads.focus --thread='*' --focus=worker
filtered threads.exclude --thread='*' --exclude=parse
example ex1.collapsed.focus --collapsed --focus=parse ex1.raw
