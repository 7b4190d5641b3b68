//! Configuration of a server: access, files and uploads.

use std::sync::Arc;

use super::access::Access;
use super::hosts::Hosts;
use super::limits::Limits;
use crate::annotate::Files;
use crate::api::Opener;
use crate::query::View;

/// Makes a command line of a view.
pub type ShareCommand = Arc<dyn Fn(&View) -> String + Send + Sync>;

/// Configuration of a server.
#[derive(Clone)]
pub struct Setup {
    /// Host names that are answered.
    pub hosts: Hosts,
    /// Access rules.
    pub access: Access,
    /// Parameters of the view that a bare `/` shows.
    pub query: Vec<(String, String)>,
    /// Addresses for other machines, such as `http://192.168.1.7:8080`; empty if they cannot connect.
    pub addresses: Vec<String>,
    /// Returns the command that shares a view with other machines; `None` if they can connect.
    pub share_command: Option<ShareCommand>,
    /// Source files and binaries that reports may show.
    pub files: Arc<Files>,
    /// Opens uploaded files; `None`: uploads are refused.
    pub opener: Option<Arc<dyn Opener>>,
    /// Limit for all uploaded files together, bytes.
    pub most_uploaded: u64,
    /// Connections, times and bytes that visitors may use.
    pub limits: Limits,
}

impl From<Hosts> for Setup {
    /// Read-only, for this machine.
    fn from(hosts: Hosts) -> Self {
        Setup {
            hosts,
            access: Access::default(),
            query: Vec::new(),
            addresses: Vec::new(),
            share_command: None,
            files: Arc::default(),
            opener: None,
            most_uploaded: 0,
            limits: Limits::default(),
        }
    }
}
