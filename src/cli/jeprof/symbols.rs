//! `--symbols`: names of addresses, for a program and its memory map.

use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result};

use crate::cli::output;
use crate::cli::output::Target;
use crate::open::load;
use crate::open::load::NameSources;
use crate::open::options::OpenOptions;
use crate::parse::{ParseOptions, parse};
use crate::profile::Profile;
use crate::terminal::progress;

/// Prints a line for each address on standard input: the function there (the outermost one
/// where some were inlined), or `??`. Addresses are looked up as they are.
pub(super) fn answer(program: &Path, sources: &OpenOptions) -> Result<()> {
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text).context("cannot read standard input")?;
    let profile = profile(&String::from_utf8_lossy(&text))?;
    let from = NameSources::of_program(program);
    let (profile, _) = progress::during("Resolving names", |line| load::with_names(profile, &from, sources, line))?;
    let names: Vec<&str> = profile.samples().stack.iter().map(|&stack| name(&profile, stack)).collect();
    output::write_to(&Target::default(), None, |out| {
        names.iter().try_for_each(|name| writeln!(out, "{}", crate::base::plain::one_line(name)))
    })
}

fn name(profile: &Profile, stack: crate::base::id::StackId) -> &str {
    let frame = profile.stacks().frames(stack).last();
    frame.and_then(|frame| profile.function_of(frame)).map_or("??", |(_, function)| profile.text(function.name))
}

/// A profile with a sample for each address: the lines with an `0x` address are addresses,
/// all others are the map. Its rows are return addresses, hence one more.
fn profile(text: &str) -> Result<Profile> {
    let address = |line: &str| {
        let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words
            .filter_map(|word| word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")))
            .find_map(|hex| u64::from_str_radix(hex, 16).ok())
    };
    let mut rows = String::from("heap profile: 0: 0 [0: 0] @ heapprofile\n");
    let mut map = String::from("MAPPED_LIBRARIES:\n");
    for line in text.lines() {
        match address(line) {
            Some(address) => rows += &format!("1: 1 [1: 1] @ {:#x}\n", address.saturating_add(1)),
            None => map = map + line + "\n",
        }
    }
    Ok(parse((rows + &map).as_bytes(), &ParseOptions::default())?.profile)
}
