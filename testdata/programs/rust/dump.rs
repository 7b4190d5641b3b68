//! Asks whichever allocator was preloaded for a dump. Nothing is linked: the entry points are looked up by name.

use std::ffi::{c_char, c_int, c_void, CString};
use std::mem::{size_of, transmute};
use std::ptr::null_mut;

type HeapProfilerDump = unsafe extern "C" fn(*const c_char);
type MallCtl = unsafe extern "C" fn(*const c_char, *mut c_void, *mut usize, *mut c_void, usize) -> c_int;

extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

fn find(name: &str) -> Option<*mut c_void> {
    let name = CString::new(name).ok()?;
    // SAFETY: a null handle means the default search order; the name is a C string.
    let found = unsafe { dlsym(null_mut(), name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// Writes one dump; the allocator numbers the files itself.
pub fn now(reason: &str) {
    let reason = CString::new(reason).expect("no zero byte");
    if let Some(found) = find("HeapProfilerDump") {
        // SAFETY: gperftools declares it so.
        unsafe { transmute::<*mut c_void, HeapProfilerDump>(found)(reason.as_ptr()) }
    }
    if let Some(found) = find("mallctl") {
        // SAFETY: jemalloc declares it so; all pointers may be null.
        unsafe {
            transmute::<*mut c_void, MallCtl>(found)(c"prof.dump".as_ptr(), null_mut(), null_mut(), null_mut(), 0)
        };
    }
}

/// Gives this thread a name in jemalloc's dumps.
pub fn name_thread(name: &str) {
    let Some(found) = find("mallctl") else { return };
    let name = CString::new(name).expect("no zero byte");
    let mut pointer = name.as_ptr();
    // SAFETY: jemalloc reads one pointer and copies the string behind it.
    unsafe {
        let value = (&raw mut pointer).cast();
        transmute::<*mut c_void, MallCtl>(found)(
            c"thread.prof.name".as_ptr(),
            null_mut(),
            null_mut(),
            value,
            size_of::<*const c_char>(),
        );
    }
}
