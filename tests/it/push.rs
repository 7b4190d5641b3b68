//! Clients of a team server: `push`, `push-symbols`, and `store://` addresses.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::fixture::{path, program};
use crate::served;
use crate::team_names::Server;

struct Ended {
    code: i32,
    out: String,
    err: String,
}

/// A folder with a store, a spool and a cache, and commands that use them.
struct Client {
    folder: tempfile::TempDir,
    /// Variables.
    store: Vec<(&'static str, String)>,
}

impl Client {
    fn new() -> Client {
        Client { folder: tempfile::tempdir().unwrap(), store: Vec::new() }
    }

    /// A running server, which commands use from now on.
    fn server(&mut self, port: u16) -> Server {
        let server = Server::start_at(self.folder.path(), port);
        self.store = vec![("HEAPVIEW_SERVER", format!("http://{}", server.address))];
        server
    }

    fn run(&self, words: &[&str]) -> Ended {
        let mut command = program();
        command.current_dir(path("testdata")).args(words).envs(self.store.iter().cloned());
        command.env("XDG_STATE_HOME", self.folder.path().join("state")).env("XDG_CACHE_HOME", self.folder.path().join("cache"));
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ended { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    fn spooled(&self) -> usize {
        files(&self.folder.path().join("state/heapview/spool"))
    }
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, |entries| entries.filter(|entry| entry.as_ref().unwrap().path().is_file()).count())
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|_| panic!("{text}"))
}

#[test]
fn dumps_of_a_series_get_links() {
    let mut client = Client::new();
    let server = client.server(0);
    let first =
        client.run(&["push", "-service=shop", "-version=1.0", "-label", "zone=eu", "-label=a=b", "jemalloc/shop-sampled.2000.*.heap"]);
    assert_eq!((first.code, first.out.lines().count()), (0, 2), "{}{}", first.out, first.err);
    assert!(first.out.lines().all(|link| link.starts_with(&format!("http://{}/d/", server.address))), "{}", first.out);
    let list = json(&server.ask("GET", "/api/v1/dumps?service=shop", b"").1);
    let mut of: Vec<_> = list.as_array().unwrap().iter().collect();
    of.sort_by_key(|dump| dump["seq"].as_u64());
    let seen: Vec<_> = of.iter().map(|dump| (dump["pid"].as_str().unwrap(), dump["seq"].as_u64().unwrap())).collect();
    assert_eq!(seen, [("2000", 0), ("2000", 2)]);
    assert_eq!(
        (&of[0]["labels"]["zone"], &of[0]["labels"]["a"], &of[0]["name"]),
        (&"eu".into(), &"b".into(), &"shop-sampled.2000.0.m0.heap".into())
    );
    assert!(!of[0]["host"].as_str().unwrap().is_empty());
    let written = fs::metadata(path("testdata/jemalloc/shop-sampled.2000.0.m0.heap")).unwrap().modified().unwrap();
    let written = written.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    assert_eq!(of[0]["time"].as_u64().unwrap() as u128, written, "the dump has no time: that of its file");
    // The same bytes again.
    let again = client.run(&["push", "-service=shop", "jemalloc/shop-sampled.2000.*.heap"]);
    assert_eq!((again.code, again.out), (0, first.out));
    assert_eq!(client.spooled(), 0);
}

#[test]
fn a_folder_may_have_other_files() {
    let mut client = Client::new();
    let _server = client.server(0);
    let dumps = client.folder.path().join("dumps");
    fs::create_dir(&dumps).unwrap();
    fs::copy(path("testdata/gperftools/tides.0001.heap"), dumps.join("tides.0001.heap")).unwrap();
    fs::copy(path("testdata/bin/tides"), dumps.join("tides")).unwrap();
    fs::write(dumps.join("notes.md"), [0, 1, 2, 3]).unwrap();
    fs::write(dumps.join("status"), "Name:\ttides\nUmask:\t0022\nVmRSS:\t 100 kB\n").unwrap();
    let dumps = dumps.to_str().unwrap();
    let sent = client.run(&["push", "-service=tides", dumps]);
    assert_eq!((sent.code, sent.out.lines().count()), (0, 1), "{}", sent.err);
    assert!(sent.err.contains("notes.md") && sent.err.contains("push-symbols"), "{}", sent.err);
    // What is named itself must be a dump; the others are sent nevertheless.
    let junk = format!("{dumps}/notes.md");
    let some = client.run(&["push", "-service=tides", &junk, "nosuch.heap", "bin/shop", "gperftools/tides.0002.heap"]);
    assert_eq!((some.code, some.out.lines().count()), (1, 1), "{}", some.err);
    for said in ["notes.md is not a heap profile", "nosuch.heap", "bin/shop is a binary; heapview push-symbols sends it"] {
        assert!(some.err.contains(said), "{said}: {}", some.err);
    }
    for (words, said) in [
        (&["push", "gperftools/tides.0001.heap"][..], "Add -service=NAME"),
        (&["push", "-service=a", "-label=x", "gperftools/tides.0001.heap"], "-label=zone=eu"),
        (&["push", "-nosuch"], "has no flag --nosuch"),
        (&["push", "-server=nonsense", "-service=a", "gperftools/tides.0001.heap"], "address of the team server is invalid"),
        (&["push", "-wait=soon", "-service=a", "gperftools/tides.0001.heap"], "-wait=soon"),
    ] {
        let wrong = client.run(words);
        assert!(wrong.code == 2 && wrong.err.contains(said), "{words:?}: {}", wrong.err);
    }
    let dry = client.run(&["push", "-service=tides", "-dry-run", "-host=", "gperftools/tides.0001.heap"]);
    assert!(dry.out.starts_with("gperftools/tides.0001.heap service=tides name=tides.0001.heap seq=1 file_time="), "{}", dry.out);
}

#[test]
fn what_cannot_be_delivered_is_sent_later() {
    let mut client = Client::new();
    let server = client.server(0);
    let port = server.address.rsplit_once(':').unwrap().1.parse().unwrap();
    drop(server);
    let words = ["push", "-service=tides", "-wait=0", "gperftools/tides.0001.heap", "gperftools/tides.0002.heap"];
    for _ in 0..2 {
        let kept = client.run(&words);
        assert_eq!((kept.code, kept.out.as_str()), (3, ""), "{}", kept.err);
        assert!(kept.err.contains("tides.0001.heap is kept in") && kept.err.contains("cannot connect"), "{}", kept.err);
        assert_eq!(client.spooled(), 2, "once");
    }
    // Without room nothing is dropped in silence.
    let full = client.run(&["push", "-service=tides", "-wait=0", "-spool-limit=1K", "gperftools/tides.0003.heap"]);
    assert!(full.code == 1 && full.err.contains("neither delivered") && full.err.contains("is full"), "{}", full.err);
    let none = client.run(&["push", "-service=tides", "-wait=0", "-spool=none", "gperftools/tides.0003.heap"]);
    assert!(none.code == 1 && none.err.contains("is not delivered"), "{}", none.err);
    let _server = client.server(port);
    let sent = client.run(&["push"]);
    assert_eq!((sent.code, sent.out.lines().count(), client.spooled()), (0, 2, 0), "{}", sent.err);
    let nothing = client.run(&["push", "-spool-only"]);
    assert!(nothing.code == 0 && nothing.err.contains("the spool is empty"), "{}", nothing.err);
    // What the server will never take is put aside, and not sent again.
    let spool = client.folder.path().join("state/heapview/spool");
    fs::write(spool.join("x.push"), format!("{{\"server\":\"http://127.0.0.1:{port}\",\"query\":[],\"file\":\"x.heap\"}}\n?")).unwrap();
    let refused = client.run(&["push"]);
    assert!(refused.code == 1 && refused.err.contains("`service` is missing") && refused.err.contains("refused"), "{}", refused.err);
    assert_eq!((client.spooled(), files(&spool.join("refused")), client.run(&["push"]).code), (0, 1, 0));
}

#[test]
fn a_busy_server_is_asked_again() {
    let n = AtomicUsize::new(0);
    let server = served::Server::start(move |_, to| match n.fetch_add(1, Ordering::Relaxed) {
        0 => served::send(to, "503 Service Unavailable", "Retry-After: 1\r\n", b"{\"error\":\"busy\"}"),
        1 => served::send(to, "201 Created", "", b"{\"link\":\"http://h/d/x/\",\"warnings\":[\"a\\u001b[2J\"]}"),
        2 => served::send(to, "307 Temporary Redirect", "Location: http://h/\r\n", b""),
        _ => served::send(to, "200 OK", "", b"<html>"),
    });
    let client = Client { folder: tempfile::tempdir().unwrap(), store: vec![("HEAPVIEW_SERVER", format!("http://{}/below/", server.at))] };
    let dump = client.folder.path().join("a.folded");
    fs::write(&dump, "# inuse_space bytes\nmain;serve 100\n").unwrap();
    let words = ["push", "-service=tides", "-token=some-token", dump.to_str().unwrap()];
    let sent = client.run(&words);
    assert_eq!((sent.code, sent.out.as_str()), (0, "http://h/d/x/\n"), "{}", sent.err);
    assert!(sent.err.contains("-token is visible") && sent.err.contains("\\u{1b}[2J"), "{}", sent.err);
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests[0].line.starts_with("PUT /below/api/v1/dumps?file_time="), "{}", requests[0].line);
    assert!(requests[0].headers.contains("authorization: bearer some-token"), "{}", requests[0].headers);
    let redirected = client.run(&[&words[..], &["-spool=none"]].concat());
    assert!(redirected.code == 1 && redirected.err.contains("give the address that it redirects to"), "{}", redirected.err);
    let other = client.run(&words);
    assert!(other.code == 1 && other.err.contains("something else than a team server"), "{}", other.err);
}

