// SPDX-License-Identifier: Apache-2.0
//
// Rust code for the index of a checked-in binary: see make.sh.
#![no_std]

#[panic_handler]
fn stop(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

trait Shape {
    fn area(&self) -> u64;
}

struct Square(u64);
struct Rectangle(u64, u64);

impl Shape for Square {
    #[inline(never)]
    fn area(&self) -> u64 {
        self.0.wrapping_mul(self.0)
    }
}

impl Shape for Rectangle {
    #[inline(never)]
    fn area(&self) -> u64 {
        self.0.wrapping_mul(self.1)
    }
}

#[inline(never)]
fn sum<T: Shape>(shapes: &[T]) -> u64 {
    shapes.iter().map(|shape| shape.area()).fold(0, u64::wrapping_add)
}

#[no_mangle]
pub extern "C" fn sample_entry(side: u64) -> u64 {
    sum(&[Square(side), Square(side ^ 1)])
        .wrapping_add(sum(&[Rectangle(side, 2), Rectangle(3, side)]))
}
