//! The scraper against servers on this machine that behave in many ways.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use heapview::scrape::{GrowthStep, ScrapeAuth, ScrapeJob, ScrapeKind, ScrapeResult, Scraper, TargetStatus};
use heapview::store::{Envelope, Store};

use crate::fixture::path;

/// What a server does with a request.
#[derive(Clone)]
enum Answer {
    Body(Vec<u8>),
    /// Status and further lines of the head.
    Head(&'static str),
    /// Zeros without end, after this head.
    Endless(&'static str),
    /// Nothing, for a minute.
    Silence,
}

/// Paths with their answers; the path of `None` is any other.
type Answers = Arc<Mutex<Vec<(&'static str, Answer)>>>;

struct Server {
    address: SocketAddr,
    answers: Answers,
    /// Heads of requests.
    requests: Arc<Mutex<Vec<String>>>,
    is_closed: Arc<AtomicBool>,
}

impl Server {
    fn start(answers: &[(&'static str, Answer)]) -> Server {
        Server::at("127.0.0.1:0", answers)
    }

    fn at(address: &str, answers: &[(&'static str, Answer)]) -> Server {
        let listener = TcpListener::bind(address).unwrap();
        listener.set_nonblocking(true).unwrap();
        let server = Server {
            address: listener.local_addr().unwrap(),
            answers: Arc::new(Mutex::new(answers.to_vec())),
            requests: Arc::default(),
            is_closed: Arc::default(),
        };
        let (answers, requests, is_closed) = (server.answers.clone(), server.requests.clone(), server.is_closed.clone());
        std::thread::spawn(move || {
            while !is_closed.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((stream, _)) => {
                        let (answers, requests) = (answers.clone(), requests.clone());
                        std::thread::spawn(move || answer(stream, &answers, &requests));
                    }
                    Err(_) => std::thread::sleep(Duration::from_millis(5)),
                }
            }
        });
        server
    }

    fn set(&self, path: &'static str, answer: Answer) {
        let mut answers = self.answers.lock().unwrap();
        answers.retain(|(known, _)| *known != path);
        answers.push((path, answer));
    }

    fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(30));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }
}

fn answer(stream: TcpStream, answers: &Answers, requests: &Mutex<Vec<String>>) {
    stream.set_nonblocking(false).unwrap();
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while reader.read_line(&mut head).is_ok_and(|n| n > 2) {}
    let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.trim().parse::<u64>().ok());
    let mut body = Vec::new();
    let _ = (&mut reader).take(length.unwrap_or(0)).read_to_end(&mut body);
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    requests.lock().unwrap().push(head);
    let found = answers.lock().unwrap().iter().find(|(known, _)| *known == path).map(|(_, answer)| answer.clone());
    let mut stream = reader.into_inner();
    let _ = match found.unwrap_or(Answer::Head("404 Not Found\r\ncontent-length: 0")) {
        Answer::Body(bytes) => {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", bytes.len());
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes))
        }
        Answer::Head(head) => stream.write_all(format!("HTTP/1.1 {head}\r\nconnection: close\r\n\r\n").as_bytes()),
        Answer::Endless(head) => {
            let mut written = stream.write_all(format!("HTTP/1.1 200 OK\r\n{head}connection: close\r\n\r\n").as_bytes());
            while written.is_ok() {
                written = stream.write_all(&[b'0'; 1 << 16]);
            }
            Ok(())
        }
        Answer::Silence => {
            std::thread::sleep(Duration::from_secs(60));
            Ok(())
        }
    };
}

fn folded(bytes: u64) -> Answer {
    Answer::Body(format!("# inuse_space bytes\nmain;serve;cache_add {bytes}\n").into_bytes())
}

fn metrics(rss: u64, start: u64) -> Answer {
    Answer::Body(format!("process_resident_memory_bytes {rss}\nprocess_start_time_seconds {start}\n").into_bytes())
}

const HOUR: Duration = Duration::from_secs(3600);

