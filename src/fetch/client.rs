//! HTTP client with limits on time and size.

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use base64::prelude::*;
use ureq::http::Response;
use ureq::http::header::AUTHORIZATION;
use ureq::{Agent, Body, Error, Proxy};

use super::{Address, FetchError, TlsFiles};

/// Options of requests.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Timeout, seconds; by default a minute, or 1.5 times the requested duration of the profile.
    pub timeout: Option<u64>,
    /// Keys and authorities.
    pub tls: TlsFiles,
    /// Proxies.
    pub proxies: Proxies,
    /// Token that is sent with each request, instead of the address's user and password.
    pub token: Option<Token>,
}

/// A token of a server. Debug output does not show it.
#[derive(Clone)]
pub struct Token(pub String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Proxies as the environment names them; never used for this machine itself.
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    /// HTTP_PROXY.
    pub http: Option<String>,
    /// HTTPS_PROXY.
    pub https: Option<String>,
    /// NO_PROXY: hosts without one.
    pub none: String,
}

/// An answer.
#[derive(Debug)]
pub struct Fetched {
    /// Its content, without what the transport wrapped it in.
    pub bytes: Vec<u8>,
    /// The caller stopped before its end.
    pub is_part: bool,
}

/// Asks servers. One serves any number of threads.
#[derive(Clone, Debug, Default)]
pub struct Client {
    options: Options,
}

/// Most redirections that are followed, as in Go.
const MOST_REDIRECTS: u32 = 10;

/// Longest content of an answer, bytes.
const LONGEST: u64 = 1 << 30;

/// Bytes of the head that the caller judges an answer by.
const HEAD: u64 = 1 << 16;

/// pprof allows for this much more than was requested, seconds.
const GRACE: u64 = 5;

/// A host that does not answer at all is given up after this.
const CONNECT: Duration = Duration::from_secs(15);

impl Client {
    /// A client; keys are read when they are needed.
    pub fn new(options: Options) -> Self {
        Client { options }
    }

    /// Returns the body of `address`. `wanted` tests its first 64 KiB; unwanted bodies are not read further. `received` counts
    /// bytes as they arrive.
    ///
    /// # Errors
    /// Without a successful response.
    pub fn get(&self, address: &Address, wanted: impl Fn(&[u8]) -> bool, received: &AtomicU64) -> Result<Fetched, FetchError> {
        let seconds = self.seconds(address);
        let agent = self.agent(address, seconds)?;
        let mut request = agent.get(address.for_request());
        if let Some(header) = self.authorization(address) {
            request = request.header(AUTHORIZATION, header);
        }
        let response = request.call().map_err(|e| explain(e, address, seconds, 0))?;
        let mut reader = checked(response)?.into_body().into_with_config().limit(u64::MAX).reader();
        let mut bytes = Vec::new();
        let mut read = |bytes: &mut Vec<u8>, limit: u64| {
            let mut counted = Counted { reader: &mut reader, received };
            let read = (&mut counted).take(limit - bytes.len() as u64).read_to_end(bytes);
            read.map_err(|e| explain(Error::from(e), address, seconds, bytes.len() as u64))
        };
        read(&mut bytes, HEAD)?;
        if bytes.len() as u64 == HEAD {
            if !wanted(&bytes) {
                return Ok(Fetched { bytes, is_part: true });
            }
            read(&mut bytes, LONGEST + 1)?;
        }
        match bytes.len() as u64 > LONGEST {
            true => Err(FetchError::TooBig { limit: LONGEST }),
            false => Ok(Fetched { bytes, is_part: false }),
        }
    }

    /// The answer to `question`, at most `limit` bytes of it.
    ///
    /// # Errors
    /// Without a successful response.
    pub fn post(&self, address: &Address, question: &str, limit: u64) -> Result<Vec<u8>, FetchError> {
        let seconds = self.seconds(address);
        let agent = self.agent(address, seconds)?;
        let mut request = agent.post(address.for_request()).content_type("application/octet-stream");
        if let Some(header) = self.authorization(address) {
            request = request.header(AUTHORIZATION, header);
        }
        let response = request.send(question).map_err(|e| explain(e, address, seconds, 0))?;
        let mut bytes = Vec::new();
        let mut reader = checked(response)?.into_body().into_with_config().limit(u64::MAX).reader().take(limit);
        reader.read_to_end(&mut bytes).map_err(|e| explain(Error::from(e), address, seconds, bytes.len() as u64))?;
        Ok(bytes)
    }