#[test]
fn passing_errors_leave_the_spool_as_it_is() {
    let n = AtomicUsize::new(0);
    let server = served::Server::start(move |_, to| match n.fetch_add(1, Ordering::Relaxed) {
        0 => served::send(to, "500 Internal Server Error", "", b"{\"error\":\"oops\"}"),
        1 => served::send(to, "404 Not Found", "", b"no such page"),
        2 => served::send(to, "405 Method Not Allowed", "", b""),
        3 => served::send(to, "200 OK", "", b"<html>"),
        _ => served::send(to, "201 Created", "", b"{\"link\":\"http://h/d/x/\"}"),
    });
    let client = Client { folder: tempfile::tempdir().unwrap(), store: vec![("HEAPVIEW_SERVER", format!("http://{}", server.at))] };
    let spool = client.folder.path().join("state/heapview/spool");
    fs::create_dir_all(&spool).unwrap();
    let parcel = format!("{{\"server\":\"http://{}\",\"query\":[],\"file\":\"x.heap\"}}\n?", server.at);
    fs::write(spool.join("x.push"), parcel).unwrap();
    for code in [3, 1, 1, 1] {
        let failed = client.run(&["push", "-wait=0"]);
        assert_eq!((failed.code, client.spooled(), files(&spool.join("refused"))), (code, 1, 0), "{}", failed.err);
    }
    // A spool that cannot be read does not stop what is given.
    let dump = client.folder.path().join("a.folded");
    fs::write(&dump, "# inuse_space bytes\nmain;serve 100\n").unwrap();
    let sent = client.run(&["push", "-service=a", &format!("-spool={}", dump.display()), dump.to_str().unwrap()]);
    assert_eq!((sent.code, sent.out.as_str()), (1, "http://h/d/x/\n"), "{}", sent.err);
    assert!(sent.err.contains("cannot read the spool"), "{}", sent.err);
    assert_eq!((client.run(&["push"]).code, client.spooled()), (0, 0));
}

