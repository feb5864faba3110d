#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes a release in build/dist: what 'scripts/package.sh --aarch64' makes, and
#
#   heapprof-VERSION.spdx.json   what is in the static program, with licences
#   NOTES.md                     what has changed since the last tag, a draft
#   SHA256SUMS
#
# Commit first: the version, the revision and the dates are those of the commit.
#
# usage: release.sh [CMAKE-OPTION...]
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ -n $(git status --porcelain) ]]; then
  echo "release.sh: there are changes that are not committed" >&2
  exit 1
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
bash scripts/package.sh --aarch64 "$@"

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' \
  build/static/CMakeCache.txt)
python3 scripts/sbom.py "$version" build/static \
  >"build/dist/heapprof-$version.spdx.json"
python3 scripts/release_notes.py "$version" >build/dist/NOTES.md
cd build/dist
sha256sum -- * >SHA256SUMS
cat SHA256SUMS
