//! A connection whose client must keep reading.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// A stream that fails when the other side does not read: `least` bytes in each `patience` while data waits.
pub(super) struct ReadingClient<S> {
    stream: S,
    patience: Duration,
    least: usize,
    stall: Option<Stall>,
}

/// Writing that had to wait.
struct Stall {
    until: Pin<Box<Sleep>>,
    /// Bytes that went out since.
    written: usize,
    /// When it had to wait last.
    waited: Instant,
}

impl<S> ReadingClient<S> {
    pub(super) fn new(stream: S, patience: Duration, least: usize) -> Self {
        ReadingClient { stream, patience, least, stall: None }
    }

    /// Whether the client still has time, or has used it up.
    fn paced(&mut self, written: Poll<io::Result<usize>>, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(n)) => {
                if let Some(stall) = &mut self.stall {
                    stall.written = stall.written.saturating_add(n);
                    if stall.written >= self.least {
                        self.stall = None;
                    }
                }
                Poll::Ready(Ok(n))
            }
            Poll::Pending => {
                let now = Instant::now();
                // One that is long over says nothing of this one.
                let stall = self.stall.take().filter(|stall| now - stall.waited <= self.patience * 2);
                let stall = stall.unwrap_or_else(|| Stall { until: Box::pin(sleep_until(now + self.patience)), written: 0, waited: now });
                let stall = self.stall.insert(stall);
                stall.waited = now;
                match stall.until.as_mut().poll(context) {
                    Poll::Ready(()) => Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read"))),
                    Poll::Pending => Poll::Pending,
                }
            }
            failed @ Poll::Ready(Err(_)) => failed,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ReadingClient<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ReadingClient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.paced(written, context)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, context: &mut Context<'_>, slices: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.paced(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(200);

    /// Whether all of `n` bytes can be written to a client that reads `piece` bytes every 50 ms.
    fn is_written(n: usize, piece: usize) -> bool {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let (near, mut far) = tokio::io::duplex(1000);
            let reading = tokio::spawn(async move {
                let mut buffer = vec![0; piece];
                loop {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    if piece > 0 && far.read(&mut buffer).await.is_ok_and(|n| n == 0) {
                        return;
                    }
                }
            });
            let mut stream = ReadingClient::new(near, PATIENCE, 1000);
            let written = tokio::time::timeout(Duration::from_secs(20), stream.write_all(&vec![7; n])).await;
            reading.abort();
            written.unwrap().is_ok()
        })
    }

    #[test]
    fn a_client_must_read_at_a_pace() {
        assert!(is_written(900, 0), "nothing had to wait");
        assert!(!is_written(2000, 0), "nobody reads");
        assert!(!is_written(20_000, 10), "a drip");
        assert!(is_written(20_000, 1000));
    }
}
