//! In a git checkout builds the web app and the engine into `web/static/` when their sources changed. A published crate carries
//! the built files and no sources, so that it needs no Node and no WebAssembly. And it tells the program which code its names
//! come from, so that names which other code remembered are not taken for its own.

#[path = "build/engine.rs"]
mod engine;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the web app is built from.
const SOURCES: [&str; 5] = ["web/src", "web/package.json", "web/package-lock.json", "web/vite.config.ts", "web/tsconfig.json"];
/// What names come from: remembered ones are of this version of it.
const NAMERS: [&str; 3] = ["src/symbolize", "src/demangle", "Cargo.lock"];
/// Says which sources `web/static/` was built from.
const STAMP: &str = "web/static/built-from";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_APP").is_none() {
        return Ok(());
    }
    NAMERS.iter().filter(|path| Path::new(path).exists()).for_each(|path| println!("cargo::rerun-if-changed={path}"));
    println!("cargo::rustc-env=HEAPVIEW_NAMERS={}", fingerprint(&NAMERS)?.trim());

    println!("cargo::rerun-if-changed=web/templates");
    println!("cargo::rerun-if-env-changed=HEAPVIEW_WEB");
    if Path::new("web/src").exists() {
        SOURCES.iter().for_each(|source| println!("cargo::rerun-if-changed={source}"));
        println!("cargo::rerun-if-changed={STAMP}");
        build_web()?;
    }
    // After the page, which empties the folder.
    engine::build()
}

/// Runs npm unless the bundle is of these very sources.
fn build_web() -> Result<(), Box<dyn Error>> {
    fs::create_dir_all("web/static")?;
    // For work on the page itself, where Vite builds by hand.
    if std::env::var_os("HEAPVIEW_WEB").is_some_and(|v| v == "keep") {
        return Ok(());
    }
    let now = fingerprint(&SOURCES)?;
    if fs::read_to_string(STAMP).is_ok_and(|built| built == now) {
        return Ok(());
    }
    for words in [&["ci", "--no-audit", "--no-fund"][..], &["run", "build"]] {
        let run = Command::new("npm").args(words).current_dir("web").output();
        match run {
            Ok(output) if output.status.success() => {}
            Ok(output) => {
                let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
                println!("cargo::error=npm {} failed in web/ ({})", words.join(" "), output.status);
                text.lines().filter(|l| !l.trim().is_empty()).take(20).for_each(|line| println!("cargo::error={line}"));
                return Ok(());
            }
            Err(_) => {
                println!(
                    "cargo::error=a git checkout builds its web app with npm, which is not here: install Node.js 20 or newer \
                     with npm (Debian: apt-get install nodejs npm), or install the published crate, which needs neither"
                );
                return Ok(());
            }
        }
    }
    fs::write(STAMP, now)?;
    Ok(())
}

/// Every source file's name and content in one number: FNV-1a.
fn fingerprint(sources: &[&str]) -> Result<String, Box<dyn Error>> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders: Vec<PathBuf> = sources.iter().map(PathBuf::from).collect();
    while let Some(path) = folders.pop() {
        if path.is_dir() {
            folders.extend(fs::read_dir(path)?.map(|entry| entry.map(|e| e.path())).collect::<Result<Vec<_>, _>>()?);
        } else if path.exists() {
            files.push(path);
        }
    }
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        let bytes = file.to_string_lossy().into_owned().into_bytes().into_iter().chain(fs::read(&file)?);
        hash = bytes.fold(hash, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    }
    Ok(format!("{hash:016x}\n"))
}
