// SPDX-License-Identifier: Apache-2.0
//
// Rust collections through the system allocator. At exit, in size classes of
// jemalloc:
//
//   rust_alloc::hold_vec    4 x Vec<u8> of 256 KiB    = 1048576
//   rust_alloc::hold_box    3 x Box<[u8; 64 KiB]>     =  196608
//   rust_alloc::hold_map    1 x HashMap<u64, u64> with room for 10000 entries
//                           (16384 buckets of 17 bytes and a group: 278544
//                           bytes, class 320 KiB)     =  327680
//
// The runtime holds some more.
use std::arch::asm;
use std::collections::HashMap;

// That of std::hint is younger than Debian's compiler.
#[inline(always)]
fn black_box<T>(value: T) -> T {
    unsafe { asm!("/* {0} */", in(reg) &value) };
    value
}

#[inline(never)]
fn hold_vec(count: usize) {
    for _ in 0..count {
        std::mem::forget(black_box(Vec::<u8>::with_capacity(256 << 10)));
    }
}

#[inline(never)]
fn hold_box(count: usize) {
    for _ in 0..count {
        std::mem::forget(black_box(Box::new([0u8; 64 << 10])));
    }
}

#[inline(never)]
fn hold_map(entries: usize) {
    std::mem::forget(black_box(HashMap::<u64, u64>::with_capacity(entries)));
}

fn main() {
    hold_vec(black_box(4));
    hold_box(black_box(3));
    hold_map(black_box(10_000));
    black_box(());
}
