#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs clang-tidy, with the checks of .clang-tidy, over C++ files of src.
#
# usage: tidy.sh [--all | FILE...]
#
# Without arguments: the files that git shows as changed; if there are none,
# those that the last commit changed. --all takes some minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly tidy=clang-tidy-19
if ! command -v "$tidy" >/dev/null; then
  echo "tidy.sh: $tidy not found; install the package of that name" >&2
  exit 1
fi

changed_files() {
  local files
  files=$(git status --porcelain --untracked-files=all | cut -c 4-)
  [[ -n $files ]] || files=$(git diff --name-only --diff-filter=d HEAD~1)
  grep -E '^src/.*\.cc$' <<<"$files" || true
}

case ${1-} in
  --all) mapfile -t files < <(find src -name '*.cc' | sort) ;;
  '') mapfile -t files < <(changed_files) ;;
  -*)
    echo "usage: tidy.sh [--all | FILE...]" >&2
    exit 2
    ;;
  *) files=("$@") ;;
esac
[[ ${#files[@]} -gt 0 ]] || exit 0

cmake --preset tidy --log-level=WARNING
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(nproc)" "$tidy" --quiet -p build/tidy 2>/dev/null