/// A job that looks often.
fn job(targets: &[&Server], interval: Duration) -> ScrapeJob {
    let mut job = ScrapeJob::new("shop");
    job.path = "/heap".into();
    job.targets = targets.iter().map(|server| server.address.to_string()).collect();
    job.interval = interval;
    job.probe_interval = Duration::from_millis(50);
    job.timeout = Duration::from_secs(5);
    job
}

#[track_caller]
fn wait(what: &str, is_done: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_done() {
        assert!(start.elapsed() < Duration::from_secs(20), "waited too long for: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn open(folder: &Path) -> Arc<Store> {
    crate::store::open(folder)
}

fn dumps(store: &Store) -> Vec<Arc<Envelope>> {
    store.dumps_of("shop").unwrap_or_default()
}

/// Why dumps were taken, in the order in which they came.
fn reasons(store: &Store) -> Vec<String> {
    let mut dumps = dumps(store);
    dumps.sort_by(|a, b| a.id.cmp(&b.id));
    dumps.iter().map(|envelope| envelope.origin.labels["scraped"].clone()).collect()
}

fn only(scraper: &Scraper) -> TargetStatus {
    wait("the list of targets", || !scraper.targets().is_empty());
    scraper.targets().into_iter().next().unwrap()
}

fn count(scraper: &Scraper, result: ScrapeResult) -> u64 {
    scraper.counters().iter().filter(|(_, of, _)| *of == result).map(|(.., n)| n).sum()
}

#[test]
fn dumps_are_taken_with_labels_and_named_by_their_process() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let dump = std::fs::read(path("testdata/gperftools/shop.0003.heap")).unwrap();
    let server = Server::start(&[
        ("/pprof/heap", Answer::Body(dump)),
        ("/pprof/symbol", Answer::Body(b"num_symbols: 1\n0x0 none\n".to_vec())),
        ("/pprof/cmdline", Answer::Body(b"/srv/shop\0-port\0".to_vec())),
    ]);
    let mut job = job(&[&server], Duration::from_millis(100));
    (job.kind, job.path, job.symbols) = (ScrapeKind::Gperftools, "/pprof/heap".into(), true);
    job.labels = [("env".to_owned(), "test".to_owned()), ("zone".to_owned(), "eu".to_owned())].into();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "s3cret\n").unwrap();
    job.auth = ScrapeAuth::BearerFile(secret);
    let scraper = Scraper::start(store.clone(), vec![job]);
    wait("two visits", || count(&scraper, ScrapeResult::Interval) >= 1 && count(&scraper, ScrapeResult::Start) == 1);
    scraper.stop();
    // The same bytes are one dump.
    let found = dumps(&store);
    assert_eq!(found.len(), 1);
    let Envelope { origin, token, .. } = &*found[0];
    let host = server.address.to_string();
    assert_eq!((token.as_str(), origin.env.as_str(), origin.host.as_str()), ("scrape/shop", "test", host.as_str()));
    let labels: Vec<String> = origin.labels.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(labels, [format!("instance={host}"), "job=shop".into(), "scraped=start".into(), "zone=eu".into()]);
    let status = only(&scraper);
    assert_eq!((status.up, status.error.as_str(), status.stored), (Some(true), "", 1));
    assert_eq!(status.last_dump, found[0].sha256.short().to_string());
    let requests = server.requests.lock().unwrap();
    let heap = requests.iter().find(|head| head.starts_with("GET /pprof/heap ")).unwrap();
    assert!(heap.to_lowercase().contains("authorization: bearer s3cret"), "{heap}");
    assert!(requests.iter().any(|head| head.starts_with("POST /pprof/symbol ")), "{requests:?}");
    // Its state is on the API, for those who may view.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (targets, metrics) = runtime.block_on(async {
        let router = crate::store::router_with(&store, true, Some(scraper.clone()));
        (crate::store::get(&router, "/api/v1/targets").await.text, crate::store::get(&router, "/metrics").await.text)
    });
    assert!(targets.contains("\"up\":true") && targets.contains(&format!("/d/{}/", status.last_dump)), "{targets}");
    assert!(metrics.contains("heapview_scrapes_total{job=\"shop\",result=\"start\"} 1"), "{metrics}");
    assert!(metrics.contains("heapview_scrape_targets{job=\"shop\",state=\"up\"} 1"), "{metrics}");
}

