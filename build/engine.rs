//! Builds `engine/` for WebAssembly into `web/static/engine/`, in a git checkout, when what it is built of changed: for sites, which
//! look up names in binaries, and smaller for report files.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::fingerprint;

/// File of the build, and what it is called compressed, which the program carries like the page, and as it is, for tests.
const ENGINES: [[&str; 3]; 2] = [
    ["heapview_engine.wasm", "web/static/engine/heapview.wasm.zst", "target/engine/heapview.wasm"],
    ["heapview_report_engine.wasm", "web/static/engine/report.wasm.zst", "target/engine/report.wasm"],
];
/// Says which sources it was built from.
const STAMP: &str = "web/static/engine/built-from";
/// Apart from the program's own: its cargo waits for this build to end.
const TARGET_DIR: &str = "target/engine";
const TARGET: &str = "wasm32-unknown-unknown";
/// What it is built from besides the modules of the core.
const SOURCES: [&str; 7] =
    ["engine/Cargo.toml", "engine/report", "engine/src", "proto/profile.rs", "src/lib.rs", "Cargo.toml", "Cargo.lock"];
/// Linkers for WebAssembly that are no part of a Rust toolchain, the newest first.
const LINKERS: [&str; 7] = ["wasm-ld", "wasm-ld-22", "wasm-ld-21", "wasm-ld-20", "wasm-ld-19", "wasm-ld-18", "wasm-ld-17"];

const HOW: &str = "for reports that work without a server run `rustup target add wasm32-unknown-unknown`, or on a Debian without rustup \
                   `apt-get install rustc-web cargo-web rust-web-src lld-19`, and build again";

/// Builds the engine unless it is there and of these very sources. Without a toolchain for it the program has none. Debug builds,
/// which read it from disk, build none unless `HEAPVIEW_ENGINE=build`.
pub(crate) fn build() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=HEAPVIEW_ENGINE");
    println!("cargo::rerun-if-changed=build");
    if !Path::new("engine/src").exists() {
        return Ok(());
    }
    fs::create_dir_all("web/static/engine")?;
    let wish = env::var("HEAPVIEW_ENGINE").unwrap_or_default();
    let is_debug = env::var("PROFILE").is_ok_and(|profile| profile == "debug");
    let is_web_kept = env::var("HEAPVIEW_WEB").is_ok_and(|wish| wish == "keep");
    if wish == "keep" || (wish != "build" && (is_debug || is_web_kept)) {
        return Ok(());
    }
    let sources = sources()?;
    sources.iter().for_each(|path| println!("cargo::rerun-if-changed={path}"));
    let now = fingerprint(&sources.iter().map(String::as_str).collect::<Vec<_>>())?;
    let are_there = || ENGINES.iter().all(|[_, compressed, _]| Path::new(compressed).exists());
    let is_current = || are_there() && fs::read_to_string(STAMP).is_ok_and(|built| built == now);
    if !is_current() {
        make(&now)?;
    }
    // Run again when it is gone, or if there is none when something was installed that may build one. A path that does not exist
    // would be a reason to run again each time.
    let built = ENGINES.iter().map(|[_, compressed, _]| PathBuf::from(compressed)).chain([STAMP.into()]).collect();
    let paths = if is_current() { built } else { installed() };
    paths.iter().filter(|path| path.exists()).for_each(|path| println!("cargo::rerun-if-changed={}", path.display()));
    Ok(())
}

/// Builds the engines, with a stamp that says from what.
fn make(stamp: &str) -> Result<(), Box<dyn Error>> {
    // Those of other sources would answer differently from the program.
    for [_, compressed, _] in ENGINES {
        let _ = fs::remove_file(compressed);
    }
    let toolchains = toolchains();
    if toolchains.is_empty() {
        println!("cargo::warning=no Rust toolchain here builds WebAssembly: {HOW}");
        return Ok(());
    }
    let mut failures = Vec::new();
    for toolchain in toolchains {
        let output = toolchain.command().output()?;
        if output.status.success() {
            match ENGINES.into_iter().try_for_each(compress) {
                Ok(()) => return Ok(fs::write(STAMP, stamp)?),
                Err(error) => failures.push(format!("node web/compress.mjs could not compress the engine: {error}")),
            }
            break;
        }
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let errors = text.lines().skip_while(|line| !line.starts_with("error")).filter(|line| !line.trim().is_empty());
        failures.push(format!("{} could not build the engine ({})", toolchain.rustc.to_string_lossy(), output.status));
        failures.extend(errors.take(12).map(str::to_owned));
    }
    failures.iter().for_each(|line| println!("cargo::warning={line}"));
    println!("cargo::warning={HOW}");
    Ok(())
}

