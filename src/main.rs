//! The `heapview` program: everything is in the library.

/// Returns freed memory to the system after some seconds, also that of idle threads.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    heapview::cli::run(std::env::args_os())
}
