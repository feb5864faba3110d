#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes a release in build/dist: what 'scripts/package.sh --aarch64' makes, and
#
#   heapprof-VERSION-MACHINE.spdx.json   what is in each static program, with
#                                        licences
#   NOTES.md                             what has changed since the last tag, a
#                                        draft
#   SHA256SUMS
#
# Commit first: the version, the revision and the dates are those of the commit.
#
# usage: release.sh [--verify] [CMAKE-OPTION...]
#
#   --verify  makes the release a second time, in a clone in another folder, and
#             fails unless all files are equal
set -euo pipefail
cd "$(dirname "$0")/.."

is_verified=
if [[ ${1-} == --verify ]]; then
  is_verified=yes
  shift
fi

if [[ -n $(git status --porcelain) ]]; then
  echo "release.sh: there are changes that are not committed" >&2
  exit 1
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# With a base_dir, ccache changes the paths of headers, and so which are found.
export CCACHE_DISABLE=1
bash scripts/package.sh --aarch64 "$@"

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' \
  build/static/CMakeCache.txt)
python3 scripts/sbom.py "$version" x86_64 build/static \
  >"build/dist/heapprof-$version-x86_64.spdx.json"
python3 scripts/sbom.py "$version" aarch64 build/static-aarch64 \
  build/arm64-root >"build/dist/heapprof-$version-aarch64.spdx.json"
python3 scripts/release_notes.py "$version" >build/dist/NOTES.md
cd build/dist
sha256sum -- * >SHA256SUMS
cat SHA256SUMS
[[ $is_verified ]] || exit 0

clone=$(mktemp -d ../verify.XXXXXX)
trap 'rm -rf "$clone"' EXIT
git clone --quiet "$(git rev-parse --show-toplevel)" "$clone/heapprof"
mkdir "$clone/heapprof/build"
cp -al ../arm64-root "$clone/heapprof/build"
bash "$clone/heapprof/scripts/release.sh" "$@" >"$clone/log" || {
  cat "$clone/log" >&2
  exit 1
}
diff --brief --recursive . "$clone/heapprof/build/dist" >&2 || {
  trap - EXIT  # who looks for the reason needs both trees
  echo "release.sh: the second build differs from the first one" >&2
  exit 1
}
echo "release.sh: the second build is equal to the first one"
