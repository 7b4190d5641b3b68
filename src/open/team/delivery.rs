//! Attempts to send something until it is delivered, refused, or the time for waiting is over.

use std::io::{self, Cursor, Read};
use std::time::{Duration, Instant};

use super::server::Sent;
use crate::base::units::label;
use crate::terminal::progress::Line;

/// First and longest pause between two attempts.
const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(10);

/// Attempts of one run of the program: all of them together wait for a bounded time.
#[derive(Debug)]
pub(crate) struct Patience {
    most: Duration,
    /// When an attempt failed first.
    since: Option<Instant>,
    /// No server answered to the end.
    gave_up: Option<String>,
}

impl Patience {
    /// Waits for `most` at most.
    pub(crate) fn new(most: Duration) -> Self {
        Patience { most, since: None, gave_up: None }
    }

    /// Sends by `send` until it works or the time is over. A server that was away all the time is not asked again.
    pub(crate) fn send<T>(&mut self, line: &Line, mut send: impl FnMut() -> Sent<T>) -> Sent<T> {
        if let Some(why) = &self.gave_up {
            return Sent::Later { why: why.clone(), after: None, is_away: true };
        }
        let mut pause = FIRST;
        loop {
            let (why, after, is_away) = match send() {
                Sent::Later { why, after, is_away } => (why, after, is_away),
                done => return done,
            };
            let since = *self.since.get_or_insert_with(Instant::now);
            let wait = after.map_or(pause, |after| pause.max(Duration::from_secs(after))).mul_f64(0.5 + 0.5 * chance());
            if since.elapsed() + wait > self.most {
                self.gave_up = is_away.then(|| why.clone());
                return Sent::Later { why, after, is_away };
            }
            line.set(|| format!("trying again in {:.1} s ({why})", wait.as_secs_f64()));
            std::thread::sleep(wait);
            pause = (pause * 2).min(LONGEST);
        }
    }
}

/// A number from 0 to 1, so that many clients do not come back at the same moment.
fn chance() -> f64 {
    let mut random = [0; 1];
    // Without random bytes they come at the same moment.
    let _ = getrandom::fill(&mut random);
    f64::from(random[0]) / 255.0
}

/// Bytes on their way, with progress.
pub(crate) struct Counted<'a, R> {
    reader: R,
    line: &'a Line,
    n: u64,
    all: u64,
}

impl<'a, R> Counted<'a, R> {
    /// `all` bytes of a reader.
    pub(crate) fn new(reader: R, all: u64, line: &'a Line) -> Self {
        Counted { reader, line, n: 0, all }
    }
}

impl<'a> Counted<'a, Cursor<&'a [u8]>> {
    /// These bytes.
    pub(crate) fn of(bytes: &'a [u8], line: &'a Line) -> Self {
        Counted::new(Cursor::new(bytes), bytes.len() as u64, line)
    }
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(into)?;
        self.n += n as u64;
        let size = |bytes: u64| label(i64::try_from(bytes).unwrap_or(i64::MAX), "bytes", "auto");
        self.line.set(|| format!("{} of {}", size(self.n), size(self.all)));
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::progress::during;

    fn away() -> Sent<()> {
        Sent::Later { why: "away".into(), after: None, is_away: true }
    }

    #[test]
    fn what_works_later_is_sent_again() {
        let mut patience = Patience::new(Duration::from_secs(20));
        let mut n = 0;
        let sent = during("", |line| {
            patience.send(line, || {
                n += 1;
                if n < 2 { away() } else { Sent::Done(()) }
            })
        });
        assert_eq!((sent, n), (Sent::Done(()), 2));
    }

    #[test]
    fn a_server_that_is_away_is_not_asked_for_each_file() {
        let mut patience = Patience::new(Duration::ZERO);
        let mut n = 0;
        let mut send = || {
            n += 1;
            away()
        };
        during("", |line| {
            assert_eq!(patience.send(line, &mut send), away());
            assert_eq!(patience.send(line, &mut send), away());
        });
        assert_eq!(n, 1);
        // One that answers is asked for the next file, too.
        let busy = || Sent::<()>::Later { why: "busy".into(), after: Some(5), is_away: false };
        let mut patience = Patience::new(Duration::ZERO);
        let sent = during("", |line| {
            patience.send(line, busy);
            patience.send(line, || Sent::Done(()))
        });
        assert_eq!(sent, Sent::Done(()));
    }
}
