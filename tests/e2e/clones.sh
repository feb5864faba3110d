#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Names as compilers really mangle them, read from symbols without debug
# information. Suffixes of clones and of ThinLTO, ABI tags, and the hashes of
# both Rust manglings are in the binary, but not in a report.
readonly home=${HOME-}  # where rustup keeps its compilers
. "$(dirname "$0")/common.inc"

# profile PROGRAM SUFFIX...: checks that symbols of PROGRAM have the suffixes,
# and profiles it; $dump is the dump.
profile() {
  local program=$1 suffix
  shift
  nm "$program" >"$tmp/symbols"
  for suffix in "$@"; do expect_match symbols "$suffix"; done
  LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_final:true,\
lg_prof_sample:0,prof_prefix:$program" "$program"
  dump=$(echo "$program".*.f.heap)
}

readonly hidden='isra|constprop|cold|clone|\.llvm|cxx11|h[0-9a-f]{16}|_ZN|_R[A-Z]'

g++ -std=c++17 -O2 -o "$tmp/gcc" "$PROGRAMS/clones.cc"
profile "$tmp/gcc" Isra.*isra Constprop.*constprop 'isra.*\.cold' 'Tagged.*cxx11'
for style in full template short; do
  arguments=
  [[ $style != full ]] || arguments='\(.*\)'
  text --names=$style "$dump"
  expect_flat "demo::Isra$arguments" 16384
  expect_flat "demo::Constprop$arguments" 65536
  expect_flat "demo::Tagged$arguments" 65536
  expect_no_match out "demo.*($hidden)"
done

# A function that another file calls becomes global, under a new name.
sed '/^int main/,$d; s/^\(\[\[.*\]\] \)static/\1static/' "$PROGRAMS/clones.cc" \
  >"$tmp/part.cc"
cp "$PROGRAMS/hold.h" "$tmp"
echo 'void Use(int count) { demo::Constprop(count, count); }' >>"$tmp/part.cc"
echo 'void Use(int); int main(int argc, char**) { Use(argc); Use(argc); }' \
  >"$tmp/main.cc"
clang++-19 -std=c++17 -O2 -flto=thin -fuse-ld=lld -o "$tmp/thin" \
  "$tmp/main.cc" "$tmp/part.cc"
profile "$tmp/thin" 'Constprop.*\.llvm\.[0-9]+'
for style in full template short; do
  text --names=$style "$dump"
  expect_flat 'demo::Constprop(\(int, int\))?' 65536
  expect_no_match out "demo.*($hidden)"
done

if HOME=$home rustc --version >"$tmp/out" 2>&1; then
  for mangling in legacy v0; do
    suffix=hold_vec17h
    [[ $mangling == legacy ]] || suffix='_RN.*hold_vec'
    HOME=$home RUSTC_BOOTSTRAP=1 rustc -Z unstable-options -C opt-level=2 \
      -C symbol-mangling-version=$mangling -o "$tmp/$mangling" \
      "$PROGRAMS/rust_alloc.rs"
    profile "$tmp/$mangling" "$suffix"
    for style in full short; do
      text --names=$style "$dump"
      expect_flat 'rust_alloc::hold_vec' 1048576
      expect_no_match out "rust.*($hidden)"
    done
  done
fi
