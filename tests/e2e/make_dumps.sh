#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compiles testdata/programs in many ways and runs each under jemalloc.
#
# usage: make_dumps.sh SOURCES OUT      (OUT: an absolute path)
#
#   OUT/bin/VARIANT/PROGRAM            the binaries
#   OUT/dumps/PROGRAM.VARIANT.heap     what they held at exit
#   OUT/sampled/PROGRAM.VARIANT.heap   the same for threads at work
#
# The Rust program is made if $RUSTC names a compiler. Every allocation is
# sampled (period 1), so the numbers are exact, except in OUT/sampled.
set -euo pipefail

readonly sources=${1:?the directory of the programs}
readonly out=${2:?the directory to write to}
readonly bin=$out/bin
readonly dumps=$out/dumps
readonly options=prof:true,prof_final:true,prof_accum:true
readonly preload=libjemalloc.so.2

# compile VARIANT PROGRAM COMPILER FLAG...: the program is in one source file.
compile() {
  local variant=$1 program=$2 compiler=$3
  shift 3
  mkdir -p "$bin/$variant"
  "$compiler" -std=c++17 -pthread -o "$bin/$variant/$program" \
    "$sources/$program.cc" "$@"
}

# split VARIANT PROGRAM DIR: moves debug information and symbols to a file of
# their own in DIR, seen from the binary.
split() {
  local binary=$bin/$1/$2
  local debug=$bin/$1/$3/$2.debug
  mkdir -p "$(dirname "$debug")"
  objcopy --only-keep-debug "$binary" "$debug"
  strip "$binary"
  (cd "$(dirname "$debug")" && objcopy --add-gnu-debuglink="$2.debug" "$binary")
}

# profile LIBRARY DUMP PROGRAM ARGUMENT...: runs with LIBRARY preloaded.
profile() {
  local library=$1 dump=$dumps/$2.heap
  shift 2
  local conf=$options,lg_prof_sample:${lg_period-0},prof_sys_thread_name:true
  LD_PRELOAD=$library MALLOC_CONF=$conf,prof_prefix:$dump "$@"
  mv "$dump".*.f.heap "$dump"
}

compile_inlining() {
  local gcc=(g++ -g) clang=(clang++-19 -g)
  compile gcc-O0 inlining "${gcc[@]}" -O0
  compile gcc-O2 inlining "${gcc[@]}" -O2
  compile gcc-O2-dwarf4 inlining "${gcc[@]}" -O2 -gdwarf-4
  compile gcc-O2-nopie inlining "${gcc[@]}" -O2 -no-pie
  compile gcc-O2-static inlining "${gcc[@]}" -O2 -l:libjemalloc_pic.a
  compile gcc-O2-nodebug inlining g++ -O2
  compile gcc-O2-stripped inlining g++ -O2 -s
  compile gcc-O2-debuglink inlining "${gcc[@]}" -O2
  split gcc-O2-debuglink inlining .
  compile gcc-O2-dotdebug inlining "${gcc[@]}" -O2
  split gcc-O2-dotdebug inlining .debug
  compile clang-O0 inlining "${clang[@]}" -O0
  compile clang-O2 inlining "${clang[@]}" -O2
  compile clang-O2-lld inlining "${clang[@]}" -O2 -fuse-ld=lld
}

compile_others() {
  local library=$bin/gcc-O2/libshared_lib.so
  compile gcc-O1 growth g++ -g -O1
  compile gcc-O2 growth g++ -g -O2
  compile gcc-O2 threads g++ -g -O2
  compile gcc-O2 quickstart g++ -g -O2
  compile clang-O2 quickstart clang++-19 -g -O2
  compile gcc-O2-static warehouse g++ -g -O2 -l:libjemalloc_pic.a
  g++ -std=c++17 -g -O2 -fPIC -shared -o "$library" "$sources/shared_lib.cc"
  compile gcc-O2 shared_main g++ -g -O2 "$library" -Wl,-rpath,'$ORIGIN'
  if [[ -n ${RUSTC-} ]]; then
    "$RUSTC" -g -C opt-level=2 -o "$bin/gcc-O2/rust_alloc" \
      "$sources/rust_alloc.rs"
  fi
}

profile_all() {
  local variant program
  for variant in "$bin"/*; do
    for program in inlining threads shared_main warehouse rust_alloc; do
      [[ -x $variant/$program ]] || continue
      local library=$preload
      [[ $variant == *-static ]] && library=
      profile "$library" "$program.${variant##*/}" "$variant/$program"
    done
  done
  # The same three times, under different circumstances.
  profile $preload growth.first "$bin/gcc-O2/growth" 3
  profile $preload growth.again \
    env "PADDING=$(printf '%5000d' 0)" LD_BIND_NOW=1 "$bin/gcc-O2/growth" 3
  (cd / && profile $preload growth.third \
    env -u HOME -u PATH LC_ALL=C.UTF-8 "$bin/gcc-O2/growth" 3)
  for variant in gcc-O2 clang-O2; do
    lg_period=12 profile $preload ../sampled/quickstart.$variant \
      "$bin/$variant/quickstart"
  done
  profile $preload growth.grown "$bin/gcc-O2/growth" 7
  profile $preload growth.old-build "$bin/gcc-O1/growth" 3
}

rm -rf "$bin" "$dumps" "$out/sampled"
mkdir -p "$bin/gcc-O2" "$dumps" "$out/sampled"
compile_inlining
compile_others
profile_all