#[test]
fn growth_by_a_step_takes_a_dump_between_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let server = Server::start(&[("/heap", folded(1000)), ("/metrics", metrics(100 << 20, 5))]);
    let mut job = job(&[&server], HOUR);
    (job.growth, job.probe) = (Some(GrowthStep::Bytes(10 << 20)), Some("/metrics".into()));
    let scraper = Scraper::start(store.clone(), vec![job]);
    wait("the first dump", || dumps(&store).len() == 1);
    server.set("/heap", folded(2000));
    server.set("/metrics", metrics(109 << 20, 5));
    let probes = count(&scraper, ScrapeResult::Probe);
    wait("looks without growth", || count(&scraper, ScrapeResult::Probe) > probes + 3);
    assert_eq!(reasons(&store), ["start"]);
    server.set("/metrics", metrics(111 << 20, 5));
    wait("growth", || dumps(&store).len() == 2);
    server.set("/heap", folded(3000));
    server.set("/metrics", metrics(200 << 20, 6));
    wait("growth from there", || dumps(&store).len() == 3);
    assert_eq!(reasons(&store), ["start", "growth", "growth"]);
    assert_eq!(only(&scraper).in_use, Some(200 << 20));
    assert!(store.last_dumps("shop").unwrap().is_empty(), "a second is no restart");
    scraper.stop();
}

#[test]
fn without_a_probe_the_profile_itself_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let server = Server::start(&[("/heap", folded(1000))]);
    let mut job = job(&[&server], HOUR);
    job.growth = Some(GrowthStep::Share(0.5));
    let scraper = Scraper::start(store.clone(), vec![job]);
    wait("the first dump", || dumps(&store).len() == 1);
    server.set("/heap", folded(1400));
    wait("a look without growth", || count(&scraper, ScrapeResult::Dropped) >= 3);
    assert_eq!(dumps(&store).len(), 1);
    server.set("/heap", folded(1500));
    wait("growth", || dumps(&store).len() == 2);
    assert_eq!(reasons(&store), ["start", "growth"]);
    scraper.stop();
}

#[test]
fn the_last_dump_of_a_process_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let first = Server::start(&[("/heap", folded(1000)), ("/metrics", metrics(1 << 20, 1000))]);
    let mut job = job(&[&first], Duration::from_millis(100));
    job.probe = Some("/metrics".into());
    let scraper = Scraper::start(store.clone(), vec![job.clone()]);
    wait("the first dump", || dumps(&store).len() == 1);
    let of_first = dumps(&store)[0].sha256;
    // It disappears, and is back as the same process: no mark.
    first.close();
    wait("the mark", || store.last_dumps("shop").unwrap() == [of_first]);
    wait("its state", || only(&scraper).up == Some(false));
    let status = only(&scraper);
    assert!(status.last_before_exit && status.error.contains("cannot connect"), "{status:?}");
    let address = first.address.to_string();
    let back = Server::at(&address, &[("/heap", folded(1000)), ("/metrics", metrics(1 << 20, 1000))]);
    wait("the same process", || store.last_dumps("shop").unwrap().is_empty());
    // Another process at the same address.
    back.set("/metrics", metrics(1 << 20, 2000));
    wait("the mark of the first", || store.last_dumps("shop").unwrap() == [of_first]);
    back.set("/heap", folded(10));
    wait("the next process", || dumps(&store).len() == 2);
    assert_eq!(store.last_dumps("shop").unwrap(), [of_first]);
    scraper.stop();
    // The page names it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let page = runtime.block_on(async { crate::store::get(&crate::store::router(&store, true), "/services/shop").await.text });
    assert_eq!(page.matches("last-before-exit").count(), 1, "{page}");
    // Another scraper knows the processes of the store.
    back.set("/heap", folded(20));
    back.set("/metrics", metrics(1 << 20, 3000));
    let of_second = dumps(&store).iter().map(|envelope| envelope.sha256).find(|dump| *dump != of_first).unwrap();
    let next = Scraper::start(store.clone(), vec![job]);
    wait("the third process", || dumps(&store).len() == 3);
    wait("the mark of the second", || store.last_dumps("shop").unwrap() == [of_first, of_second]);
    next.stop();
}

