//! The server's log: a line for each request and event, as JSON or text. Never a token, a query or a body.
//!
//! A thread of its own writes it: who reads the log slowly slows nothing down. Lines that find no room are counted.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender, TrySendError};
use std::time::Duration;

use serde_json::{Map, Value};

use crate::base::json::write_json_value;
use crate::base::plain::{no_command, one_line};

/// Lines that wait to be written.
const WAITING: usize = 10_000;

/// Time for the last lines when the server ends.
const FAREWELL: Duration = Duration::from_secs(1);

/// Longest text of a field, characters.
const LONGEST: usize = 300;

/// How lines are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// An object a line.
    Json,
    /// Time, level, event, and the fields as `name=value`.
    #[default]
    Text,
}

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// All is well.
    Info,
    /// A request was refused.
    Warn,
    /// The server could not do what it should.
    Error,
}

enum Message {
    Line(String),
    /// Everything before it is written.
    Flush(SyncSender<()>),
}

/// Where lines are written; by default nowhere.
#[derive(Clone, Default)]
pub struct Log(Option<(LogFormat, SyncSender<Message>)>, Arc<AtomicU64>);

impl Log {
    /// Writes lines to `out`.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn to(mut out: impl Write + Send + 'static, format: LogFormat) -> std::io::Result<Log> {
        let (sender, receiver) = mpsc::sync_channel(WAITING);
        std::thread::Builder::new().name("log".into()).spawn(move || {
            for message in receiver {
                // Errors are ignored: there is nowhere to report them.
                match message {
                    Message::Line(line) => drop(out.write_all(line.as_bytes())),
                    Message::Flush(done) => drop((out.flush(), done.send(()))),
                }
            }
        })?;
        Ok(Log(Some((format, sender)), Arc::default()))
    }

    /// Lines that were not written, as too many waited.
    pub(super) fn dropped(&self) -> u64 {
        self.1.load(Ordering::Relaxed)
    }

    /// Writes a line; empty texts and nulls are left out.
    pub(super) fn write<const N: usize>(&self, level: Level, event: &str, fields: [(&str, Value); N]) {
        let Some((format, sender)) = &self.0 else { return };
        let level = match level {
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
        };
        let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
        let fields = fields.into_iter().filter(|(_, value)| !value.is_null() && value.as_str() != Some(""));
        let fields = fields.map(|(name, value)| (name.to_owned(), shortened(value)));
        let line = match format {
            LogFormat::Json => {
                let first = [("time", now.as_str()), ("level", level), ("event", event)];
                let first = first.map(|(name, value)| (name.to_owned(), Value::from(value)));
                let mut line = Vec::new();
                // Writing to memory does not fail, and JSON is a text.
                let _ = write_json_value(&mut line, &Value::Object(first.into_iter().chain(fields).collect::<Map<_, _>>()));
                String::from_utf8_lossy(&line).into_owned()
            }
            LogFormat::Text => {
                let mut line = format!("{now} {level} {event}");
                for (name, value) in fields {
                    let is_plain = |text: &&str| text.chars().all(|c| c.is_ascii_alphanumeric() || "._:/@+;,-".contains(c));
                    // Writing to a text does not fail.
                    let _ = match value.as_str().filter(is_plain) {
                        Some(plain) => write!(line, " {name}={plain}"),
                        None => write!(line, " {name}={value}"),
                    };
                }
                no_command(&one_line(&line)).into_owned()
            }
        };
        if let Err(TrySendError::Full(_)) = sender.try_send(Message::Line(line + "\n")) {
            self.1.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until what was logged is written. Blocks, not for long.
    pub fn flush(&self) {
        let Some((_, sender)) = &self.0 else { return };
        let (done, flushed) = mpsc::sync_channel(1);
        if sender.try_send(Message::Flush(done)).is_ok() {
            let _ = flushed.recv_timeout(FAREWELL);
        }
    }
}

fn shortened(value: Value) -> Value {
    match value.as_str() {
        Some(text) if text.chars().nth(LONGEST).is_some() => Value::from(text.chars().take(LONGEST).chain(['…']).collect::<String>()),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Mutex, PoisonError};

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn lines(format: LogFormat) -> Vec<String> {
        let kept = Kept::default();
        let log = Log::to(kept.clone(), format).unwrap();
        log.write(Level::Info, "start", [("version", "1.0".into()), ("who", "".into()), ("bytes", Value::Null)]);
        log.write(
            Level::Warn,
            "request",
            [("path", "/a b\n\u{1b}[2J\u{9b}\u{202e}".into()), ("status", 404.into()), ("long", "x".repeat(1000).into())],
        );
        log.flush();
        let text = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn lines_are_json_or_text() {
        let json = lines(LogFormat::Json);
        let [start, request] = [&json[0], &json[1]].map(|line| serde_json::from_str::<Value>(line).unwrap());
        assert_eq!((start["event"].as_str(), start["version"].as_str(), start.get("who")), (Some("start"), Some("1.0"), None));
        assert_eq!(request["path"].as_str(), Some("/a b\n\u{1b}[2J\u{9b}\u{202e}"));
        assert_eq!((request["level"].as_str(), request["status"].as_u64()), (Some("warn"), Some(404)));
        assert_eq!(request["long"].as_str().unwrap().chars().count(), LONGEST + 1);
        let text = lines(LogFormat::Text);
        assert_eq!((json.len(), text.len()), (2, 2), "a line each, whatever is in it");
        let is_printable = |line: &String| !line.contains(['\u{1b}', '\u{9b}', '\u{202e}']);
        assert!(json.iter().chain(&text).all(is_printable), "{json:?} {text:?}");
        assert!(text[0].ends_with(" info start version=1.0"), "{}", text[0]);
        assert!(text[1].contains(" warn request path=\"/a b") && text[1].contains(" status=404 "), "{}", text[1]);
        Log::default().write(Level::Info, "nowhere", []);
    }
}
