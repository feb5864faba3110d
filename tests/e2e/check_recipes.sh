#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The recipes of `heapprof help ci` work as they are printed, for a server that
# frees its memory when it ends.
. "$(dirname "$0")/common.inc"

run help budgets
cp "$tmp/out" "$tmp/budgets_page"
run help ci
cp "$tmp/out" "$tmp/page"
cd "$tmp"

# recipe PAGE FIRST LAST: the lines of the page from the one that matches FIRST
# to that before one that matches LAST, not indented.
recipe() {
  sed -n "/$2/,/$3/{/$3/!p}" "$tmp/$1" | sed 's/^  //'
}

recipe page '^  #!\/bin\/sh$' '^One run' >heap-check.sh
recipe budgets_page '^  max_total = ' '^What a function' |
  sed 's/2027-01-31/2999-12-31/' >heap-budgets.toml
recipe page '^  on:$' '^In GitLab' >github.yml
recipe page '^  heap:$' '^$' >gitlab.yml
ln -s "$HEAPPROF" heapprof
PATH=$PWD:$PATH
shellcheck heap-check.sh

# server FLAG...: what the recipes check.
server() {
  g++ -std=c++17 -g -O2 "$@" -o server "$PROGRAMS/sessions.cc"
}

# gate STATUS FILE: runs the step of the pipeline in FILE that calls the script.
gate() {
  local expected=$1
  command_line=$(grep -o 'sh heap-check\.sh.*' "$2")
  [[ -n $command_line ]] || fail "call of heap-check.sh in $2" "one" "none"
  status=0
  bash -ec "$command_line" >"$tmp/out" 2>"$tmp/err" || status=$?
  expect_status "$expected"
}

server
gate 0 github.yml
expect_match out '^### Heap check: ok$'
expect_match comment.md '^### Heap check: ok$'
mv next.pb.gz baseline.pb.gz
python3 -B "$E2E_SOURCES/check_pprof.py" baseline.pb.gz

# Unchanged.
gate 0 github.yml
expect_match comment.md '^### Heap check: ok$'
gate 0 gitlab.yml
expect_match out '^ok: '
expect_match heap.xml '<testsuite .*failures="0"'

# A leak in a global container.
server -DLEAK
gate 1 github.yml
expect_match heap.html 'demo::Sessions::Login'
expect_match out '^::error file=.*sessions.cc,line=[0-9]+,.*demo::Sessions::Login'
expect_match comment.md '^### Heap check: regression$'
gate 1 gitlab.yml
expect_match heap.xml '<failure'

# Nothing to sample.
echo 'int main() {}' | g++ -x c++ -o server -
gate 3 github.yml
expect_match err 'holds next to nothing|no sample has a value'
# The comment and the test report of an earlier run must not stay.
expect_match out '^::error title=Heap check::.*run'
for file in out comment.md; do
  expect_match "$file" '^### Heap check: not judged$'
done
expect_match heap.xml 'failures="0" errors="1"'
expect_match heap.xml '<error type="not judged" message=".*run'
python3 -c 'import xml.etree.ElementTree
assert xml.etree.ElementTree.parse("heap.xml").find(".//testcase/error").text'
# The program fails: so does the pipeline.
echo 'int main() { return 9; }' | g++ -x c++ -o server -
gate 9 gitlab.yml