#[test]
fn slow_targets_do_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let good = Server::start(&[("/heap", folded(1))]);
    let slow: Vec<Server> = (0..40).map(|_| Server::start(&[("/heap", Answer::Silence)])).collect();
    let mut slow_job = job(&slow.iter().collect::<Vec<_>>(), Duration::from_millis(100));
    (slow_job.name, slow_job.timeout) = ("slow".into(), Duration::from_millis(700));
    let scraper = Scraper::start(store.clone(), vec![slow_job, job(&[&good], Duration::from_millis(100))]);
    wait("the good one", || count(&scraper, ScrapeResult::Interval) >= 5);
    wait("the slow ones", || scraper.targets().iter().filter(|target| target.up == Some(false)).count() == 40);
    let before = count(&scraper, ScrapeResult::Interval);
    let start = Instant::now();
    wait("the good one again", || count(&scraper, ScrapeResult::Interval) >= before + 5);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    let status = scraper.targets().into_iter().find(|target| target.job == "slow").unwrap();
    assert!(status.error.contains("no complete answer within"), "{}", status.error);
    scraper.stop();
}

#[test]
fn answers_that_are_no_dumps_are_sentences_and_store_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    store.change_settings(&[("most_body".into(), "1M".into())]).unwrap();
    let elsewhere = Server::start(&[("/heap", folded(1))]);
    let redirect: &'static str = format!("302 Found\r\nlocation: http://{}/heap\r\ncontent-length: 0", elsewhere.address).leak();
    let cases = [
        (Answer::Body(b"<html>hello</html>".to_vec()), "not a heap profile"),
        (Answer::Body(Vec::new()), "empty"),
        (Answer::Body(b"heap profile: 1: 1 [1: 1] @ what\n".to_vec()), "damaged"),
        (Answer::Endless("content-length: 10737418240\r\n"), "the answer is longer than 1 MiB"),
        (Answer::Endless(""), "the answer is longer than 1 MiB"),
        (Answer::Head(redirect), "the server redirects to http://127.0.0.1"),
        (Answer::Head("302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0"), "redirects to http://169.254.169.254/"),
        (Answer::Head("302 Found\r\nlocation: /heap\r\ncontent-length: 0"), "more than 3 redirects"),
        (Answer::Head("401 Unauthorized\r\ncontent-length: 0"), "set bearer_token_file"),
        (Answer::Head("404 Not Found\r\ncontent-length: 0"), "check path"),
        (Answer::Head("200 OK\r\ncontent-length: 5"), "closed the connection without a response"),
    ];
    let servers: Vec<Server> = cases.iter().map(|(answer, _)| Server::start(&[("/heap", answer.clone())])).collect();
    let mut job = job(&servers.iter().collect::<Vec<_>>(), Duration::from_millis(200));
    job.targets.push("169.254.169.254:80".into());
    let scraper = Scraper::start(store.clone(), vec![job]);
    wait("all", || scraper.targets().len() == cases.len() + 1 && scraper.targets().iter().all(|target| target.up == Some(false)));
    let targets = scraper.targets();
    for (server, (_, says)) in servers.iter().zip(&cases) {
        let status = targets.iter().find(|target| target.instance == server.address.to_string()).unwrap();
        assert!(status.error.contains(says), "{says}: {}", status.error);
    }
    let refused = targets.iter().find(|target| target.instance == "169.254.169.254:80").unwrap();
    assert!(refused.error.contains("link-local or metadata"), "{}", refused.error);
    scraper.stop();
    assert!(dumps(&store).is_empty());
    assert!(elsewhere.requests.lock().unwrap().is_empty());
    // On the same server they are followed.
    let same = Server::start(&[("/heap", Answer::Head("302 Found\r\nlocation: /dump\r\ncontent-length: 0")), ("/dump", folded(1))]);
    let scraper = Scraper::start(store.clone(), vec![self::job(&[&same], Duration::from_millis(100))]);
    wait("the dump behind the redirect", || dumps(&store).len() == 1);
    scraper.stop();
}

