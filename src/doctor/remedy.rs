//! Problems of a module's names, and advice.

use crate::base::plain::base_name;
use crate::report::DoctorModule;
use crate::symbolize::{Advice, DebugKind, Doubt, Examined, Facts, NO_SPLIT, Outcome};

/// The machine that heapview runs on, as far as it matters.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// The text of `/etc/os-release`; empty when there is none.
    pub os_release: String,
    /// Whether debuginfod is enabled (DEBUGINFOD_URLS).
    pub asks_servers: bool,
    /// How the user gives files.
    pub advice: Advice,
}

impl Host {
    /// Reads the environment of this machine.
    pub fn this() -> Self {
        let os_release = ["/etc/os-release", "/usr/lib/os-release"].iter().find_map(|path| std::fs::read_to_string(path).ok());
        Host {
            os_release: os_release.unwrap_or_default(),
            asks_servers: std::env::var_os("DEBUGINFOD_URLS").is_some_and(|urls| !urls.is_empty()),
            advice: Advice::CommandLine,
        }
    }

    /// A page without a server, which knows nothing of the machine.
    pub fn page() -> Self {
        Host { advice: Advice::Page, ..Host::default() }
    }

    /// The server of a store, which looks at nothing else on its machine.
    pub fn store() -> Self {
        Host { advice: Advice::Store, ..Host::default() }
    }

    fn is_page(&self) -> bool {
        self.advice != Advice::CommandLine
    }
}

/// Share of a file's value that may lack functions before it is a problem, per cent. Assembly code has no lines anywhere.
const LACKING_FUNCTION: i64 = 5;
const LACKING_LINE: i64 = 20;

/// Fills in what is wrong and what helps.
pub(super) fn prescribe(module: &mut DoctorModule, file: &Examined, is_main: bool, place: &Host) {
    let name = base_name(&file.path).to_owned();
    let lacks = |known: i64, most: i64| (module.value - known).saturating_mul(100) > module.value.saturating_mul(most);
    let lacks_function = lacks(module.function, LACKING_FUNCTION);
    let lacks_line = lacks(module.line, LACKING_LINE);
    let (problem, remedy) = match &file.outcome {
        Outcome::Named if lacks_function => (
            "names are in the profile, and some are missing".to_owned(),
            vec![in_program(place, "-symbolize=force looks them up again, from the binary that ran")],
        ),
        Outcome::Named => return,
        Outcome::NoFile if lacks_function && (name == "[anon]" || name.starts_with("memfd:") || name.is_empty()) => (
            "code outside any file: generated at run time, or remapped".to_owned(),
            vec![in_program(place, "--perf-map=/tmp/perf-PID.map, if the program writes such a file")],
        ),
        Outcome::NoFile => return,
        Outcome::Unnamed => ("the profile does not name its program".to_owned(), vec![give_program(is_main, place)]),
        Outcome::NotFound(_) => ("not found".to_owned(), where_else(module, is_main, place)),
        Outcome::Unreadable(path, why) => (format!("{} cannot be read: {why}", path.display()), vec![give_program(is_main, place)]),
        Outcome::OtherBuild(path, found) => (
            format!("{} is another build: its build id is {found}, that of the profile is {}", path.display(), module.build_id),
            where_else(module, is_main, place),
        ),
        Outcome::Found(facts) => match wrong_file(facts, &module.build_id) {
            Some(problem) => {
                module.is_doubtful = true;
                (problem, where_else(module, is_main, place))
            }
            // The symbol table is whole, and still has no name for most of it.
            None if lacks(module.function, 50) && facts.has_symbols => {
                module.is_doubtful = true;
                let problem = format!("most addresses are in no function of {}: it may not be the program that ran", module.file);
                (problem, where_else(module, is_main, place))
            }
            None if lacks_function || lacks_line => {
                let Some(found) = thin(facts, module, place) else { return };
                found
            }
            None => return,
        },
    };
    let remedy = remedy.iter().map(|way| place.advice.reworded(way)).collect();
    (module.problem, module.remedy) = (problem, remedy);
}

/// Advice for the command line; a page has no such option.
fn in_program(place: &Host, way: &str) -> String {
    if place.is_page() { format!("open the profile with the program heapview: {way}") } else { way.to_owned() }
}

fn give_program(is_main: bool, place: &Host) -> String {
    match is_main {
        true if place.is_page() => "drop the binary that produced this profile on the page".into(),
        false if place.is_page() => "drop it on the page".into(),
        true => "pass the binary that produced this profile: heapview BINARY PROFILE".into(),
        false => "set PPROF_BINARY_PATH to the directories to search".into(),
    }
}

