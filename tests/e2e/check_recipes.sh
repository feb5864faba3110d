#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The recipes of `heapprof help check` work as they are printed.
. "$(dirname "$0")/common.inc"

run help check
cp "$tmp/out" "$tmp/page"
cd "$tmp"

# recipe FIRST LAST: the lines of the page from the one that matches FIRST to
# that before one that matches LAST, not indented.
recipe() {
  sed -n "/$1/,/$2/{/$2/!p}" "$tmp/page" | sed 's/^  //'
}

recipe '^  #!\/bin\/sh$' '^In GitHub' >heap-check.sh
recipe '^  max_total = ' '^What a function' | sed 's/2027-01-31/2999-12-31/' \
  >heap-budgets.toml
recipe '^            heapprof check' '^            gh ' >comment.sh
ln -s "$HEAPPROF" heapprof
PATH=$PWD:$PATH
shellcheck heap-check.sh

# server FLAG...: what the recipes check.
server() {
  g++ -std=c++17 -g -O2 "$@" -o server "$PROGRAMS/sessions.cc"
}

# gate STATUS ARGUMENT...: as the recipe for CI named in $ci calls the script.
gate() {
  local expected=$1
  command_line=$(sed -n "s/.* \(sh heap-check\.sh $2\)/\1/p" "$tmp/page")
  [[ -n $command_line ]] || fail "call of heap-check.sh with $2" "one" "none"
  status=0
  bash -ec "$command_line" >"$tmp/out" 2>"$tmp/err" || status=$?
  expect_status "$expected"
}

server
gate 0 '--format github'
expect_match out '^### Heap check: ok$'
mv next.pb.gz baseline.pb.gz
python3 -B "$E2E_SOURCES/check_pprof.py" baseline.pb.gz
gate 0 '--format junit.*'
expect_match heap.xml '<testsuite .*failures="0"'
server -DLEAK
gate 1 '--format github'
expect_match out '^::error file=.*sessions.cc,line=[0-9]+,.*demo::Sessions::Login'
gate 1 '--format junit.*'
expect_match heap.xml '<failure'
# The comment needs no binary.
rm server
command_line=$(<comment.sh)
bash -e comment.sh >out 2>err || fail "comment.sh" "status 0" "$?"
expect_match comment.md '^### Heap check: regression$'
