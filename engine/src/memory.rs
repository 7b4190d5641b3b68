//! The allocator, which notes what it could not allocate: a program that runs out of memory ends with a trap that says nothing.

use std::alloc::{GlobalAlloc, Layout, System};

use super::result::set_not_allocated;

struct Noting;

#[global_allocator]
static ALLOCATOR: Noting = Noting;

fn noting(address: *mut u8, bytes: usize) -> *mut u8 {
    if address.is_null() {
        set_not_allocated(bytes);
    }
    address
}

// SAFETY: every call goes to the system's allocator with the same arguments, and what it returns is returned. Storing a number
// in an atomic neither allocates nor unwinds.
#[allow(unsafe_code, reason = "an allocator is unsafe to implement")]
unsafe impl GlobalAlloc for Noting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the conditions of `alloc`, which are the same.
        noting(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        noting(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, address: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: as above; `address` came from this allocator, hence from the system's.
        noting(unsafe { System.realloc(address, layout, new_size) }, new_size)
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(address, layout) }
    }
}