#[test]
fn dumps_wait_for_a_right_token() {
    let mut client = Client::new();
    let store = client.folder.path().join("store").to_str().unwrap().to_owned();
    let token = client.run(&["store", "token", "add", "ci", "push", "tides", "-store", &store]).out.trim().to_owned();
    assert!(token.starts_with("hv_"), "{token}");
    let _server = client.server(0);
    let mut push = |token: &str, service: &str| {
        client.store.retain(|(name, _)| *name != "HEAPVIEW_SERVER_TOKEN");
        client.store.push(("HEAPVIEW_SERVER_TOKEN", token.to_owned()));
        let ended = client.run(&["push", &format!("-service={service}"), "gperftools/tides.0001.heap", "gperftools/tides.0002.heap"]);
        (ended, client.spooled())
    };
    let (wrong, n) = push("hv_wrong-token-of-nobody", "tides");
    assert!(n == 2 && wrong.err.contains("refuses this sender; in the spool: 2 dumps, sent by"), "{n} {}", wrong.err);
    assert!(wrong.code == 1 && wrong.err.contains("(401)") && wrong.err.contains("HEAPVIEW_SERVER_TOKEN"), "{}", wrong.err);
    assert!(!wrong.err.contains("token-of-nobody"), "{}", wrong.err);
    // What waits is sent first.
    let (other, n) = push(&token, "shop");
    assert!(other.code == 1 && other.err.contains("(403)") && other.out.lines().count() == 2 && n == 2, "{n} {}", other.err);
    let (right, n) = push(&token, "tides");
    assert!(right.code == 1 && right.out.lines().count() == 2 && n == 2, "{n} {}", right.err);
    assert!(right.err.contains("tides.0002.heap stays in the spool"), "{}", right.err);
    let kept_nowhere = client.run(&["push", "-spool=none", "-token=wrong", "-service=tides", "gperftools/tides.0001.heap"]);
    assert!(kept_nowhere.code == 1 && kept_nowhere.err.contains("is not delivered"), "{}", kept_nowhere.err);
    // A token that only pushes may ask for a build.
    let symbols = client.run(&["push-symbols", "-service=tides", "-version=1.0", "bin/tides"]);
    assert_eq!(symbols.code, 0, "{}", symbols.err);
    let read = client.run(&["top", "store://tides@latest"]);
    assert!(read.code == 2 && read.err.contains("only pushes"), "{}", read.err);
}

