#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds google/pprof from Debian's source packages, and a Go program that
# writes its own profile, without the network.
#
# usage: build_pprof.sh PROGRAMS OUT   leaves OUT/pprof and OUT/go_heap, unless
#                                      they are there
set -euo pipefail

readonly programs=${1:?the directory of the programs}
readonly out=${2:?the directory to write to}
mkdir -p "$out"
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$out/cache
# build NAME SOURCE: renamed at the end, so that an existing file is complete.
build() {
  [[ ! -x $out/$1 || $2 -nt $out/$1 ]] || return 0
  go build -o "$out/$1.new" "$2"
  mv "$out/$1.new" "$out/$1"
}
build pprof github.com/google/pprof
build go_heap "$programs/go_heap.go"
