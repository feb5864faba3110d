#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# callgrind_annotate reads the output of --callgrind without a warning, and its
# sums equal those of --text: cumulative values, values, binaries.
. "$(dirname "$0")/common.inc"

# annotate ARGUMENT...: runs callgrind_annotate on $tmp/callgrind, without
# annotated sources.
annotate() {
  command_line="callgrind_annotate $*"
  status=0
  # It cuts its working directory from some names but not from others.
  (cd / && callgrind_annotate --auto=no --threshold=100 "$@" \
    "$tmp/callgrind") >"$tmp/out" 2>"$tmp/err" || status=$?
  expect_status 0
  expect_empty err
  expect_no_match out WARNING
}

# "NAME VALUE" of the functions that callgrind_annotate shows: lines such as
# "4,096 (0.8%)  /src/a.cc:ns::f(int) [/bin/a]". Functions of one name are
# one row of --text.
annotated() {
  sed -nE 's/ \[[^]]*\]$//; s/^ *([0-9,]+) \([ 0-9.]+%\)  (.*)/\1 \2/p' \
    "$tmp/out" | grep -v 'PROGRAM TOTALS' |
    awk '{
      value = $1; gsub(",", "", value); sub(/^[^ ]+ /, "")
      sub(/^(\?\?\?|[^:]*):/, ""); sum[$0] += value
    } END { for (name in sum) if (sum[name]) print name, sum[name] }' | sort
}

# text_rows COLUMN: the same for --text.
text_rows() {
  awk -v column="$1" '/^Total/ { next } {
    value = $column
    for (i = 1; i <= 5; ++i) sub(/^ *[^ ]+ */, "")
    if (value != 0) print $0, value }' "$tmp/out" | sort
}

# expect_close FILE FILE: the same names and, give or take 4, the same values:
# callgrind files contain only whole numbers.
expect_close() {
  awk '{ value = $NF; $NF = "" } NR == FNR { first[$0] = value; next }
    !($0 in first) || (first[$0] - value) ^ 2 > 16 { print; bad = 1 }
    { delete first[$0] }
    END { for (name in first) if (first[name] > 4) { print name; bad = 1 }
      exit bad }' "$tmp/$1" "$tmp/$2" >"$tmp/differences" ||
    fail "$1 and $2" "about equal" "$(head -n 5 "$tmp/differences")"
}

# check METRIC DUMP [COMPARISON]
check() {
  local expect=${3-expect_same}
  text "--$1" "$2"
  text_rows 1 >"$tmp/flat"
  text_rows 4 >"$tmp/cum"
  [[ $(wc -l <"$tmp/cum") -gt 5 ]] || fail "rows" "many" "$(cat "$tmp/cum")"
  run --callgrind -o "$tmp/callgrind" "--$1" "$2"
  expect_status 0
  annotate
  expect_match out "^ *[0-9,]+ \(100\.0%\) +PROGRAM TOTALS"
  expect_match out "$1"
  annotated >"$tmp/annotated"
  $expect flat annotated
  annotate --inclusive=yes
  annotated >"$tmp/annotated"
  $expect cum annotated
}

for dump in "$dumps"/*.heap; do
  check inuse_space "$dump"
done
check alloc_objects "$dumps/inlining.gcc-O2.heap"
for dump in "$E2E"/sampled/*.heap; do
  check inuse_space "$dump" expect_close
done

dump=$dumps/shared_main.gcc-O2.heap
run --callgrind -o "$tmp/callgrind" "$dump"
annotate
expect_match out '\[.*/bin/gcc-O2/shared_main\]$'
expect_match out 'shared_lib\.cc:.* \[.*/libshared_lib\.so\]$'

# The lines are the call sites.
run --callgrind "$dumps/inlining.gcc-O0.heap"
line=$(grep -n 'demo::HoldChain(' "$PROGRAMS/inlining.cc" | tail -n 1)
expect_match out "^${line%%:*} 131072$"

# A callgrind file cannot show what shrank.
run --callgrind --base "$dumps/growth.grown.heap" "$dumps/growth.first.heap"
expect_status 0
expect_match err 'what shrank is not in the output: [0-9.]+ [KM]iB'
expect_no_match out '^[0-9]+ -'
