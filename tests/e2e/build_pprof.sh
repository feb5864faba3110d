#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds google/pprof from Debian's source packages, without the network.
#
# usage: build_pprof.sh OUT    leaves OUT/pprof; does nothing if it is there
set -euo pipefail

readonly out=${1:?the directory to write to}
[[ ! -x $out/pprof ]] || exit 0
mkdir -p "$out"
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$out/cache
# The last step is a rename, so that what is there is whole.
go build -o "$out/pprof.new" github.com/google/pprof
mv "$out/pprof.new" "$out/pprof"