    /// Response body as a stream, and its length if the server sends it.
    pub(super) fn open(&self, address: &Address, whole: Option<Duration>) -> Result<(Option<u64>, impl Read + use<>), FetchError> {
        // The caller checks the time; this only ends abandoned requests.
        let seconds = whole.map_or(1 << 30, |whole| whole.as_secs().min(1 << 30)) + GRACE;
        let agent = self.agent(address, seconds)?;
        let mut request = agent.get(address.for_request());
        if let Some(header) = self.authorization(address) {
            request = request.header(AUTHORIZATION, header);
        }
        let response = checked(request.call().map_err(|e| explain(e, address, seconds, 0))?)?;
        // A compressed response has another length; debuginfod sends the file's size separately.
        let uncompressed = response.headers().get("x-debuginfod-size").and_then(|size| size.to_str().ok()?.parse().ok());
        let size = uncompressed.or_else(|| response.body().content_length());
        Ok((size, response.into_body().into_with_config().limit(u64::MAX).reader()))
    }

    /// Timeout of a whole response, seconds.
    pub(super) fn seconds(&self, address: &Address) -> u64 {
        let own = address.seconds().map_or(60, |s| s.saturating_add(s / 2));
        // Bounded, so that no clock overflows.
        self.options.timeout.unwrap_or(own).min(1 << 30) + GRACE
    }

    /// The Authorization header: the token, or the address's user and password.
    pub(super) fn authorization(&self, address: &Address) -> Option<String> {
        self.options.token.as_ref().map(|token| format!("Bearer {}", token.0)).or_else(|| authorization(address))
    }

    pub(super) fn agent(&self, address: &Address, seconds: u64) -> Result<Agent, FetchError> {
        let is_secure = match address.scheme() {
            "http" => false,
            "https" | "https+insecure" => true,
            other => return Err(FetchError::Scheme { scheme: other.into() }),
        };
        let whole = Duration::from_secs(seconds);
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(MOST_REDIRECTS)
            .redirect_auth_headers(ureq::config::RedirectAuthHeaders::SameHost)
            .timeout_global(Some(whole))
            .timeout_connect(Some(CONNECT.min(whole)))
            .user_agent(concat!("heapview/", env!("CARGO_PKG_VERSION")))
            .proxy(self.options.proxies.of(address, is_secure)?);
        // A redirection may lead to TLS from anywhere, and -tls_ca holds there, too.
        let tls = &self.options.tls;
        if is_secure || tls.ca.is_some() || tls.cert.is_some() || tls.key.is_some() {
            config = config.tls_config(tls.config(address.scheme() == "https+insecure")?);
        }
        Ok(config.build().new_agent())
    }
}

impl Proxies {
    /// The proxy for `address`.
    fn of(&self, address: &Address, is_secure: bool) -> Result<Option<Proxy>, FetchError> {
        let (variable, proxy) = if is_secure { ("HTTPS_PROXY", &self.https) } else { ("HTTP_PROXY", &self.http) };
        let Some(proxy) = proxy.as_deref().filter(|p| !p.is_empty() && !address.is_here()) else { return Ok(None) };
        let unusable = |_| FetchError::Proxy { variable };
        let read = Proxy::new(proxy).map_err(unusable)?;
        let mut built = Proxy::builder(read.protocol()).host(read.host()).port(read.port()).no_proxy(&self.none);
        if let Some(user) = read.username() {
            built = built.username(user);
        }
        if let Some(password) = read.password() {
            built = built.password(password);
        }
        built.build().map(Some).map_err(unusable)
    }
}

/// Counts bytes on their way.
struct Counted<'a, R> {
    reader: &'a mut R,
    received: &'a AtomicU64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(into)?;
        self.received.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// Passes on successful responses only.
pub(super) fn checked(mut response: Response<Body>) -> Result<Response<Body>, FetchError> {
    let status = response.status();
    if status.as_u16() == 200 {
        return Ok(response);
    }
    let mut text = Vec::new();
    // Without a reason the status must do.
    let _ = response.body_mut().as_reader().take(4096).read_to_end(&mut text);
    Err(FetchError::Status { status: status.to_string(), code: status.as_u16(), line: first_line(&text) })
}

/// The first line with something on it, shortened, safe to print.
pub fn first_line(text: &[u8]) -> String {
    const MOST: usize = 120;
    let text = String::from_utf8_lossy(text);
    let line = text.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
    let mut short: String = crate::base::plain::one_line(line).chars().take(MOST).collect();
    if line.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}

