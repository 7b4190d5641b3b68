//! Profiles over HTTP, from a server in the test.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::fixture::{self, path};
use crate::served::{Server, send};

/// The program, with a home of its own to save in.
fn heapview(home: &Path, args: &[&str]) -> Output {
    let mut command = fixture::program();
    command.args(args).current_dir(path("testdata")).env("PPROF_BINARY_PATH", "bin").env("TZ", "UTC").stdin(Stdio::null());
    command.env("HOME", home).env_remove("PPROF_TMPDIR").env_remove("HTTP_PROXY").env_remove("http_proxy");
    command.output().unwrap()
}

/// Standard output, and standard error with the server called SERVER and the home HOME.
fn run(server: &Server, args: &[&str]) -> (Option<i32>, String, String) {
    let home = tempfile::tempdir().unwrap();
    run_at(home.path(), server, args)
}

fn run_at(home: &Path, server: &Server, args: &[&str]) -> (Option<i32>, String, String) {
    let args: Vec<String> = args.iter().map(|w| w.replace("SERVER", &server.at)).collect();
    let output = heapview(home, &args.iter().map(String::as_str).collect::<Vec<_>>());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&server.at, "SERVER").replace(&*home.to_string_lossy(), "HOME");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The error line, after the progress lines.
fn error(server: &Server, args: &[&str]) -> String {
    let (code, out, err) = run(server, args);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    let lines: Vec<&str> = err.lines().filter(|l| !l.starts_with("Fetching profile over HTTP from ")).collect();
    assert_eq!(lines.len(), 1, "{err}");
    lines[0].trim_start_matches("heapview: ").to_owned()
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(path("testdata").join(name)).unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A dump of an unknown program.
const NAMELESS: &[u8] =
    b"heap profile: 3: 300 [3: 300] @ heapprofile\n2: 200 [2: 200] @ 0x401234 0x401568\n1: 100 [1: 100] @ 0x401300 0x401568\n";

#[test]
fn a_fetched_profile_reads_like_its_file_and_is_saved() {
    let server = Server::of(&[("/debug/pprof/heap", file("gperftools/shop.0003.heap"))]);
    let home = tempfile::tempdir().unwrap();
    let local = heapview(home.path(), &["-top", "bin/shop", "gperftools/shop.0003.heap"]);
    let args = ["-top", "bin/shop", "http://SERVER/debug/pprof/heap"];
    let (code, table, stderr) = run_at(home.path(), &server, &args);
    assert_eq!((code, table), (Some(0), String::from_utf8(local.stdout).unwrap()));
    let saved = "pprof.shop.alloc_objects.alloc_space.inuse_objects.inuse_space";
    let start = format!("Fetching profile over HTTP from http://SERVER/debug/pprof/heap\nSaved profile in HOME/pprof/{saved}.001.pb.gz\n");
    // Missing names of system libraries are not the server's fault.
    assert!(stderr.starts_with(&start) && !stderr[start.len()..].contains("SERVER"), "{stderr}");
    // The next one does not take the first one's place.
    let before = std::fs::read(home.path().join(format!("pprof/{saved}.001.pb.gz"))).unwrap();
    let (_, table, stderr) = run_at(home.path(), &server, &["-top", "bin/shop", "SERVER/debug/pprof/heap"]);
    assert!(stderr.contains(&format!("HOME/pprof/{saved}.002.pb.gz\n")), "{stderr}");
    assert_eq!(std::fs::read(home.path().join(format!("pprof/{saved}.001.pb.gz"))).unwrap(), before);
    // It has its names, so nothing else is needed to read it again.
    let again = heapview(home.path(), &["-top", home.path().join(format!("pprof/{saved}.002.pb.gz")).to_str().unwrap()]);
    assert_eq!(String::from_utf8(again.stdout).unwrap(), table);
    assert_eq!(std::fs::read_dir(home.path().join("pprof")).unwrap().count(), 2, "parts are left behind");
}

#[test]
fn a_file_of_that_name_goes_first() {
    let server = Server::of(&[("/x", NAMELESS.to_vec())]);
    let home = tempfile::tempdir().unwrap();
    let mut command = fixture::program();
    std::fs::write(home.path().join(&server.at), NAMELESS).unwrap();
    let output = command.args(["-top", &server.at]).current_dir(home.path()).env("HOME", home.path()).output().unwrap();
    assert!(output.status.success() && server.lines().is_empty(), "{output:?}");
}

#[test]
fn host_and_port_are_enough() {
    for place in ["/debug/pprof/heap", "/pprof/heap", "/"] {
        let server = Server::of(&[(place, file("pprof/depot.1.pb.gz"))]);
        let (code, _, stderr) = run(&server, &["-top", "SERVER"]);
        let from = format!("Fetching profile over HTTP from http://SERVER{}\n", place.trim_end_matches('/'));
        assert_eq!((code, stderr.contains(&from)), (Some(0), true), "{stderr}");
    }
    let stderr = error(&Server::of(&[]), &["-top", "SERVER"]);
    assert!(
        stderr.starts_with("http://SERVER/debug/pprof/heap: the server answered 404") && stderr.ends_with("also tried /pprof/heap and /"),
        "{stderr}"
    );
}

#[test]
fn transport_and_profile_compression_are_both_undone() {
    let dump = file("pprof/depot.1.pb.gz");
    let (plain, twice) = (gzip(NAMELESS), gzip(&dump));
    let server = Server::start(move |request, to| match &*request.line {
        "GET /twice" => send(to, "200 OK", "Content-Encoding: gzip\r\n", &twice),
        "GET /once" => send(to, "200 OK", "Content-Encoding: gzip\r\n", &plain),
        _ => send(to, "200 OK", "", &dump),
    });
    let local = String::from_utf8(heapview(Path::new("/nonexistent"), &["-top", "pprof/depot.1.pb.gz"]).stdout).unwrap();
    assert_eq!(run(&server, &["-top", "SERVER/twice"]).1, local);
    assert_eq!(run(&server, &["-top", "SERVER/as-it-is"]).1, local);
    assert!(run(&server, &["-top", "-symbolize=local", "SERVER/once"]).1.contains("300B"));
    assert!(server.requests()[0].headers.contains("accept-encoding: gzip"));
}

#[test]
fn responses_that_are_not_profiles_are_quoted() {
    let page = b"<!doctype html>\n<html><body>\x1b[2JSign in</body></html>\n".to_vec();
    let server = Server::of(&[
        ("/page", page),
        ("/none", Vec::new()),
        ("/goroutines", b"goroutine profile: total 4\n1 @ 0x1\n".to_vec()),
        ("/program", file("bin/shop")),
        ("/words", b"\x1b[31mprofiling is off\n".to_vec()),
    ]);
    let stderr: Vec<String> = ["page", "none", "goroutines", "program", "words", "nosuch"]
        .iter()
        .map(|name| error(&server, &["-top", &format!("http://me:secret@SERVER/{name}")]) + "\n")
        .collect();
    expect_test::expect![[r#"
        http://me:xxxxx@SERVER/page: the response is not a profile, it starts with `<!doctype html>`; Go serves /debug/pprof/heap, gperftools and jemalloc servers /pprof/heap
        http://me:xxxxx@SERVER/none: the response is empty; is heap profiling enabled in the program?
        http://me:xxxxx@SERVER/goroutines: this is a Go profile that counts goroutines, threads or blocking, which heapview cannot open; fetch /debug/pprof/heap instead
        http://me:xxxxx@SERVER/program: the response is a binary, not a profile; save it, and give the file before the address of a profile
        http://me:xxxxx@SERVER/words: the response is not a profile, it starts with `\u{1b}[31mprofiling is off`; Go serves /debug/pprof/heap, gperftools and jemalloc servers /pprof/heap
        http://me:xxxxx@SERVER/nosuch: the server answered 404 Not Found: `404 page not found`; Go serves /debug/pprof/heap, gperftools and jemalloc servers /pprof/heap
    "#]]
    .assert_eq(&stderr.concat());
    let sent = server.requests()[0].headers.clone();
    assert!(sent.contains("authorization: basic bwu6c2vjcmv0"), "{sent}");
}

#[test]
fn failed_connections_are_reported() {
    let server = Server::of(&[]);
    let at = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().to_string()
    };
    let stderr = error(&server, &["-top", &format!("http://{at}/x")]);
    assert!(stderr.contains(&format!("cannot connect to {at}")) && stderr.contains("the port is right"), "{stderr}");
    assert!(error(&server, &["-top", "ftp://SERVER/x"]).contains("use http://"));
    let stderr = error(&server, &["-top", "http://me:secret@SERVER:99999/x"]);
    assert!(stderr.contains("invalid address") && !stderr.contains("secret"), "{stderr}");
    assert!(error(&server, &["-top", "-seconds=soon", "SERVER/x"]).contains("a whole number of seconds"));
}

#[test]
fn redirections_are_followed_up_to_a_limit() {
    let server = Server::start(|request, to| match &*request.line {
        "GET /here" => send(to, "302 Found", "Location: /there\r\n", b""),
        "GET /there" => send(to, "200 OK", "", NAMELESS),
        _ => send(to, "302 Found", "Location: /loop\r\n", b""),
    });
    assert_eq!(run(&server, &["-top", "-symbolize=local", "SERVER/here"]).0, Some(0));
    assert!(error(&server, &["-top", "SERVER/loop"]).contains("more than 10 redirects"));
    assert!(server.lines().len() < 16);
}

#[test]
fn a_slow_server_is_given_up() {
    let server = Server::start(|_, to| {
        write!(to, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nheap profile: 1: 1 [1: 1] @ heapprofile\n")?;
        std::thread::sleep(Duration::from_secs(60));
        Ok(())
    });
    let start = Instant::now();
    let stderr = error(&server, &["-top", "-timeout=1", "SERVER/x"]);
    assert!(stderr.contains("no complete response within 6 s (40 bytes received); increase -timeout=SECONDS"), "{stderr}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[cfg(unix)]
#[test]
fn ctrl_c_cancels_at_once_and_leaves_no_files() {
    let server = Server::start(|_, to| {
        write!(to, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nheap profile: 1: 1 [1: 1] @ heapprofile\n")?;
        std::thread::sleep(Duration::from_secs(60));
        Ok(())
    });
    let home = tempfile::tempdir().unwrap();
    let mut command = fixture::program();
    let mut child = command.args(["-top", &format!("{}/x", server.at)]).env("HOME", home.path()).stderr(Stdio::null()).spawn().unwrap();
    while server.lines().is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert!(!child.wait().unwrap().success());
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn endless_responses_are_limited() {
    let server = Server::start(|_, to| {
        write!(to, "HTTP/1.1 200 OK\r\n\r\n")?;
        loop {
            to.write_all(&[b'a'; 4096])?;
        }
    });
    let stderr = error(&server, &["-top", "SERVER/x"]);
    assert!(stderr.contains("the response is not a profile, it starts with `aaa"), "{stderr}");
}

#[test]
fn truncated_responses_are_errors() {
    let server =
        Server::start(|_, to| write!(to, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n").and_then(|()| to.write_all(NAMELESS)));
    let stderr = error(&server, &["-top", "SERVER/x"]);
    assert!(stderr.contains("the response was truncated after 116 bytes"), "{stderr}");
}

#[test]
fn profiles_and_bases_are_fetched_at_the_same_time() {
    // No response before all requests have arrived.
    static WAITING: AtomicUsize = AtomicUsize::new(0);
    let (new, old) = (file("gperftools/shop.0003.heap"), file("gperftools/shop.0001.heap"));
    let server = Server::start(move |request, to| {
        WAITING.fetch_add(1, Ordering::SeqCst);
        while WAITING.load(Ordering::SeqCst) < 3 {
            std::thread::sleep(Duration::from_millis(5));
        }
        send(to, "200 OK", "", if request.line.contains("old") { &old } else { &new })
    });
    let (code, table, stderr) = run(&server, &["-top", "-base=SERVER/old", "bin/shop", "SERVER/new", "SERVER/new"]);
    assert_eq!(code, Some(0), "{stderr}");
    let args = ["-top", "-base=gperftools/shop.0001.heap", "bin/shop", "gperftools/shop.0003.heap", "gperftools/shop.0003.heap"];
    let local = heapview(Path::new("/nonexistent"), &args);
    assert_eq!(table, String::from_utf8(local.stdout).unwrap());
    assert_eq!(server.lines()[..3], ["GET /new", "GET /new", "GET /old"]);
}

#[test]
fn saved_profiles_have_the_base_subtracted() {
    let server = Server::of(&[("/new", file("gperftools/shop.0003.heap")), ("/old", file("gperftools/shop.0001.heap"))]);
    let home = tempfile::tempdir().unwrap();
    let (_, table, _) = run_at(home.path(), &server, &["-top", "-base=SERVER/old", "bin/shop", "SERVER/new"]);
    let saved = home.path().join("pprof/pprof.shop.alloc_objects.alloc_space.inuse_objects.inuse_space.001.pb.gz");
    let again = heapview(home.path(), &["-top", saved.to_str().unwrap()]);
    // Rows that cancel out are not saved, and with them which calls were inlined.
    assert_eq!(String::from_utf8(again.stdout).unwrap(), table.replace(" (partial-inline)", ""));
}

#[test]
fn the_rest_is_shown_when_one_fails() {
    let server = Server::of(&[("/x", NAMELESS.to_vec())]);
    let (code, table, stderr) = run(&server, &["-top", "-symbolize=local", "SERVER/nosuch", "SERVER/x", "nosuch.heap"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(table.contains("300B"), "{table}");
    assert!(stderr.contains("SERVER/nosuch: the server answered 404") && stderr.contains("cannot open nosuch.heap"), "{stderr}");
    assert!(stderr.contains("Fetched 1 source profiles out of 3\n"), "{stderr}");
    let (code, _, stderr) = run(&server, &["-top", "-base=SERVER/nosuch", "-base=SERVER/no", "SERVER/x"]);
    assert_eq!(code, Some(2));
    assert!(stderr.ends_with("heapview: cannot read any of 2 base profiles\n"), "{stderr}");
}

#[test]
fn seconds_are_requested() {
    let server = Server::of(&[("/heap", NAMELESS.to_vec())]);
    let (_, _, stderr) = run(&server, &["-top", "-symbolize=none", "-seconds=90", "SERVER/heap?z=1&seconds=5"]);
    assert!(stderr.starts_with("Fetching profile over HTTP from http://SERVER/heap?seconds=90&z=1\nPlease wait... (1m30s)\n"), "{stderr}");
    assert_eq!(server.lines(), ["GET /heap?seconds=90&z=1"]);
}

#[test]
fn the_server_names_what_no_file_can() {
    let names = b"num_symbols: 1\n0x401233\t_ZN5store3putEi\n0x4012ff\tmain.fill\x1b[2J\n0x401567 main\n0xdead nobody asked\n".to_vec();
    let server =
        Server::of(&[("/pprof/heap", NAMELESS.to_vec()), ("/pprof/symbol", names), ("/pprof/cmdline", b"/srv/nosuch/store\0-x".to_vec())]);
    let (code, table, stderr) = run(&server, &["-top", "SERVER/pprof/heap"]);
    assert_eq!(code, Some(0), "{stderr}");
    expect_test::expect![[r#"
        File: store
        Type: space
        Showing nodes accounting for 300B, 100% of 300B total
              flat  flat%   sum%        cum   cum%
              200B 66.67% 66.67%       200B 66.67%  store::put
              100B 33.33%   100%       100B 33.33%  main.fill\u{1b}[2J
                 0     0%   100%       300B   100%  main
    "#]]
    .assert_eq(&table);
    expect_test::expect![[r#"
        Fetching profile over HTTP from http://SERVER/pprof/heap
        Saved profile in HOME/pprof/pprof.store.objects.space.001.pb.gz
    "#]]
    .assert_eq(&stderr);
    let post = server.requests().into_iter().find(|request| request.line.starts_with("POST")).unwrap();
    assert_eq!((&*post.line, &*post.body), ("POST /pprof/symbol", "0x401233+0x4012ff+0x401567"));
}

#[test]
fn names_are_requested_from_servers_only_if_allowed() {
    let is_named = |how: &str| {
        let server = Server::of(&[("/heapz", NAMELESS.to_vec()), ("/symbolz", b"0x401233 put\n".to_vec())]);
        let (code, table, stderr) = run(&server, &["-top", how, "SERVER/heapz"]);
        assert_eq!(code, Some(0), "{how}: {stderr}");
        (server.lines().iter().any(|l| l == "POST /symbolz"), table.contains(" put"))
    };
    for how in ["-symbolize=", "-symbolize=remote", "-symbolize=force", "-symbolize=local:remote", "-symbolize=demangle=none"] {
        assert_eq!(is_named(how), (true, true), "{how}");
    }
    for how in ["-symbolize=local", "-symbolize=none", "-symbolize=fastlocal", "-symbolize=remote:local"] {
        assert_eq!(is_named(how), (false, false), "{how}");
    }
}

#[test]
fn local_programs_are_preferred_to_the_server() {
    let server = Server::of(&[("/pprof/heap", file("gperftools/shop.0003.heap")), ("/pprof/symbol", Vec::new())]);
    let (_, table, _) = run(&server, &["-top", "bin/shop", "SERVER/pprof/heap"]);
    assert!(!table.contains("[shop]"), "{table}");
    let needed: String = server.requests().iter().map(|request| request.body.clone()).collect();
    let remote = run(&server, &["-top", "-symbolize=remote", "bin/shop", "SERVER/pprof/heap"]).1;
    assert!(remote.contains("[shop]"), "{remote}");
    let all: String = server.requests().iter().map(|request| request.body.clone()).collect();
    assert!(all.len() > needed.len() * 3, "the program's own addresses were requested, too");
}

#[test]
fn a_server_without_names_costs_only_the_names() {
    let server = Server::of(&[("/heapz", NAMELESS.to_vec())]);
    let (code, table, stderr) = run(&server, &["-top", "SERVER/heapz"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(table.contains("<unknown>"), "{table}");
    assert!(stderr.contains("http://SERVER/symbolz: the server answered 404 Not Found"), "{stderr}");
    assert!(stderr.contains("give the binary on the command line"), "{stderr}");
    let server = Server::of(&[("/heapz", NAMELESS.to_vec()), ("/symbolz", b"num_symbols: 0\n".to_vec())]);
    let stderr = run(&server, &["-top", "SERVER/heapz"]).2;
    assert!(stderr.contains("http://SERVER/symbolz: the server has no names for 3 addresses"), "{stderr}");
}

#[test]
fn unnamed_programs_of_two_servers_are_not_mixed_up() {
    let server = Server::of(&[
        ("/a/pprof/heap", NAMELESS.to_vec()),
        ("/a/pprof/symbol", b"0x401233 of_a\n".to_vec()),
        ("/b/pprof/heap", NAMELESS.to_vec()),
        ("/b/pprof/symbol", b"0x401233 of_b\n".to_vec()),
    ]);
    let (_, table, stderr) = run(&server, &["-top", "SERVER/a/pprof/heap", "SERVER/b/pprof/heap"]);
    assert!(table.contains(" of_a\n") && table.contains(" of_b\n"), "{table}{stderr}");
}

#[test]
fn relocated_programs_are_queried_by_their_own_addresses() {
    let dump = |start: u64| {
        let (call, end) = (start + 0x235, start + 0x1000);
        let head = format!("heap profile: 1: 100 [1: 100] @ heapprofile\n1: 100 [1: 100] @ {call:#x}\n\nMAPPED_LIBRARIES:\n");
        format!("{head}{start:x}-{end:x} r-xp 00000000 00:00 7 /srv/nosuch/store\n").into_bytes()
    };
    // The first server has no names, the other one knows them by other addresses.
    let server = Server::of(&[
        ("/a/pprof/heap", dump(0x5000_0000)),
        ("/b/pprof/heap", dump(0x7000_0000)),
        ("/b/pprof/symbol", b"0x70000234 store::put\n0x50000234 store::wrong\n".to_vec()),
    ]);
    let (_, table, stderr) = run(&server, &["-top", "SERVER/a/pprof/heap", "SERVER/b/pprof/heap"]);
    assert!(table.contains("200B   100%   100%       200B   100%  store::put\n"), "{table}{stderr}");
    let posts: Vec<String> =
        server.requests().into_iter().filter(|request| request.line.starts_with("POST")).map(|request| request.body).collect();
    assert_eq!(posts, ["0x50000234", "0x70000234"]);
}

#[test]
fn a_redirection_leads_only_to_http() {
    for to in ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://x", "http://", "//", "http://[/"] {
        let server = Server::start(move |_, stream| send(stream, "302 Found", &format!("Location: {to}\r\n"), b"moved\n"));
        let stderr = error(&server, &["-top", "SERVER/x"]);
        assert!(stderr.starts_with("http://SERVER/x: "), "{to}: {stderr}");
    }
}

#[test]
fn unwritable_save_folders_are_a_warning() {
    let server = Server::of(&[("/x", NAMELESS.to_vec())]);
    let home = tempfile::tempdir().unwrap();
    let own = home.path().join("kept");
    let mut command = fixture::program();
    command.args(["-top", "-symbolize=none", &format!("{}/x", server.at)]).env("HOME", home.path()).env("PPROF_TMPDIR", &own);
    let stderr = String::from_utf8(command.output().unwrap().stderr).unwrap();
    assert!(stderr.contains(&format!("Saved profile in {}/pprof.objects.space.001.pb.gz", own.display())), "{stderr}");
    // A file is in place of the directory.
    command.env("PPROF_TMPDIR", own.join("pprof.objects.space.001.pb.gz"));
    let stderr = String::from_utf8(command.output().unwrap().stderr).unwrap();
    assert!(
        stderr.contains("Could not use temp dir ") && stderr.contains(&format!("Saved profile in {}/pprof/", home.path().display())),
        "{stderr}"
    );
    // Nothing can be written there at all.
    command.env("PPROF_TMPDIR", "/proc");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("Could not save profile: in /proc: "), "{output:?}");
}
