#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: raw.sh FOLDER
#
# From --raw of each dump in FOLDER, jeprof makes the report that heapprof makes
# of the dump. heapprof reads the same from it as from the dump.
. "$(dirname "$0")/common.inc"
. "$(dirname "$0")/accepted.inc"

# rows FILE: flat and cumulative values and names, sorted.
rows() {
  awk '!/^Total/ { $2 = $3 = $5 = ""; print }' "$tmp/$1" |
    accept call-operator | sort >"$tmp/$1.rows"
}

# merged_rows FILE: flat values by the last part of a name, which may stand for
# several rows. jeprof often leaves nothing else of the names of Rust's methods.
merged_rows() {
  accept call-operator type-arguments <"$tmp/$1" |
    awk '!/^Total/ {
      flat = $1
      $1 = $2 = $3 = $4 = $5 = ""
      sub(/.*::/, " ")
      sum[$0] += flat
    }
    END { for (name in sum) print sum[name], name }' | sort >"$tmp/$1.rows"
}

# jeprof_of ARGUMENT...: jeprof's report on the file to $tmp/jeprof.
jeprof_of() {
  jeprof "$@" "$tmp/raw" >"$tmp/jeprof" 2>"$tmp/messages" ||
    fail "jeprof" "success" "$(cat "$tmp/messages")"
}

check_table() {
  local metric=$2
  run --text --show_bytes "$metric" "$1"
  cp "$tmp/out" "$tmp/ours"
  run --text --show_bytes "$metric" "$tmp/raw"
  expect_same ours out
  expect_equal "messages, but for names" "" \
    "$(grep -v 'have no names: the file has only addresses' "$tmp/err")"
  jeprof_of --text --show_bytes "$metric"
  expect_equal "total" "$(grep '^Total' "$tmp/jeprof")" \
    "$(grep '^Total' "$tmp/out")"
  local rows=rows
  [[ $1 != */rust* ]] || rows=merged_rows
  $rows out
  $rows jeprof
  expect_same jeprof.rows out.rows
}

check_stacks() {
  run --collapsed "$1"
  cp "$tmp/out" "$tmp/ours"
  run --collapsed "$tmp/raw"
  expect_same ours out
  jeprof_of --collapsed
  # jeprof cuts the fraction off each value.
  awk '{ print $NF }' "$tmp/out" | sort -n >"$tmp/values"
  awk '$NF != 0 { print $NF }' "$tmp/jeprof" | sort -n >"$tmp/jeprof.values"
  expect_equal "stacks that differ" 0 \
    "$(paste "$tmp/values" "$tmp/jeprof.values" |
      awk 'NF != 2 || $1 - $2 > 1 || $2 - $1 > 1' | wc -l)"
}

# nameless FILE: which part of the memory has no names.
nameless() {
  run --json "$1"
  sed -nE 's/^"coverage":.*"nameless_share":([^,]+),.*/\1/p' "$tmp/out" |
    xargs printf '%.4f'
}

for dump in "$E2E/$1"/*.heap; do
  run --raw "$dump"
  expect_status 0
  cp "$tmp/out" "$tmp/raw"
  check_table "$dump" --inuse_space
  check_table "$dump" --alloc_objects
  check_stacks "$dump"
  expect_equal "memory without names" "$(nameless "$dump")" \
    "$(nameless "$tmp/raw")"
done