#[test]
fn dumps_wait_for_a_store_that_is_away() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    if std::env::var_os("HEAPVIEW_TEST_STORE").is_some() {
        return;
    }
    // No dump can be written.
    let raw = folder.path().join("raw");
    std::fs::write(&raw, "in the way").unwrap();
    let server = Server::start(&[("/heap", folded(7))]);
    let scraper = Scraper::start(store.clone(), vec![job(&[&server], Duration::from_millis(100))]);
    wait("the dump that waits", || only(&scraper).waiting == 1);
    assert!(only(&scraper).error.contains("kept until the store takes it"), "{:?}", only(&scraper));
    // The process is killed meanwhile.
    server.close();
    std::fs::remove_file(&raw).unwrap();
    wait("the dump", || dumps(&store).len() == 1);
    wait("its mark", || store.last_dumps("shop").unwrap().len() == 1);
    scraper.stop();
}

#[test]
fn lists_of_targets_change_while_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let (one, two) = (Server::start(&[("/heap", folded(1))]), Server::start(&[("/heap", folded(2))]));
    let file = folder.path().join("targets.yml");
    let write =
        |server: &Server| std::fs::write(&file, format!("- targets: ['{}']\n  labels: {{version: 1.10}}\n", server.address)).unwrap();
    write(&one);
    let mut job = job(&[], Duration::from_millis(100));
    job.files = vec![file.clone()];
    let scraper = Scraper::start(store.clone(), vec![job.clone()]);
    wait("the first", || dumps(&store).len() == 1);
    assert_eq!(dumps(&store)[0].origin.version, "1.10");
    // A file that is being written removes nothing.
    std::fs::write(&file, "- targets: [").unwrap();
    scraper.reload(vec![job.clone()]);
    wait("the problem", || !scraper.problems().is_empty());
    assert_eq!(scraper.targets().len(), 1);
    write(&two);
    scraper.reload(vec![job]);
    wait("the second", || dumps(&store).len() == 2);
    wait("the end of the first", || store.last_dumps("shop").unwrap().len() == 1);
    assert_eq!(only(&scraper).instance, two.address.to_string());
    scraper.reload(Vec::new());
    wait("the end of all", || scraper.targets().is_empty() && store.last_dumps("shop").unwrap().len() == 2);
    scraper.stop();
}

#[test]
fn a_problem_elsewhere_does_not_keep_targets() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let server = Server::start(&[("/heap", folded(1))]);
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let list = |host: &str| format!("- targets: ['{host}']\n");
    write("a.yml", &list(&server.address.to_string()));
    write("b.yml", &list("127.0.0.1:1"));
    let mut job = job(&[], HOUR);
    job.files = ["a.yml", "b.yml"].map(|name| folder.path().join(name)).into();
    let scraper = Scraper::start(store.clone(), vec![job.clone()]);
    wait("both", || scraper.targets().len() == 2 && dumps(&store).len() == 1);
    // One file is damaged, the other has no target any more and an entry that is none.
    write("b.yml", "- targets: [");
    write("a.yml", &list("x/y"));
    scraper.reload(vec![job]);
    wait("the end of the target that is no longer listed", || scraper.targets().len() == 1);
    assert_eq!((only(&scraper).instance.as_str(), scraper.problems().len()), ("127.0.0.1:1", 2));
    scraper.stop();
}

