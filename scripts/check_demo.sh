#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `heapprof check` as a gate: builds a small server twice, once with a leak, and
# shows the gate green for the unchanged server and red for the leak. Prints
# each command, so that a pipeline can run the same ones. 'heapprof help ci' has
# them as recipes.
#
# usage: check_demo.sh [FOLDER]      where to write (default: build/check_demo)
#
# HEAPPROF names the program (default: build/release/heapprof). The exit status
# is 0 if the gate was right both times.
set -euo pipefail

cd "$(dirname "$0")/.."
readonly heapprof=${HEAPPROF-build/release/heapprof}
readonly out=${1-build/check_demo}
readonly source=testdata/programs/sessions.cc

# show COMMAND...: prints it as one can type it, and runs it.
show() {
  local word
  printf '\n$'
  for word in "$@"; do
    [[ $word =~ ^[A-Za-z0-9_./:=,%+-]+$ ]] || word=${word@Q}
    printf ' %s' "$word"
  done
  printf '\n'
  "$@"
}

# run NAME SERVER: three runs of the server write NAME.1.*.heap to NAME.3.*.heap.
# One sample per 64 KiB is more exact than the default, and still cheap.
run() {
  local i
  for i in 1 2 3; do
    show "$heapprof" record --quiet --rate 64KiB -o "$out/$1.$i" "$2"
  done
}

# gate COLOUR NAME: compares the runs NAME with the baseline. Status 0 is green,
# 1 is red; any other says that there was nothing to compare.
gate() {
  local status=0 colour
  show "$heapprof" check --max-growth '10% + 1MiB' \
    --max-total-growth 5% --base "$out/baseline.pb.gz" \
    --new "$out/$2".*.heap || status=$?
  case $status in
    0) colour=green ;;
    1) colour=red ;;
    *) exit "$status" ;;
  esac
  printf '\nexit status %d: the gate is %s\n' "$status" "$colour"
  [[ $colour == "$1" ]] || {
    echo "check_demo.sh: expected $1" >&2
    exit 1
  }
}

[[ -x $heapprof ]] || {
  echo "check_demo.sh: first build heapprof, for example with" \
    "scripts/quickstart.sh" >&2
  exit 1
}
mkdir -p "$out"
rm -f "$out"/*.heap "$out"/*.pb.gz

echo "# The main branch: build, run, and save a baseline"
show g++ -std=c++17 -g -O2 -o "$out/server" "$source"
run main "$out/server"
show "$heapprof" check --max-total 1GiB \
  --save-baseline "$out/baseline.pb.gz" --new "$out"/main.*.heap

printf '\n# A branch that changes nothing\n'
run unchanged "$out/server"
gate green unchanged

printf '\n# A branch with a leak: sessions stay after the logout\n'
show g++ -std=c++17 -g -O2 -DLEAK -o "$out/server" "$source"
run leak "$out/server"
gate red leak