#[test]
fn binaries_are_sent_once() {
    let mut client = Client::new();
    let server = client.server(0);
    let sent = client.run(&["push-symbols", "-service=tides", "-version=1.0", "bin/tides"]);
    assert!(sent.code == 0 && sent.out.ends_with("bin/tides sent\n"), "{}{}", sent.out, sent.err);
    let id = sent.out.split(' ').next().unwrap();
    assert_eq!(server.ask("GET", &format!("/buildid/{id}/executable"), b"").0, 200);
    // Of another version, too, without sending it.
    let known = client.run(&["push-symbols", "-service=tides", "-version=2.0", "bin/tides"]);
    assert_eq!((known.code, known.out), (0, format!("{id} bin/tides known\n")), "{}", known.err);
    for version in ["1.0", "2.0"] {
        let list = json(&server.ask("GET", &format!("/api/v1/binaries?service=tides&version={version}"), b"").1);
        assert_eq!((&list[0]["build_id"], &list[0]["name"]), (&id.into(), &"tides".into()), "{list}");
    }
    let package = client.folder.path().join("tides.dwp");
    fs::copy(path("testdata/bin/tides"), &package).unwrap();
    let wrong = client.run(&["push-symbols", package.to_str().unwrap(), "gperftools/tides.0001.heap", "bin/nosuch"]);
    assert_eq!((wrong.code, wrong.out.as_str()), (1, ""));
    for said in ["split debug information", "is not a binary", "no binary in bin/nosuch"] {
        assert!(wrong.err.contains(said), "{said}: {}", wrong.err);
    }
    assert!(client.run(&["push-symbols", "-service=tides", "bin/tides"]).err.contains("go together"));
}

