#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Joins stripped files with their debug files, so that jeprof finds names in
# them as in unstripped files. Writes each below OUT, under its own path, for
# jeprof's --lib_prefix.
#
# usage: join_debug.sh OUT BIN    BIN: the programs of make_dumps.sh
set -euo pipefail

readonly out=${1:?the directory to write to}
readonly bin=${2:?the directory of the programs}

# join FILE DEBUG
join() {
  local joined=$out$1
  mkdir -p "$(dirname "$joined")"
  eu-unstrip -o "$joined" "$1" "$2"
  # jeprof asks for inlined functions only if there is a symbol _fini. The C
  # library has none, so we add one, in code without a name.
  if ! nm "$joined" | grep ' _fini$' >/dev/null; then
    objcopy --add-symbol _fini=.plt:0,function,global "$joined"
  fi
}

rm -rf "$out"
mkdir -p "$out"
join "$bin/gcc-O2-debuglink/inlining" "$bin/gcc-O2-debuglink/inlining.debug"
join "$bin/gcc-O2-dotdebug/inlining" \
  "$bin/gcc-O2-dotdebug/.debug/inlining.debug"

# The C library and the loader, as a program of ours has them mapped.
ldd "$bin/gcc-O2/inlining" | grep -oE '/[^ ]*/(libc\.so|ld-linux)[^ ]*' |
  while read -r library; do
    library=$(realpath "$library")
    id=$(readelf -n "$library" | sed -n 's/ *Build ID: //p')
    debug=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
    [[ ! -f $debug ]] || join "$library" "$debug"
  done
