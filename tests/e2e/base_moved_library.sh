#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Another build of a program and its library in another folder is compared file
# by file: a module is one row.
. "$(dirname "$0")/common.inc"

# In the new build, a function of the library has another name and holds more.
function=HoldInLibrary blocks=5
for build in old new; do
  mkdir "$tmp/$build"
  for file in shared_lib.h shared_lib.cc shared_main.cc hold.h; do
    sed "s/HoldInLibrary/$function/; s/kInLibrary = 5/kInLibrary = $blocks/" \
      "$PROGRAMS/$file" >"$tmp/$build/$file"
  done
  g++ -std=c++17 -g -O2 -shared -fPIC -Wl,-soname,libshared_lib.so.1 \
    -o "$tmp/$build/libshared_lib.so.1" "$tmp/$build/shared_lib.cc"
  g++ -std=c++17 -g -O2 -o "$tmp/$build/shared_main" \
    "$tmp/$build/shared_main.cc" "$tmp/$build/libshared_lib.so.1" \
    -Wl,-rpath,"$tmp/$build"
  LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF="prof:true,prof_final:true,\
lg_prof_sample:0,prof_prefix:$tmp/$build" "$tmp/$build/shared_main"
  mv "$tmp/$build".*.f.heap "$tmp/$build.heap"
  function=KeepInLibrary blocks=10
done

# Two builds of one program are one module, too.
run --collapsed --two-column --modules --base "$tmp/old.heap" "$tmp/new.heap"
expect_match out "$tmp/new/libshared_lib.so.1 327680 655360\$"
expect_no_match out "$tmp/old/"
run --text --modules --show_bytes --base "$tmp/old.heap" "$tmp/new.heap"
expect_match out "^ *327680 .* $tmp/new/libshared_lib.so.1\$"
expect_no_match out "$tmp/old/"
# The code of both builds is still found.
for function in HoldInLibrary KeepInLibrary; do
  run --disasm=$function --base "$tmp/old.heap" "$tmp/new.heap"
  expect_status 0
  expect_match out "$function"
done
