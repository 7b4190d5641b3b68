//! Fills bins, and writes a heap profile in which every stack is one it has walked itself: the same three stacks
//! however it is built. tests/it/matrix.rs knows the lines of this file.

use std::ffi::c_void;
use std::hint::black_box;

#[link(name = "gcc_s")]
unsafe extern "C" {
    fn _Unwind_Backtrace(step: extern "C" fn(*mut c_void, *mut c_void) -> i32, data: *mut c_void) -> i32;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
    fn _Unwind_FindEnclosingFunction(address: *mut c_void) -> *mut c_void;
}

#[derive(Default)]
struct Walk {
    frames: Vec<usize>,
    is_whole: bool,
}

extern "C" fn step(context: *mut c_void, data: *mut c_void) -> i32 {
    let walk = unsafe { &mut *data.cast::<Walk>() };
    if walk.is_whole || walk.frames.len() == 32 {
        return 5;
    }
    let ip = unsafe { _Unwind_GetIP(context) };
    walk.frames.push(ip);
    walk.is_whole = unsafe { _Unwind_FindEnclosingFunction((ip - 1) as *mut c_void) } as usize == main as *const () as usize;
    0
}

/// One line of the profile: the stack above this function, up to main.
#[inline(never)]
fn mark(bytes: usize) {
    let mut walk = Walk::default();
    unsafe { _Unwind_Backtrace(step, (&raw mut walk).cast()) };
    let frames: String = walk.frames[1..].iter().map(|frame| format!(" {frame:#x}")).collect();
    println!("1: {bytes} [1: {bytes}] @{frames}");
}

#[inline(always)]
fn pour<T>(_: T, bytes: usize) {
    mark(bytes);
    black_box(bytes);
}

struct Bin<T>(T);

impl<T: Copy> Bin<T> {
    #[inline(always)]
    fn fill(&self, bytes: usize) {
        pour(self.0, bytes + 1);
        black_box(bytes);
    }
}

#[inline(never)]
fn store<T: Copy>(grain: T, bytes: usize) {
    Bin(grain).fill(bytes);
    black_box(bytes);
}

trait Sort {
    fn sort(&self, bytes: usize) -> usize;
}

impl Sort for Bin<u16> {
    #[inline(never)]
    fn sort(&self, bytes: usize) -> usize {
        let weigh: &dyn Fn(usize) -> usize = &|bytes| {
            mark(bytes);
            black_box(bytes)
        };
        black_box(weigh)(bytes) + 1
    }
}

#[inline(never)]
fn deep(n: usize) -> usize {
    if n > 0 {
        return black_box(deep(n - 1)) + 1;
    }
    store(2u8, 200);
    black_box(n)
}

#[inline(never)]
fn main() {
    println!("heap profile: 3: 3500 [3: 3500] @ heapprofile");
    store(1u32, 100);
    black_box(Bin(1u16).sort(black_box(3000)));
    black_box(deep(black_box(2)));
    println!("\nMAPPED_LIBRARIES:\n{}", std::fs::read_to_string("/proc/self/maps").unwrap());
}