/// Where to look for a file that is missing or the wrong one.
fn where_else(module: &DoctorModule, is_main: bool, place: &Host) -> Vec<String> {
    if place.is_page() {
        let id = if module.build_id.is_empty() { String::new() } else { format!(" (build id {})", module.build_id) };
        return vec![give_program(is_main, place) + &id];
    }
    let mut ways = Vec::new();
    if !is_main && !module.is_system {
        ways.push("put it beside the binary, or name it after the binary (heapview BINARY LIBRARY DUMP)".into());
    }
    ways.push(give_program(is_main, place));
    if is_main {
        ways.push("set PPROF_BINARY_PATH to the directories to search by name and build id".into());
    }
    let folder = module.name.rsplit_once('/').map_or("/", |(folder, _)| if folder.is_empty() { "/" } else { folder });
    ways.push(format!("--sysroot=DIR, a copy of the root of the profiled machine, or --remap={folder}=DIR"));
    if !module.build_id.is_empty() {
        ways.push(format!("--debug-dir=DIR, where DIR contains .build-id/{}", in_folder(&module.build_id)));
        ways.extend(servers(place));
    }
    ways
}

/// `ab/cdef….debug`.
fn in_folder(build_id: &str) -> String {
    match (build_id.get(..2), build_id.get(2..)) {
        (Some(folder), Some(rest)) => format!("{folder}/{rest}.debug"),
        _ => String::new(),
    }
}

/// Evidence that the file is not the one that ran.
fn wrong_file(facts: &Facts, expected: &str) -> Option<String> {
    let path = facts.path.display();
    if facts.is_other_build {
        return Some(format!("{path} is another build: its build id is {}, that of the profile is {expected}", facts.build_id));
    }
    if facts.is_other_layout {
        return Some(format!("{path} is not the file that ran: its segments do not match the profile's memory map"));
    }
    let why = facts.doubts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", and ");
    match facts.doubts.first()? {
        Doubt::Misfit(_) => Some(format!("{path} is another build than the one that ran: {why}")),
        _ => Some(format!("{path} may be another build than the one that ran: {why}")),
    }
}

/// Data that the right file lacks.
fn thin(facts: &Facts, module: &DoctorModule, place: &Host) -> Option<(String, Vec<String>)> {
    let is_rust = facts.language == Some("Rust");
    if let Some(split) = facts.split.as_ref().filter(|split| split.n_missing > 0) {
        let problem =
            format!("{} of {} .dwo files are missing or of another build, one is {}", split.n_missing, split.n_parts, split.first_missing);
        let mut ways = vec![
            "restore them: cargo clean or another build removed them, or the program was copied without them".to_owned(),
            match place.advice {
                Advice::Page => "drop the .dwo files or the .dwp on the page".to_owned(),
                Advice::Store => NO_SPLIT.to_owned(),
                Advice::CommandLine => {
                    "PPROF_BINARY_PATH=DIR, where DIR contains them, or --remap=FROM=TO if the directory has another name here".to_owned()
                }
            },
        ];
        if is_rust {
            ways.push(profile_lines(facts, module, "split-debuginfo = \"packed\" # one .dwp beside the program; \"off\": all in it"));
        }
        return Some((problem, ways));
    }
    if let Some(name) = &facts.missing_alt {
        let problem = format!("the debug information refers to {name} (made by dwz), which was not found");
        let base = base_name(name);
        return Some((
            problem,
            vec![match place.advice {
                Advice::Page | Advice::Store => format!("drop .dwz/{base} (part of the debug package) on the page"),
                Advice::CommandLine => format!("--debug-dir=DIR, where DIR contains .dwz/{base} (part of the debug package)"),
            }],
        ));
    }
    if module.is_system && (facts.debug.is_some() || facts.debug_file.is_some()) {
        return None; // What it lacks was written in assembly.
    }
    if module.is_system {
        return Some(("no debug information".to_owned(), package(module, place)));
    }
    if facts.debug.is_none() && facts.debug_file.is_none() && facts.split.is_none() {
        let what = match (facts.has_symbols, facts.has_mini || facts.has_exports) {
            (true, _) => "no debug information: no lines and no inlined functions",
            (false, true) => "stripped: most function names are missing",
            _ => "stripped: no function names",
        };
        let mut ways = Vec::new();
        if let Some(link) = &facts.debug_link {
            let at =
                if module.file_build_id.is_empty() { String::new() } else { format!(" or .build-id/{}", in_folder(&module.file_build_id)) };
            ways.push(match place.advice {
                Advice::Page | Advice::Store => format!("its debug information is in {link}{at}: drop that file on the page"),
                Advice::CommandLine => format!("its debug information is in {link}: --debug-dir=DIR, where DIR contains it{at}"),
            });
        }
        if !facts.has_symbols {
            let id = if module.file_build_id.is_empty() { String::new() } else { format!(" (build id {})", module.file_build_id) };
            ways.push(match place.advice {
                Advice::Page | Advice::Store => format!("drop the unstripped build{id} or its debug file on the page"),
                Advice::CommandLine => {
                    format!("pass the unstripped build{id}, or put it or its debug file into a directory of PPROF_BINARY_PATH")
                }
            });
        }
        ways.push(if facts.has_symbols { build(facts, module) } else { format!("for the next profile, {}", build(facts, module)) });
        return Some((what.to_owned(), ways));
    }
    match facts.debug {
        Some(DebugKind::StandardLibrary) => Some((
            "debug information for Rust's standard library only: the program's own functions have no lines".to_owned(),
            vec![profile_lines(facts, module, "debug = \"line-tables-only\"")],
        )),
        Some(DebugKind::Lines) => Some(("debug information has lines, but no functions".to_owned(), vec![build(facts, module)])),
        Some(_) => {
            let problem = "part of it was compiled without debug information".to_owned();
            let way = match is_rust {
                true => {
                    let lines = "debug = \"line-tables-only\"";
                    match cargo_profile(facts, module) {
                        Some(name) => format!(
                            "in Cargo.toml, for dependencies too:\n[profile.{name}]\n{lines}\n[profile.{name}.package.\"*\"]\n{lines}"
                        ),
                        None => format!(
                            "in Cargo.toml, for the profile that it is built with (--profile) and for dependencies (package.\"*\" of that profile):\n{lines}"
                        ),
                    }
                }
                false => build(facts, module),
            };
            Some((problem, vec![way]))
        }
        None => None,
    }
}

