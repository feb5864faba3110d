#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs $STATIC_HEAPPROF with the given arguments where nothing else can run: in
# a root with /proc, and with the files that tests read and write. These are
# mounted without the right to execute them, and so to load a library.
set -euo pipefail
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export TEST_FOLDERS="$sources $E2E /tmp /usr/lib"
exec unshare --map-root-user --mount sh -ec '
  root=/mnt
  mount -t tmpfs none "$root"
  for folder in /proc $TEST_FOLDERS; do
    mkdir -p "$root/$folder"
    mount --rbind "$folder" "$root/$folder"
    [ "$folder" = /proc ] ||
      mount -o remount,bind,noexec,nosuid,nodev "$root/$folder"
  done
  mkdir "$root/dev"
  ln -s usr/lib usr/lib64 "$root"
  ln -s /proc/self/fd "$root/dev"
  cp "$STATIC_HEAPPROF" "$root/heapprof"
  exec unshare --root="$root" --wd="$PWD" /heapprof "$@"' sh "$@"
