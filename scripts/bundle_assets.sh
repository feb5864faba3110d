#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes one minified script and style sheet for each kind of page from the
# modules in src/report/assets. The results are committed, so that nobody needs
# esbuild to build heapprof.
#
# usage: bundle_assets.sh [--check]
#
#   --check  changes nothing; fails if the committed files are not those that
#            the modules give
set -euo pipefail
cd "$(dirname "$0")/../src/report/assets"

out=bundles
case ${1-} in
  --check)
    out=$(mktemp -d)
    trap 'rm -r "$out"' EXIT
    ;;
  '') ;;
  *)
    echo "usage: bundle_assets.sh [--check]" >&2
    exit 2
    ;;
esac
# Each version gives other text.
readonly version=0.17.0
if [[ $(esbuild --version 2>/dev/null) != "$version" ]]; then
  echo "bundle_assets.sh: needs esbuild $version, the package of Debian 12" >&2
  exit 1
fi

readonly banner="/* SPDX-License-Identifier: Apache-2.0
   Made by scripts/bundle_assets.sh from src/report/assets. */"
# bundle FILE...: the name of a folder becomes that of its script or style sheet.
bundle() {
  esbuild "$@" --outdir="$out" --outbase=. --entry-names='[dir]' --bundle \
    --minify --charset=utf8 --target=es2022 --banner:js="$banner" \
    --banner:css="$banner" --log-level=warning
}
bundle ./{flamegraph,html,pan_zoom}/start.js ./*/style.css
# A picture has its script in a CDATA section, which this would end.
sed -i 's/\]\]>/]] >/g' "$out"/*.js
# This script runs html.js, and only that text.
integrity=sha256-$(sha256sum "$out/html.js" |
  python3 -c 'import base64; print(base64.b64encode(
    bytes.fromhex(input()[:64])).decode())')
bundle ./unpack/start.js --define:PROGRAM_INTEGRITY="'$integrity'"
[[ $out == bundles ]] && exit
if ! diff -rq bundles "$out"; then
  echo "bundle_assets.sh: run scripts/bundle_assets.sh and commit the result" >&2
  exit 1
fi