/// How to build with debug information.
fn build(facts: &Facts, module: &DoctorModule) -> String {
    match facts.language {
        Some("Rust") => profile_lines(facts, module, "debug = \"line-tables-only\" # or 1, 2 for more\nstrip = false"),
        Some("Go") => "build without -ldflags=-s and -w".into(),
        _ => "compile with -g (-g1 is enough), link without -s, and do not strip the binary".into(),
    }
}

/// Settings of the Cargo profile of the program; without its name if the path does not show it.
fn profile_lines(facts: &Facts, module: &DoctorModule, lines: &str) -> String {
    match cargo_profile(facts, module) {
        Some(name) => format!("in Cargo.toml:\n[profile.{name}]\n{lines}"),
        None => format!("in Cargo.toml, for the profile that it is built with (--profile):\n{lines}"),
    }
}

/// The Cargo profile that a program was built with, by where it is or was when it ran.
fn cargo_profile(facts: &Facts, module: &DoctorModule) -> Option<String> {
    profile_of(&facts.path.to_string_lossy()).or_else(|| profile_of(&module.name))
}

/// The profile in `target/PROFILE/…` or `target/TRIPLE/PROFILE/…`; with another target folder only `release` and `debug` are known.
fn profile_of(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split(['/', '\\']).collect();
    let (_, folders) = parts.split_last()?;
    let below = folders.iter().rposition(|folder| *folder == "target").map(|at| &folders[at + 1..]);
    let is_triple = |folder: &str| folder.matches('-').count() >= 2;
    let name = match below {
        Some([triple, profile, ..]) if is_triple(triple) => profile,
        Some([profile, ..]) if !is_triple(profile) => profile,
        _ => folders.iter().rev().find(|folder| !matches!(**folder, "deps" | "examples")).filter(|f| matches!(**f, "release" | "debug"))?,
    };
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    is_name.then(|| if *name == "debug" { "dev".to_owned() } else { (*name).to_owned() })
}

