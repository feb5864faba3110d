#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Rust names: no mangling, no hashes.
. "$(dirname "$0")/common.inc"

text "$bin/gcc-O2/rust_alloc" "$dumps/rust_alloc.gcc-O2.heap"
expect_cum 'rust_alloc::hold_vec' 1048576
expect_cum 'rust_alloc::hold_box' 196608
expect_cum 'rust_alloc::hold_map' 327680
expect_cum 'rust_alloc::main' 1572864
expect_no_match out '::h[0-9a-f]{16}|_R[A-Z]|_ZN|\$LT\$'
