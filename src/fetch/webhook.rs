//! Messages to webhooks.

use std::time::Instant;

use super::client::checked;
use super::{FetchError, Guarded};

impl Guarded<'_> {
    /// Sends POST with a JSON text and these headers; any status of success will do. What the server answers is not read.
    ///
    /// # Errors
    /// Without a successful response in time; redirections are not followed.
    pub fn send_json(&self, headers: &[(&str, &str)], json: &str) -> Result<(), FetchError> {
        let end = Instant::now() + self.timeout;
        let mut request = self.agent(end)?.post(self.address.for_request()).content_type("application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send(json).map_err(|error| self.explain(error, 0))?;
        match response.status().is_success() {
            true => Ok(()),
            false => checked(response).map(|_| ()),
        }
    }
}
