//! Requests whose answers of any status matter: uploads, and questions to a server that explains its errors.

use std::io::Read;

use ureq::SendBody;
use ureq::http::header::{ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, RETRY_AFTER};
use ureq::http::{Request, Response};
use ureq::{Body, Error};

use super::client::explain;
use super::{Address, Client, FetchError};

/// An answer of any status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Status code.
    pub status: u16,
    /// Seconds after which to try again, if the server says so.
    pub retry_after: Option<u64>,
    /// The body.
    pub bytes: Vec<u8>,
}

/// A body longer than this is sent when the server has accepted its length, bytes.
const MUCH: u64 = 64 << 10;

/// Slowest upload that is waited for, bytes per second.
const SLOWEST: u64 = 32 << 10;

/// Longest answer to an upload that is read, bytes.
const LONGEST_ANSWER: u64 = 4 << 20;

impl Client {
    /// Sends `length` bytes of `body` by PUT, and asks for JSON. Redirects are answers.
    ///
    /// # Errors
    /// Without an answer.
    pub fn put(&self, address: &Address, body: &mut dyn Read, length: u64) -> Result<Reply, FetchError> {
        let seconds = self.seconds(address).saturating_add(length / SLOWEST);
        let mut request = self.request("PUT", address);
        request = request.header(CONTENT_TYPE, "application/octet-stream").header(CONTENT_LENGTH, length);
        if length > MUCH {
            request = request.header(EXPECT, "100-continue");
        }
        self.exchange(request, SendBody::from_reader(body), address, seconds, LONGEST_ANSWER)
    }

    /// Asks for JSON by GET; reads at most `limit` bytes.
    ///
    /// # Errors
    /// Without an answer, or if it is longer.
    pub fn ask(&self, address: &Address, limit: u64) -> Result<Reply, FetchError> {
        self.exchange(self.request("GET", address), SendBody::none(), address, self.seconds(address), limit)
    }

    fn request(&self, method: &str, address: &Address) -> ureq::http::request::Builder {
        let request = Request::builder().method(method).uri(address.for_request()).header(ACCEPT, "application/json");
        match self.authorization(address) {
            Some(header) => request.header(AUTHORIZATION, header),
            None => request,
        }
    }

    fn exchange(
        &self,
        request: ureq::http::request::Builder,
        body: SendBody<'_>,
        address: &Address,
        seconds: u64,
        limit: u64,
    ) -> Result<Reply, FetchError> {
        let explained = |error: Error, bytes| explain(error, address, seconds, bytes);
        let agent = self.agent(address, seconds)?;
        let request = request.body(body).map_err(|error| explained(error.into(), 0))?;
        // A body cannot be sent twice, and PUT must not become GET.
        let request = agent.configure_request(request).max_redirects(0).build();
        let response: Response<Body> = agent.run(request).map_err(|error| explained(error, 0))?;
        let status = response.status().as_u16();
        let retry_after = response.headers().get(RETRY_AFTER).and_then(|text| text.to_str().ok()?.trim().parse().ok());
        let mut bytes = Vec::new();
        let reader = response.into_body().into_with_config().limit(u64::MAX).reader();
        let read = reader.take(limit.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| explained(error.into(), bytes.len() as u64))?;
        match bytes.len() as u64 > limit {
            true => Err(FetchError::TooBig { limit }),
            false => Ok(Reply { status, retry_after, bytes }),
        }
    }
}
