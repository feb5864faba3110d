#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds ISA-L as a static library, which Debian does not package, from the
# source package of this Debian release: DIR/libisal.a. Only with the parts that
# heapprof uses. Needs nasm, dpkg-dev and the network. Does nothing if the
# library is there.
#
# usage: build_isal.sh DIR [MACHINE]
#
# MACHINE is x86_64 (default) or aarch64.
set -euo pipefail

machine=${2-x86_64}
if [[ $# -lt 1 || $# -gt 2 || ! $machine =~ ^(x86_64|aarch64)$ ]]; then
  echo "usage: build_isal.sh DIR [x86_64|aarch64]" >&2
  exit 2
fi
[[ ! -f $1/libisal.a ]] || exit 0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bash "$(dirname "$0")/debian_source.sh" libisal "$tmp/libisal"
make -s -C "$tmp/libisal" -f Makefile.unx lib host_cpu="$machine" \
  CC="$machine-linux-gnu-gcc" AR="$machine-linux-gnu-ar" \
  units="igzip crc" -j"$(nproc)" >"$tmp/log" 2>&1 || {
  cat "$tmp/log" >&2
  exit 1
}
mkdir -p "$1"
cp "$tmp/libisal/bin/isa-l.a" "$1/libisal.a"