#[test]
fn dumps_that_wait_are_stored_when_the_scraper_stops_or_loses_its_lease() {
    if std::env::var_os("HEAPVIEW_TEST_STORE").is_some() {
        return;
    }
    for is_taken_over in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let raw = folder.path().join("raw");
        std::fs::write(&raw, "in the way").unwrap();
        let server = Server::start(&[("/heap", folded(7))]);
        let job = job(&[&server], HOUR);
        let scraper = Scraper::start(store.clone(), vec![job.clone()]);
        wait("the dump that waits", || only(&scraper).waiting == 1);
        if is_taken_over {
            // Another server has the lease of the job, and it is delisted here.
            server.close();
            let leases = folder.path().join("lease/scrape/shop");
            let newest = std::fs::read_dir(&leases).unwrap().map(|entry| entry.unwrap().path()).max().unwrap();
            let mut lease: serde_json::Value = serde_json::from_slice(&std::fs::read(&newest).unwrap()).unwrap();
            lease["holder"] = "another".into();
            lease["epoch"] = (lease["epoch"].as_u64().unwrap() + 1).into();
            std::fs::write(&newest, lease.to_string()).unwrap();
            scraper.reload(vec![job.clone()]);
            wait("the loss of the lease", || only(&scraper).elsewhere);
            scraper.reload(Vec::new());
            std::fs::remove_file(&raw).unwrap();
            wait("the dump", || dumps(&store).len() == 1);
            wait("the end of the target", || scraper.targets().is_empty());
            scraper.stop();
        } else {
            std::fs::remove_file(&raw).unwrap();
            scraper.stop();
            assert_eq!((dumps(&store).len(), only(&scraper).waiting), (1, 0));
        }
    }
}

#[test]
fn configurations_are_checked_before_they_are_used() {
    use crate::cli::{error, stdout};

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("serve.toml");
    let config = format!("-config={}", file.display());
    let good = "store = 'there'\nhttp = 'localhost:8099'\nsingle-writer = true\n\n[[scrape]]\nname = 'tikv'\nkind = 'jemalloc'\n\
                targets = ['10.0.0.7:20180']\nfile_discovery = ['*.json']\n";
    std::fs::write(&file, good).unwrap();
    assert!(error(&["serve", &config, "-check"]).contains("[[scrape]] tikv: file_discovery: no file is called"));
    std::fs::write(folder.path().join("a.json"), r#"[{"targets": ["h:1"], "labels": {"service": "other"}}]"#).unwrap();
    let plan = stdout(&["serve", &config, "-check"]);
    for line in [
        "store   there",
        "listen  localhost:8099",
        "single-writer  yes",
        "scrape  tikv: 2 targets every 600 s",
        "  tikv  http://10.0.0.7:20180/pprof/heap",
        "  other  http://h:1/pprof/heap",
    ] {
        assert!(plan.lines().any(|found| found == line), "{line} is not in:\n{plan}");
    }
    assert!(stdout(&["serve", &config, "-check", "-store=here"]).contains("store   here\n"), "a flag comes before the file");
    std::fs::write(&file, good.replace("targets =", "target =")).unwrap();
    let found = error(&["serve", &config, "-check"]);
    assert!(found.contains("serve.toml:8: [[scrape]] has no \"target\"; did you mean targets?"), "{found}");
    std::fs::write(&file, "stor = 'x'\n").unwrap();
    assert!(error(&["serve", &config]).contains("serve.toml:1: the configuration has no \"stor\"; did you mean store?"));
    assert!(error(&["serve", "-config=/nosuch.toml"]).contains("cannot read /nosuch.toml"));
}

#[test]
fn of_several_servers_one_asks_each_target() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (open(folder.path()), open(folder.path()));
    let server = Server::start(&[("/heap", folded(1))]);
    let job = job(&[&server], Duration::from_millis(100));
    let first = Scraper::start(one.clone(), vec![job.clone()]);
    wait("the first server", || count(&first, ScrapeResult::Start) == 1);
    let second = Scraper::start(two, vec![job]);
    wait("the second server", || second.targets().iter().any(|target| target.elsewhere));
    std::thread::sleep(Duration::from_millis(300));
    assert!(second.counters().is_empty() && !only(&first).elsewhere, "{:?}", second.counters());
    first.stop();
    second.stop();
}
