//! Reference for `benches/symbolize.sh`: one thread, one `addr2line::Loader`, one address
//! after the other.
//!
//!     cargo bench --bench addr2line_loop -- <binary> <file with hexadecimal addresses of it>
//!
//! Prints how many frames there are, and how many of them have a name and a line.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program that prints its result")]

use std::process::ExitCode;

fn main() -> ExitCode {
    // `cargo bench` adds a flag of its own.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let [binary, addresses] = &args[..] else {
        // Run without arguments among all benches and tests it has nothing to do.
        return ExitCode::SUCCESS;
    };
    match count(binary, addresses) {
        Ok([frames, named, placed]) => {
            println!("{frames} frames, {named} named, {placed} with a line");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn count(binary: &str, addresses: &str) -> Result<[usize; 3], Box<dyn std::error::Error>> {
    let loader = addr2line::Loader::new(binary)?;
    let mut counts = [0; 3];
    for line in std::fs::read_to_string(addresses)?.lines() {
        let mut frames = loader.find_frames(u64::from_str_radix(line.trim_start_matches("0x"), 16)?)?;
        while let Some(frame) = frames.next()? {
            counts[0] += 1;
            counts[1] += usize::from(frame.function.is_some_and(|f| f.raw_name().is_ok_and(|name| !name.is_empty())));
            counts[2] += usize::from(frame.location.is_some_and(|place| place.line.is_some()));
        }
    }
    Ok(counts)
}
