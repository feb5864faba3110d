#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes what is copied to other machines, in build/dist:
#
#   heapprof-VERSION-x86_64.tar.gz   one program that runs on any x86-64 Linux,
#                                    its manual pages and completions
#   heapprof-VERSION-amd64.oci.tar   that program alone, as an OCI image
#   heapprof_VERSION_amd64.deb       the package for this Debian
#
# with --aarch64, also
#
#   heapprof-VERSION-aarch64.tar.gz  the same for any aarch64 Linux
#   heapprof-VERSION-arm64.oci.tar
#
# All programs have link-time optimization, and are optimized by what runs often,
# as scripts/train.py counts. It counts in each program, because the counters of
# one do not fit the branches of another.
#
# The same commit makes the same bytes on the same Debian, in any folder.
# Installs missing packages.
#
# usage: package.sh [--aarch64] [CMAKE-OPTION...]
set -euo pipefail
cd "$(dirname "$0")/.."

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
readonly dist=$PWD/build/dist
jobs=$(nproc)
packages=package
if [[ ${1-} == --aarch64 ]]; then
  packages=cross
  shift
fi

# configure PRESET TREE OPTION...: several files per compilation make up for the
# time that optimization takes.
configure() {
  cmake --preset "$1" -B "$2" --log-level=WARNING -DCMAKE_UNITY_BUILD=ON \
    -DCMAKE_UNITY_BUILD_BATCH_SIZE=8 "${@:3}"
}

# build PRESET TREE OPTION...: the program and what is installed with it.
build() {
  train "$@"
  # Link-time optimization makes the program smaller.
  configure "$1" "$2" -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON \
    -DHEAPPROF_COUNTERS="$PWD/$2/counters" "${@:3}"
  cmake --build "$2" --parallel "$jobs" --target heapprof manual package_notes
}

# train PRESET TREE OPTION...: counts what runs often in the program of this
# preset, in TREE/counters.
train() {
  local tree=$2 emulator=()
  [[ $1 != static-aarch64 ]] || emulator=(qemu-aarch64)
  configure "$1" "$tree/training" -DHEAPPROF_TRAINING=ON "${@:3}"
  cmake --build "$tree/training" --parallel "$jobs" --target heapprof
  rm -rf "$tree/training/counters"
  python3 scripts/train.py "$tree/training/heapprof" "${emulator[@]}"
  # Ninja does not know that objects depend on counters.
  diff --brief --recursive "$tree/counters" "$tree/training/counters" \
    >/dev/null 2>&1 || rm -rf "$tree/src" "$tree/counters"
  cp -rT "$tree/training/counters" "$tree/counters"
}

# archive PARENT FOLDER FILE: the names in order, with one time and owner.
archive() {
  tar --directory "$1" --create --sort=name --mtime="@$SOURCE_DATE_EPOCH" \
    --owner=0 --group=0 --numeric-owner "$2" | gzip -9n >"$3"
}

# static_program PRESET MACHINE ARCHITECTURE OPTION...: its archive and its image.
static_program() {
  local tree=build/$1 machine=$2 architecture=$3 version folder
  bash scripts/build_isal.sh "$tree/isal" "$machine"
  build "$1" "$tree" -DHEAPPROF_ISAL_ARCHIVE="$PWD/$tree/isal/libisal.a" \
    "${@:4}"
  version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$tree/CMakeCache.txt")
  folder=$tmp/$machine/heapprof-$version
  cmake --install "$tree" --prefix "$folder" >"$tmp/log"
  archive "$tmp/$machine" "heapprof-$version" \
    "$dist/heapprof-$version-$machine.tar.gz"
  bash scripts/oci_image.sh "$tree/heapprof" "$version" "$architecture" \
    "$dist/heapprof-$version-$architecture.oci.tar" >"$tmp/log" 2>&1 || {
    cat "$tmp/log" >&2
    exit 1
  }
}

bash scripts/install_deps.sh "$packages"
rm -rf "$dist"
mkdir -p "$dist"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
static_program static x86_64 amd64 "$@"
if [[ $packages == cross ]]; then
  bash scripts/arm64_root.sh build/arm64-root
  static_program static-aarch64 aarch64 arm64 "$@"
fi
build release build/package -DHEAPPROF_TESTS=OFF \
  -DHEAPPROF_ZSH_FOLDER=share/zsh/vendor-completions "$@"
(cd build/package && cpack -G DEB -B "$tmp/deb" >"$tmp/log") || {
  cat "$tmp/log" >&2
  exit 1
}
cp "$tmp"/deb/*.deb "$dist"
ls -l "$dist"