/// Puts an engine that was built where the program and tests look for it.
fn compress([built, to, plain]: [&str; 3]) -> Result<(), Box<dyn Error>> {
    fs::copy(Path::new(TARGET_DIR).join(TARGET).join("engine").join(built), plain)?;
    let output = Command::new("node").args(["web/compress.mjs", plain, to]).output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().into()),
    }
}

/// The engine's own sources and the modules of the core: those of `src/lib.rs` that the feature `app` does not switch on.
fn sources() -> Result<Vec<String>, Box<dyn Error>> {
    let library = fs::read_to_string("src/lib.rs")?;
    let mut is_app = false;
    let mut sources: Vec<String> = SOURCES.map(str::to_owned).to_vec();
    for line in library.lines() {
        let module = line.trim_start_matches("pub ").strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';'));
        if let Some(module) = module.filter(|_| !is_app) {
            sources.extend([format!("src/{module}.rs"), format!("src/{module}")].into_iter().filter(|path| Path::new(path).exists()));
        }
        is_app = line == "#[cfg(feature = \"app\")]";
    }
    Ok(sources)
}

/// A compiler and cargo that can build WebAssembly.
struct Toolchain {
    rustc: OsString,
    cargo: OsString,
    /// It has the standard library's sources only.
    builds_std: bool,
    /// `None`: its own.
    linker: Option<PathBuf>,
}

/// The toolchains of this machine that may do, the best first: the active one, then Debian's.
fn toolchains() -> Vec<Toolchain> {
    let active = (env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()), env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let debian = (OsString::from("/usr/bin/rustc"), OsString::from("/usr/bin/cargo"));
    let found = |(rustc, cargo): (OsString, OsString)| {
        let libraries = printed(&rustc, &["--print", "target-libdir", "--target", TARGET])?;
        let sysroot = printed(&rustc, &["--print", "sysroot"])?;
        let has_std = fs::read_dir(libraries)
            .is_ok_and(|mut files| files.any(|file| file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libstd-"))));
        let has_sources = sysroot.join("lib/rustlib/src/rust/library/std/Cargo.toml").exists();
        let linker = linker(&sysroot);
        let is_able = has_std || (has_sources && linker.is_some() && Path::new(&cargo).exists());
        is_able.then_some(Toolchain { rustc, cargo, builds_std: !has_std, linker: linker.filter(|_| !has_std) })
    };
    [active, debian].into_iter().filter_map(found).collect()
}

/// The linker in this toolchain, or one of the machine.
fn linker(sysroot: &Path) -> Option<PathBuf> {
    let host = env::var("HOST").unwrap_or_default();
    let own = sysroot.join("lib/rustlib").join(host).join("bin/rust-lld");
    let folders: Vec<PathBuf> = env::var_os("PATH").map_or(Vec::new(), |path| env::split_paths(&path).collect());
    let others = LINKERS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    [own].into_iter().chain(others).find(|path| path.is_file())
}

/// Where toolchains are installed.
fn installed() -> Vec<PathBuf> {
    let sysroot = printed(&env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()), &["--print", "sysroot"]);
    sysroot.map(|path| path.join("lib/rustlib")).into_iter().chain(["/usr/lib/rustlib".into(), "/usr/bin".into()]).collect()
}

fn printed(rustc: &OsString, arguments: &[&str]) -> Option<PathBuf> {
    let output = Command::new(rustc).args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}

impl Toolchain {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.cargo);
        // Together: the core is built once, and both are linked at the same time.
        command.args([
            "build",
            "--package",
            "heapview-engine",
            "--package",
            "heapview-report-engine",
            "--profile",
            "engine",
            "--target",
            TARGET,
        ]);
        command.env("RUSTC", &self.rustc).env("CARGO_TARGET_DIR", TARGET_DIR);
        // What was set for the program does not fit WebAssembly, such as a processor; clippy is not wanted.
        for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "CARGO_BUILD_TARGET", "RUSTC_WORKSPACE_WRAPPER"] {
            command.env_remove(name);
        }
        // It would take the program's features for its own.
        env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().starts_with("CARGO_FEATURE_")).for_each(|name| {
            command.env_remove(name);
        });
        if self.builds_std {
            command.arg("-Zbuild-std=std,panic_abort").env("RUSTC_BOOTSTRAP", "1");
        }
        if let Some(linker) = &self.linker {
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        command
    }
}