#[test]
fn addresses_of_a_store_open_dumps_with_names() {
    let mut client = Client::new();
    let server = client.server(0);
    for n in 1..=7 {
        let (time, version) = (format!("-time=2026-01-0{n}T10:00:00Z"), format!("-version={}", if n < 5 { "1.0" } else { "1.1" }));
        let file = format!("gperftools/tides.000{n}.heap");
        assert_eq!(client.run(&["push", "-service=tides", "-host=web-1", &time, &version, &file]).code, 0);
    }
    for version in ["-version=1.0", "-version=1.1"] {
        assert_eq!(client.run(&["push-symbols", "-service=tides", version, "bin/tides"]).code, 0);
    }
    let last = client.run(&["push", "-service=tides", "gperftools/tides.0007.heap"]).out;
    let id = last.trim().trim_end_matches('/').rsplit('/').next().unwrap().to_owned();
    let store = client.folder.path().join("store").to_str().unwrap().to_owned();
    let rows = |text: &str| text.lines().skip_while(|line| !line.contains("flat%")).map(str::to_owned).collect::<Vec<_>>();
    let local = |n: u32| rows(&client.run(&["top", "bin/tides", &format!("gperftools/tides.000{n}.heap")]).out);
    let (newest, of_version) = (local(7), local(4));
    assert!(newest.len() > 3);
    for variables in [client.store.clone(), vec![("HEAPVIEW_STORE", store)]] {
        let client = Client { folder: tempfile::tempdir().unwrap(), store: variables };
        let run = |words: &[&str]| {
            let ended = client.run(words);
            assert_eq!(ended.code, 0, "{words:?}: {}", ended.err);
            ended
        };
        assert_eq!(rows(&run(&["top", "store://tides@latest"]).out), newest);
        assert_eq!(rows(&run(&["top", "store://tides@1.0"]).out), of_version);
        assert_eq!(rows(&run(&["top", &format!("store://tides/{id}")]).out), newest);
        assert_eq!(rows(&run(&["top", "store://tides@latest?to=2026-01-05&host=web-1"]).out), of_version);
        let diff = run(&["top", "-diff_base=store://tides@1.0", "store://tides@latest"]).out;
        assert_eq!(rows(&diff), rows(&run(&["diff", "store://tides@1.0", "store://tides@latest"]).out));
        assert!(run(&["top", "-base=store://tides@1.0", "store://tides@latest"]).out.contains("logbook::note"));
        let growth = run(&["growth", "store://tides"]).out;
        assert!(growth.contains("Series: 7 dumps") && growth.contains("logbook::note"), "{growth}");
        assert!(run(&["growth", "store://tides?from=2026-01-03"]).out.contains("Series: 5 dumps"));
        assert!(run(&["explain", "store://tides@latest"]).out.contains("tides"));
        assert!(run(&["summary", "store://tides@latest"]).out.contains("logbook"));
        assert_eq!(client.run(&["check", "-max-inuse=1GiB", "store://tides@latest"]).code, 0);
        assert_eq!(client.run(&["check", "-max-inuse=1B", "store://tides@latest"]).code, 1);
        for (address, said) in [
            ("store://tide", "did you mean tides?"),
            ("store://nothing-like-it", "it has tides"),
            ("store://tides@2.0", "no dump of tides has version 2.0; there is 1.1, 1.0"),
            ("store://tides?zone=eu", "no dump of tides has a label zone"),
            ("store://tides?from=-1h", "its dumps are from 2026-01-01T10:00:00"),
            ("store://tides/aaaaaaaaaaaaaaaa", "has no dump aaaaaaaaaaaaaaaa"),
            ("store://tides/1.0", "versions follow `@`"),
        ] {
            let wrong = client.run(&["top", address]);
            assert!(wrong.code == 2 && wrong.err.contains(said), "{address}: {}", wrong.err);
        }
    }
    drop(server);
    let nowhere = Client::new().run(&["top", "store://tides"]);
    assert!(nowhere.code == 2 && nowhere.err.contains("Set HEAPVIEW_SERVER"), "{}", nowhere.err);
}
