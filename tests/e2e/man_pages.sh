#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: man_pages.sh FOLDER
#
# mandoc finds no fault in the manual pages of the folder, and shows them.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp "$1"/heapprof*.1.gz "$tmp"
gunzip "$tmp"/*.gz
mandoc -T lint -W warning "$tmp"/*.1
shown=$(mandoc "$tmp/heapprof-check.1" | col -b)
for text in 'heapprof check .* --base OLD' '--max-growth LIMIT' \
  'Exit status: 0 within the limits'; do
  grep -q -e "$text" <<<"$shown" || {
    printf 'heapprof-check.1: expected: %s\nfound:\n%s\n' "$text" "$shown"
    exit 1
  }
done
