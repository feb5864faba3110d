#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Functions of a shared library are named, inlined ones too.
. "$(dirname "$0")/common.inc"

text "$bin/gcc-O2/shared_main" "$dumps/shared_main.gcc-O2.heap"
expect_flat 'shop::Shelf \(inline\)' 327680
expect_cum 'shop::HoldInLibrary' 327680
expect_flat 'demo::HoldInMain' 196608
expect_cum 'main' 524288

# Without the library, its memory is listed under the module's name.
sed "s|/[^ ]*/libshared_lib\.so|/gone/libshared_lib.so|" \
  "$dumps/shared_main.gcc-O2.heap" >"$tmp/gone.heap"
text "$bin/gcc-O2/shared_main" "$tmp/gone.heap"
expect_flat 'libshared_lib\.so\+0x[0-9a-f]+' 327680
expect_flat 'demo::HoldInMain' 196608
expect_match err 'libshared_lib\.so'
