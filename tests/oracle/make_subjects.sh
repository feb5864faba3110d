#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the binaries in which the oracle tests resolve addresses: parts of
# heapprof, and a Rust program, with debug information of all kinds, as
# OUT/COMPILER-KIND-dwarfVERSION.so. With HEAPPROF_FULL, makes larger ones of all
# kinds; else, those that differ most, each with one version of DWARF.
#
# usage: make_subjects.sh SOURCE_TREE OUT    RUSTC: the Rust compiler, if any
set -euo pipefail

readonly tree=${1:?the source tree}
readonly out=${2:?the directory to write to}
readonly full=${HEAPPROF_FULL-}
sources=("$tree"/src/elf/symbol_table.cc "$tree"/src/dwarf/shared/interval_set.cc)
[[ -z $full ]] || sources=("$tree"/src/{elf,index}/*.cc "${sources[1]}")

rm -rf "$out"
mkdir -p "$out"
# With --gc-sections, the linker discards all that these do not need.
echo '{ global: *SymbolTable*; *IndexFile*; local: *; };' >"$out/exports"

# link NAME FLAG... -- LINK_FLAG...: compiles each source by itself.
link() {
  local name=$1 command=()
  shift
  while [[ $1 != -- ]]; do
    command+=("$1")
    shift
  done
  shift
  command+=(-std=c++23 -fPIC "-I$tree/include" "-I$tree/src"
    '-DHEAPPROF_DEMANGLER=""')
  mkdir "$out/$name"
  (cd "$out/$name" &&
    printf '%s\0' "${sources[@]}" |
    xargs -0 -n 1 -P "$(nproc)" "${command[@]}" -c)
  "${command[@]}" -shared -o "$out/$name.so" "$out/$name"/*.o "$@" -lfmt
  rm -r "${out:?}/$name"
}

# make COMPILER KIND VERSION
make() {
  local name=$1-$2-dwarf$3 command=(g++) flags=(-O2) linker=() level=()
  local discard=("-Wl,--gc-sections" "-Wl,--version-script=$out/exports")
  [[ $1 != clang ]] || command=(clang++-19)
  case $1-$2 in
    *-O0) flags=(-O0) ;;
    *-g1) level=(-g1) ;;
    # One unit has all the code.
    gcc-lto) flags+=(-flto=auto) linker=(-flto-partition=one) ;;
    clang-lto) flags+=(-flto) linker=(-fuse-ld=lld) ;;
    # llvm-symbolizer takes the debug information of discarded functions, which
    # are at address 0, for real. So the real code must not be near 0.
    gcc-sections) linker=("${discard[@]}" "-Wl,-Ttext-segment=0x1000000") ;;
    clang-sections) linker=("${discard[@]}" "-Wl,--image-base=0x1000000"
                            -fuse-ld=lld "-Wl,--icf=all") ;;
  esac
  [[ $2 != sections ]] || flags+=(-ffunction-sections)
  link "$name" "${command[@]}" "${flags[@]}" "-gdwarf-$3" "${level[@]}" -- \
    "${linker[@]}"
}

# make_rust KIND FLAG...: with the compiler's default version of DWARF, and with
# version 5 if the compiler can write it.
make_rust() {
  local command=("$RUSTC" "${@:2}" "$tree/testdata/programs/rust_alloc.rs")
  "${command[@]}" -o "$out/rust-$1.so"
  [[ -z $full ]] ||
    "${command[@]}" -C dwarf-version=5 -o "$out/rust-$1-dwarf5.so" ||
    echo "$RUSTC writes no DWARF 5"
}

if [[ -n $full ]]; then
  for compiler in gcc clang; do
    for kind in O0 O2 lto sections; do
      make "$compiler" "$kind" 4
      make "$compiler" "$kind" 5
    done
  done
  make clang g1 5
else
  make gcc O2 5
  make clang O2 4
fi
for subject in "$out"/gcc-O2-dwarf*.so; do
  dwz "$subject" -o "${subject/-O2-/-dwz-}"
  # The common DIEs of a file and its twin move to a third file.
  shared=$out/shared/${subject##*/}
  mkdir -p "${shared%/*}"
  cp "$subject" "$shared"
  cp "$subject" "$shared.twin"
  dwz -m "$shared.common" -M "${shared##*/}.common" "$shared" "$shared.twin"
done
if [[ -n ${RUSTC-} ]]; then
  make_rust release -g -C opt-level=3
  if [[ -n $full ]]; then
    make_rust debug -g
    make_rust lto -g -C opt-level=3 -C lto=fat -C codegen-units=1
    make_rust g1 -C debuginfo=1 -C opt-level=3
  fi
fi
