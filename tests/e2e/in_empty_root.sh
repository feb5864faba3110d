#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs $STATIC_HEAPPROF with the given arguments where nothing else can run: in
# a root with /proc, and with the files that tests read and write. The libraries
# among these are mounted without the right to load them.
set -euo pipefail
sources=$(realpath "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../..")
export TEST_FOLDERS="$sources $E2E /tmp /usr/lib"
# Without privileges, in a name space for users as well, which cannot see into
# the processes outside.
options=(--mount)
unshare "${options[@]}" true 2>/dev/null || options+=(--map-root-user)
exec unshare "${options[@]}" sh -ec '
  root=/mnt
  mount -t tmpfs none "$root"
  for folder in /proc $TEST_FOLDERS; do
    mkdir -p "$root/$folder"
    mount --rbind "$folder" "$root/$folder"
  done
  mount -o remount,bind,noexec,nosuid,nodev "$root/usr/lib"
  mkdir "$root/dev"
  ln -s usr/lib usr/lib64 "$root"
  ln -s /proc/self/fd "$root/dev"
  for file in /dev/full /dev/null; do
    : >"$root/$file"
    mount --bind "$file" "$root/$file"
  done
  : >"$root/heapprof"
  mount --bind "$STATIC_HEAPPROF" "$root/heapprof"
  exec unshare --root="$root" --wd="$PWD" /heapprof "$@"' sh "$@"