/// Package with the debug information of a system library.
fn package(module: &DoctorModule, place: &Host) -> Vec<String> {
    if place.is_page() {
        return vec!["drop its debug file on the page".into()];
    }
    let base = base_name(&module.name);
    let is_libc =
        ["libc.", "libc-", "libm.", "libm-", "libpthread", "ld-linux", "libdl", "librt"].iter().any(|start| base.starts_with(start));
    let file = &module.file;
    let install = match Family::of(&place.os_release) {
        Family::Debian if is_libc => Some("apt install libc6-dbg".to_owned()),
        Family::Debian => Some(format!("install the -dbgsym (or -dbg) package of the package that owns the file (`dpkg -S {file}`)")),
        Family::Fedora if is_libc => Some("dnf debuginfo-install glibc".to_owned()),
        Family::Fedora => Some(format!("dnf debuginfo-install the package that owns the file (`rpm -qf {file}`)")),
        Family::Suse => Some(format!("zypper install the -debuginfo package of the package that owns the file (`rpm -qf {file}`)")),
        Family::Other => None,
    };
    let mut ways: Vec<String> = install.into_iter().collect();
    if !module.file_build_id.is_empty() {
        ways.extend(servers(place));
    }
    ways
}

/// Servers of debug information.
fn servers(place: &Host) -> Option<String> {
    let url = match value(&place.os_release, "ID") {
        _ if place.asks_servers => return None,
        "debian" => "https://debuginfod.debian.net",
        "ubuntu" => "https://debuginfod.ubuntu.com",
        "fedora" => "https://debuginfod.fedoraproject.org",
        "arch" => "https://debuginfod.archlinux.org",
        id if id.starts_with("opensuse") => "https://debuginfod.opensuse.org",
        _ => "https://debuginfod.elfutils.org",
    };
    Some(format!("set DEBUGINFOD_URLS={url} to download it"))
}

/// Distributions by their tools.
#[derive(Clone, Copy)]
enum Family {
    Debian,
    Fedora,
    Suse,
    Other,
}

impl Family {
    fn of(os_release: &str) -> Self {
        let ids = format!("{} {}", value(os_release, "ID"), value(os_release, "ID_LIKE"));
        for id in ids.split_ascii_whitespace() {
            match id {
                "debian" | "ubuntu" => return Family::Debian,
                "fedora" | "rhel" | "centos" => return Family::Fedora,
                "suse" => return Family::Suse,
                _ => {}
            }
        }
        Family::Other
    }
}

/// Value of `NAME=value` in the text of os-release; empty if missing.
fn value<'a>(os_release: &'a str, name: &str) -> &'a str {
    let lines = os_release.lines().filter_map(|line| line.split_once('='));
    lines.into_iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_is_that_of_the_path() {
        for (path, profile) in [
            ("/home/me/app/target/release/app", Some("release")),
            ("/home/me/app/target/debug/deps/app-0123", Some("dev")),
            ("/src/target/profiling/app", Some("profiling")),
            ("/src/target/x86_64-unknown-linux-gnu/profiling/examples/app", Some("profiling")),
            ("target/aarch64-apple-darwin/debug/app", Some("dev")),
            ("C:\\app\\target\\release-lto\\app.exe", Some("release-lto")),
            ("/target/checkout/target/release/app", Some("release")),
            ("/var/cache/cargo/release/deps/app", Some("release")),
            ("/var/cache/cargo/profiling/app", None),
            ("/usr/bin/app", None),
            ("/opt/target/app", None),
            ("target/x86_64-unknown-linux-gnu/app", None),
            ("target/evil]\n/app", None),
            ("", None),
        ] {
            assert_eq!(profile_of(path).as_deref(), profile, "{path}");
        }
    }

    #[test]
    fn the_package_is_that_of_the_distribution() {
        let of = |os_release: &str, name: &str| {
            let place = Host { os_release: os_release.into(), ..Host::default() };
            let module = DoctorModule { name: name.into(), file: name.into(), file_build_id: "abcd".into(), ..DoctorModule::default() };
            package(&module, &place).join("; ")
        };
        assert_eq!(
            of("NAME=\"Debian GNU/Linux\"\nID=debian\n", "/lib/x86_64-linux-gnu/libc.so.6"),
            "apt install libc6-dbg; set DEBUGINFOD_URLS=https://debuginfod.debian.net to download it"
        );
        assert!(of("ID=pop\nID_LIKE=\"ubuntu debian\"\n", "/usr/lib/libz.so").contains("`dpkg -S /usr/lib/libz.so`"));
        assert!(of("ID=fedora\n", "/lib64/libc.so.6").starts_with("dnf debuginfo-install glibc; "));
        assert!(of("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", "/lib64/libz.so").starts_with("zypper install"));
        assert_eq!(of("", "/lib64/libz.so"), "set DEBUGINFOD_URLS=https://debuginfod.elfutils.org to download it");
    }
}
