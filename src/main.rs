//! The `heapview` program: everything is in the library.

fn main() -> std::process::ExitCode {
    heapview::cli::run(std::env::args_os())
}
