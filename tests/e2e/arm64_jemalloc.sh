#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds jemalloc for aarch64 with its profiler, which Debian leaves out of the
# package for arm64, from Debian's source package. Does nothing if it is there.
#
# usage: arm64_jemalloc.sh ARM64-ROOT FOLDER
set -euo pipefail
[[ ! -f $2/libjemalloc.so.2 ]] || exit 0
sources=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bash "$sources/scripts/debian_source.sh" jemalloc "$tmp/jemalloc"
cd "$tmp/jemalloc"
# qemu-user shows the memory map of what it runs in /proc/PID/maps only.
sed -i 's,/proc/%d/task/%d/maps,/proc/%d/maps,' src/prof_sys.c
{
  ./configure --host=aarch64-linux-gnu --enable-prof --disable-cxx --disable-doc \
    --with-lg-page=16 --with-lg-hugepage=21 \
    CC="aarch64-linux-gnu-gcc --sysroot=$1"
  make -j"$(nproc)" build_lib_shared
} >"$tmp/log" 2>&1 || {
  cat "$tmp/log" >&2
  exit 1
}
mkdir -p "$2"
cp lib/libjemalloc.so.2 "$2"
