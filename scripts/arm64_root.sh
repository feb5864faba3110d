#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Unpacks Debian 12's arm64 packages that heapprof is made of, and jemalloc, into
# DIR: what the preset static-aarch64 compiles with. They need not be installed,
# so the packages of this machine stay as they are. Needs mmdebstrap and the
# network. Does nothing if DIR is there.
#
# usage: arm64_root.sh DIR
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: arm64_root.sh DIR" >&2
  exit 2
fi
[[ ! -d $1 ]] || exit 0
packages=(
  libc6-dev libstdc++-12-dev
  libboost-math-dev libcli11-dev libdw-dev libelf-dev libfmt-dev libiberty-dev
  nlohmann-json3-dev libprotobuf-dev libtomlplusplus-dev zlib1g-dev
  libbz2-dev libisal-dev liblzma-dev libpcre2-dev libzstd-dev libjemalloc2
)
mkdir -p "$(dirname "$1")"
tmp=$(mktemp -d "$1.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
include=$(IFS=,; echo "${packages[*]}")
mmdebstrap --quiet --variant=extract --architectures=arm64 \
  --include="$include" bookworm "$tmp/root"
mv "$tmp/root" "$1"
