#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes what users get, in build/dist:
#
#   heapprof-VERSION-x86_64.tar.gz   one program that runs on any x86-64 Linux,
#                                    its manual pages and completions
#   heapprof_VERSION_amd64.deb       the package for this Debian
#   heapprof-VERSION.spdx.json       what is in the program: an SBOM
#   NOTES.md                         what has changed since the last tag
#   SHA256SUMS
#
# Of the same commit, on the same Debian, the same bytes, in whatever folder.
#
# usage: package.sh [CMAKE-OPTION...]
set -euo pipefail
cd "$(dirname "$0")/.."

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
readonly out=$PWD/build/dist
jobs=$(nproc)
rm -rf "$out"
mkdir -p "$out"

# build PRESET OPTION...
build() {
  cmake --preset "$1" --log-level=WARNING "${@:2}"
  cmake --build --preset "$1" --parallel "$jobs" --target all
}

bash scripts/install_deps.sh package
bash scripts/build_isal.sh build/static/isal
build static "$@"
build package "$@"

version=$(build/static/heapprof --version | sed -n '1s/heapprof //p')
name=heapprof-$version-$(uname -m)
cmake --install build/static --prefix "$out/$name" >"$out/install.log"
# In the order of the names, and with one time and owner.
tar --directory "$out" --create --sort=name --mtime="@$SOURCE_DATE_EPOCH" \
  --owner=0 --group=0 --numeric-owner "$name" | gzip -9n >"$out/$name.tar.gz"
(cd build/package && cpack -G DEB -B "$out" >"$out/cpack.log")
python3 scripts/sbom.py "$version" build/static \
  >"$out/heapprof-$version.spdx.json"
python3 scripts/release_notes.py "$version" >"$out/NOTES.md"
rm -rf "${out:?}/$name" "$out/_CPack_Packages" "$out"/*.log
cd "$out"
sha256sum -- * >SHA256SUMS
ls -l
