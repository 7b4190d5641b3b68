//! debuginfod, with a server in the test.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use object::Object;

use crate::fixture::{self, path};
use crate::served::{Server, send};

const DUMP: &str = "gperftools/shop.0003.heap";

/// A home directory with a copy of a program whose debug information cannot be found.
struct Home {
    folder: tempfile::TempDir,
    app: PathBuf,
    whole: Vec<u8>,
    id: String,
}

impl Home {
    fn new() -> Home {
        let folder = tempfile::tempdir().unwrap();
        let whole = fs::read(path("testdata/bin/shop")).unwrap();
        let id = object::File::parse(&*whole).unwrap().build_id().unwrap().unwrap().to_vec();
        let mut hidden = whole.clone();
        for at in 0..hidden.len() - 7 {
            if hidden[at..].starts_with(b"\0.debug_") {
                hidden[at + 1] = b',';
            }
        }
        let app = folder.path().join("app");
        fs::write(&app, hidden).unwrap();
        Home { app, whole, id: id.iter().map(|byte| format!("{byte:02x}")).collect(), folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn command(&self, urls: &str, args: &[&str]) -> Command {
        let mut command = fixture::program();
        command.args(args).current_dir(path("testdata")).env("TZ", "UTC").stdin(Stdio::null());
        command.env("HOME", self.path()).env("XDG_CACHE_HOME", self.path().join("cache")).env("DEBUGINFOD_URLS", urls);
        command.env("PPROF_BINARY_PATH", self.path().join("search")).env_remove("HTTP_PROXY").env_remove("http_proxy");
        for name in ["CACHE_PATH", "TIMEOUT", "MAXTIME", "MAXSIZE"] {
            command.env_remove(format!("DEBUGINFOD_{name}"));
        }
        command
    }

    /// Outputs of all tables, of the program that has no debug information.
    fn raw(&self, urls: &str, limits: &[(&str, &str)]) -> (String, String) {
        let mut command = self.command(urls, &["-raw", &self.app.to_string_lossy(), DUMP]);
        let output = command.envs(limits.iter().copied()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    fn place(&self) -> String {
        format!("/buildid/{}/debuginfo", self.id)
    }

    fn kept(&self) -> PathBuf {
        self.path().join("cache/debuginfod_client").join(&self.id).join("debuginfo")
    }
}

fn url(server: &Server) -> String {
    format!("http://{}", server.at)
}

#[test]
fn debug_information_is_fetched_once_and_kept_where_clients_keep_it() {
    let home = Home::new();
    let server = Server::of(&[(&home.place(), home.whole.clone())]);
    let (without_lines, stderr) = home.raw("", &[]);
    assert!(!without_lines.contains("main.rs") && stderr.contains("no debug information"), "{stderr}");
    let (with_lines, stderr) = home.raw(&format!(" ima:enforcing {}/ ", url(&server)), &[]);
    assert!(with_lines.contains("main.rs") && !stderr.contains("no debug information"), "{stderr}");
    assert_eq!(server.lines(), [format!("GET {}", home.place())]);
    assert_eq!(fs::read(home.kept()).unwrap(), home.whole);
    assert_eq!(fs::read_dir(home.kept().parent().unwrap()).unwrap().count(), 1);
    // From then on no request is sent, not even whether the file exists.
    assert_eq!(home.raw(&url(&server), &[]).0, with_lines);
    let fresh = home.command(&url(&server), &["-raw", "-no_symbol_cache", &home.app.to_string_lossy(), DUMP]).output().unwrap();
    assert_eq!(String::from_utf8(fresh.stdout).unwrap(), with_lines);
    assert_eq!(server.lines().len(), 1);
}

#[test]
fn missing_programs_are_fetched() {
    let home = Home::new();
    let place = format!("/buildid/{}/executable", home.id);
    let server = Server::of(&[(&place, home.whole.clone())]);
    // The dump has the build id only after symbolization.
    let dump = home.path().join("dump.pb.gz");
    let build = format!("-buildid={}", home.id);
    let args = ["-proto", "-symbolize=none", &build, "-output", dump.to_str().unwrap(), DUMP];
    assert!(home.command("", &args).output().unwrap().status.success());
    let top = |urls: &str| {
        let output = home.command(urls, &["-top", "-lines", dump.to_str().unwrap()]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!top("").contains("shop::"));
    assert!(top(&url(&server)).contains("shop::"));
    assert_eq!(server.lines(), [format!("GET {place}")]);
}

#[test]
fn missing_files_are_not_requested_again_for_ten_minutes() {
    let home = Home::new();
    let servers = [Server::of(&[]), Server::of(&[])];
    let urls = format!("{} {}/base", url(&servers[0]), url(&servers[1]));
    let (without_lines, stderr) = home.raw(&urls, &[]);
    assert!(!stderr.contains("debuginfod"), "{stderr}");
    assert_eq!(servers[0].lines(), [format!("GET {}", home.place())]);
    assert_eq!(servers[1].lines(), [format!("GET /base{}", home.place())]);
    assert_eq!(fs::metadata(home.kept()).unwrap().len(), 0);
    assert_eq!(home.raw(&urls, &[]).0, without_lines);
    assert_eq!(servers[0].lines().len(), 1);
    let asked_before = |seconds| {
        let file = fs::File::options().write(true).open(home.kept()).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
        home.raw(&urls, &[]);
        servers[0].lines().len()
    };
    assert_eq!(asked_before(590), 1);
    assert_eq!(asked_before(610), 2);
    fs::write(home.path().join("cache/debuginfod_client/cache_miss_s"), "30\n").unwrap();
    assert_eq!(asked_before(40), 3);
    // Another client may have brought it meanwhile.
    fs::write(home.kept(), &home.whole).unwrap();
    assert!(home.raw(&urls, &[]).0.contains("main.rs"));
}

#[test]
fn a_file_of_another_build_is_not_used() {
    let home = Home::new();
    for wrong in [fs::read(path("testdata/bin/shop-v0")).unwrap(), b"<html>".to_vec(), home.whole[..5000].to_vec(), Vec::new()] {
        let right = Server::of(&[(&home.place(), home.whole.clone())]);
        let server = Server::of(&[(&home.place(), wrong)]);
        let (without_lines, stderr) = home.raw(&url(&server), &[]);
        assert!(
            !without_lines.contains("main.rs") && stderr.contains(&format!("http://{}{}: ignored the file: ", server.at, home.place())),
            "{stderr}"
        );
        assert!(!home.kept().parent().unwrap().exists());
        let (with_lines, _) = home.raw(&format!("{} {}", url(&server), url(&right)), &[]);
        assert!(with_lines.contains("main.rs"));
        fs::remove_dir_all(home.path().join("cache")).unwrap();
    }
}

#[test]
fn slow_servers_are_abandoned_for_the_next() {
    let home = Home::new();
    let silent = Server::start(|_, _| {
        loop {
            std::thread::sleep(Duration::from_secs(60));
        }
    });
    let drop_by_drop = Server::start(|_, to| {
        write!(to, "HTTP/1.1 200 OK\r\n\r\n")?;
        loop {
            to.write_all(b"x")?;
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let good = Server::of(&[(&home.place(), home.whole.clone())]);
    let started = Instant::now();
    let urls = [&silent, &drop_by_drop, &good].map(url).join(" ");
    let (with_lines, stderr) = home.raw(&urls, &[("DEBUGINFOD_TIMEOUT", "1")]);
    assert!(with_lines.contains("main.rs"), "{stderr}");
    assert!(started.elapsed() < Duration::from_secs(20));
    for server in [&silent, &drop_by_drop] {
        assert!(stderr.contains(&format!("http://{}: the response is too slow", server.at)), "{stderr}");
    }
    assert_eq!(fs::read_dir(home.kept().parent().unwrap()).unwrap().count(), 1);
    fs::remove_dir_all(home.path().join("cache")).unwrap();
    let (_, stderr) = home.raw(&url(&drop_by_drop), &[("DEBUGINFOD_MAXTIME", "1")]);
    assert!(stderr.contains("within 1 s"), "{stderr}");
}

#[test]
fn a_file_that_is_too_long_is_not_taken() {
    let home = Home::new();
    let whole = home.whole.clone();
    let without_length = Server::start(move |_, to| {
        write!(to, "HTTP/1.1 200 OK\r\n\r\n")?;
        to.write_all(&whole)
    });
    let with_length = Server::of(&[(&home.place(), home.whole.clone())]);
    for server in [with_length, without_length] {
        let (without_lines, stderr) = home.raw(&url(&server), &[("DEBUGINFOD_MAXSIZE", "300000")]);
        assert!(!without_lines.contains("main.rs") && stderr.contains("exceeds the limit"), "{stderr}");
        assert!(!home.kept().parent().unwrap().exists());
        assert_eq!(server.lines().len(), 1);
    }
}

#[test]
fn the_folder_is_the_one_that_other_clients_use() {
    let home = Home::new();
    let server = Server::of(&[(&home.place(), home.whole.clone())]);
    let own = home.path().join("own");
    home.raw(&url(&server), &[("DEBUGINFOD_CACHE_PATH", own.to_str().unwrap())]);
    assert!(own.join(&home.id).join("debuginfo").exists());
    let old = home.path().join(".debuginfod_client_cache");
    fs::create_dir(&old).unwrap();
    home.raw(&url(&server), &[]);
    // The symbol cache knows that the file is sufficient.
    home.command(&url(&server), &["-raw", "-no_symbol_cache", &home.app.to_string_lossy(), DUMP]).output().unwrap();
    assert!(old.join(&home.id).join("debuginfo").exists() && !home.kept().exists());
    // The report works without a writable cache.
    let (without_lines, stderr) = home.raw(&url(&server), &[("DEBUGINFOD_CACHE_PATH", "/proc/none"), ("XDG_CACHE_HOME", "/proc/none")]);
    assert!(!without_lines.contains("main.rs") && stderr.contains("cannot write to /proc/none"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn interrupted_downloads_leave_no_partial_files() {
    let home = Home::new();
    let whole = home.whole.clone();
    let server = Server::start(move |_, to| {
        write!(to, "HTTP/1.1 200 OK\r\n\r\n")?;
        to.write_all(&whole[..200_000])?;
        std::thread::sleep(Duration::from_secs(60));
        send(to, "200 OK", "", b"")
    });
    let files = || fs::read_dir(home.kept().parent().unwrap()).map_or(0, Iterator::count);
    // In the page names come in the background, and it ends by Ctrl-C, too.
    for args in [&["-raw"][..], &["-http=:", "-no_browser"]] {
        let mut command = home.command(&url(&server), &[args, &[&home.app.to_string_lossy(), DUMP]].concat());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while files() == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        child.wait().unwrap();
        assert_eq!(files(), 0, "{args:?}");
    }
}