/// The Authorization header for the address's user and password.
fn authorization(address: &Address) -> Option<String> {
    let (user, password) = address.credentials()?;
    Some(format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:{password}"))))
}

/// Converts the client's error.
pub(super) fn explain(error: Error, address: &Address, seconds: u64, bytes: u64) -> FetchError {
    let host = || address.for_request().split('/').nth(2).unwrap_or_default().to_owned();
    match error {
        Error::HostNotFound => FetchError::NoHost { host: address.host_name().to_owned() },
        Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => FetchError::Connect { host: host(), reason: "no answer".into() },
        Error::Timeout(_) => FetchError::Timeout { seconds, bytes },
        Error::TooManyRedirects => FetchError::Redirects { most: MOST_REDIRECTS },
        Error::BadUri(reason) => FetchError::Address { reason },
        Error::Http(e) => FetchError::Address { reason: e.to_string() },
        Error::Rustls(e) => tls(&e),
        Error::Tls(e) => FetchError::Tls { reason: e.into() },
        Error::Io(e) => match (e.kind(), e.get_ref().and_then(|e| e.downcast_ref::<rustls::Error>())) {
            (_, Some(e)) => tls(e),
            (io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe | io::ErrorKind::UnexpectedEof, _) if bytes == 0 => {
                FetchError::NoAnswer { reason: e.to_string() }
            }
            // The standard library has no error kind for this.
            _ if e.to_string().starts_with("failed to lookup address") => FetchError::NoHost { host: address.host_name().to_owned() },
            _ if bytes == 0 && e.raw_os_error().is_some() => FetchError::Connect { host: host(), reason: e.to_string() },
            _ => FetchError::Cut { bytes, reason: e.to_string() },
        },
        Error::Decompress(_, e) => FetchError::Cut { bytes, reason: format!("damaged gzip data: {e}") },
        Error::ConnectProxyFailed(reason) => FetchError::Through { reason },
        other => FetchError::Other { reason: other.to_string() },
    }
}

/// Converts a TLS error.
fn tls(error: &rustls::Error) -> FetchError {
    let reason = error.to_string();
    match error {
        rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented => FetchError::Untrusted { reason },
        rustls::Error::AlertReceived(_) => FetchError::Refused { reason },
        _ => FetchError::Tls { reason },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_password_are_sent_in_base64() {
        let header = |source: &str| authorization(&Address::parse(source).unwrap());
        assert_eq!(header("http://a:%C3%BF%3F@h:1/x").as_deref(), Some("Basic YTrDvz8="));
        assert_eq!(header("http://a@h:1/x").as_deref(), Some("Basic YTo="));
        assert_eq!(header("http://h:1/x"), None);
    }

    #[test]
    fn time_is_pprofs() {
        let seconds = |source: &str, timeout| {
            let options = Options { timeout, ..Options::default() };
            Client::new(options).seconds(&Address::parse(source).unwrap())
        };
        assert_eq!(seconds("h:1/x", None), 65);
        assert_eq!(seconds("h:1/x?seconds=30", None), 50);
        assert_eq!(seconds("h:1/x?seconds=30", Some(10)), 15);
        assert!(seconds("h:1/x", Some(u64::MAX)) > 1 << 29);
    }

    #[test]
    fn proxies_are_for_other_machines() {
        let proxies = Proxies { http: Some("p:3128".into()), https: Some("http://me:pw@q".into()), none: "inside.example".into() };
        let of = |source: &str, is_secure| proxies.of(&Address::parse(source).unwrap(), is_secure).unwrap().map(|p| p.host().to_owned());
        assert_eq!(of("http://h/x", false).as_deref(), Some("p"));
        assert_eq!(of("https://h/x", true).as_deref(), Some("q"));
        for here in ["http://localhost:1/x", "127.0.0.2:1/x", "[::1]:1/x", ":1/x"] {
            assert_eq!(of(here, false), None, "{here}");
        }
        let uri = "http://inside.example/x".parse().unwrap();
        assert!(proxies.of(&Address::parse("http://h/x").unwrap(), false).unwrap().unwrap().is_no_proxy(&uri));
        let broken = Proxies { http: Some("gopher://p".into()), ..Proxies::default() };
        assert!(broken.of(&Address::parse("http://h/x").unwrap(), false).is_err());
    }

    #[test]
    fn lines_of_servers_are_short_and_plain() {
        assert_eq!(first_line(b"\n  \x1b[2Jno\nmore"), "\\u{1b}[2Jno");
        assert_eq!(first_line("ä".repeat(500).as_bytes()).chars().count(), 121);
    }
}
