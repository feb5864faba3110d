#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs the packages of package.json, unless they are there.
#
# usage: install.sh OUT   leaves OUT/node_modules
set -euo pipefail

readonly out=${1:?the directory to write to}
cd "$(dirname "$0")"
for program in npm chromium firefox-esr; do
  command -v "$program" >/dev/null || {
    echo "$program is missing; run scripts/install_deps.sh full" >&2
    exit 1
  }
done
[[ ! -d $out/node_modules ]] ||
  ! cmp -s package-lock.json "$out/installed.json" || exit 0
mkdir -p "$out"
rm -f "$out/installed.json"
cp package.json package-lock.json "$out"
npm ci --prefix "$out" --ignore-scripts --no-audit --no-fund
cp package-lock.json "$out/installed.json"
