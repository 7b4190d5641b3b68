//! How a server is to be: for whom it answers, and what it may be given.

use std::sync::Arc;

use super::access::Access;
use super::hosts::Hosts;
use super::limits::Limits;
use crate::annotate::Files;
use crate::api::Opener;
use crate::query::View;

/// Makes a command line of a view.
pub type ShareCommand = Arc<dyn Fn(&View) -> String + Send + Sync>;

/// How a server is to be.
#[derive(Clone)]
pub struct Setup {
    /// The names under which it answers.
    pub hosts: Hosts,
    /// Who is let in.
    pub access: Access,
    /// Parameters of the view that a bare `/` shows.
    pub query: Vec<(String, String)>,
    /// Where others reach it, such as `http://192.168.1.7:8080`; empty when they cannot.
    pub addresses: Vec<String>,
    /// Makes the command that would let others reach this view; `None`: they can.
    pub share_command: Option<ShareCommand>,
    /// Source files and binaries that reports may show.
    pub files: Arc<Files>,
    /// What opens the files that come; without, none is taken.
    pub opener: Option<Arc<dyn Opener>>,
    /// Bytes of all files that come, together.
    pub most_uploaded: u64,
    /// Connections, times and bytes that visitors may use.
    pub limits: Limits,
}

impl From<Hosts> for Setup {
    /// Only looks, and only from here.
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
