#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Formats all C++ sources; with --check only tells which lines would change
# and fails if there are any. The version is fixed, as each one formats a
# little differently.
set -euo pipefail

readonly formatter=clang-format-19

case ${1:-} in
  --check) mode=(--dry-run --Werror) ;;
  '') mode=(-i) ;;
  *)
    echo "usage: format.sh [--check]" >&2
    exit 2
    ;;
esac
if ! command -v "$formatter" >/dev/null; then
  echo "format.sh: $formatter not found; install the package of that name" >&2
  exit 1
fi

cd "$(dirname "$0")/.."
find include src tests testdata/programs \
  \( -name '*.cc' -o -name '*.h' -o -path 'src/*.c' \) -type f -print0 |
  sort -z |
  xargs -0 --no-run-if-empty "$formatter" "${mode[@]}"
