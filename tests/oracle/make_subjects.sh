#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compiles a part of heapprof with debug information, as shared libraries that
# the oracle tests resolve addresses in.
#
# usage: make_subjects.sh SOURCE_TREE OUT
set -euo pipefail

readonly tree=${1:?the source tree}
readonly out=${2:?the directory to write to}
readonly flags=(-std=c++23 -O2 -g -fPIC -ffunction-sections
  "-I$tree/include" "-I$tree/src")

rm -rf "$out"
mkdir -p "$out"
# The rest of the library is discarded as far as this does not need it.
echo '{ global: *SymbolTable*; *UnitIndex*; local: *; };' >"$out/exports"

# compile NAME COMPILER FLAG...: one object file of all sources.
compile() {
  local name=$1
  shift
  mkdir "$out/$name"
  (cd "$out/$name" && "$@" "${flags[@]}" -c "$tree"/src/{elf,dwarf}/*.cc)
}

# link NAME OBJECTS COMPILER FLAG...
link() {
  local name=$1 objects=$out/$2
  shift 2
  "$@" -shared -o "$out/$name.so" "$objects"/*.o -lfmt
}

compile gcc g++ -gdwarf-5
compile clang clang++-19 -gdwarf-4
link gcc gcc g++
# llvm-symbolizer believes what is left of discarded functions at address 0;
# the real code is to stay clear of it.
link gcc-gc gcc g++ -Wl,--gc-sections -Wl,-Ttext-segment=0x1000000 \
  "-Wl,--version-script=$out/exports"
link clang clang clang++-19
link clang-lld-gc-icf clang clang++-19 -fuse-ld=lld -Wl,--gc-sections \
  -Wl,--icf=all "-Wl,--version-script=$out/exports"
cp "$out/gcc.so" "$out/gcc-dwz.so"
dwz "$out/gcc-dwz.so"
