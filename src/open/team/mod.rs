//! Team servers and their stores, seen by a client: what `heapview push` sends, and dumps that `store://` addresses name.

pub(crate) mod address;
pub(crate) mod delivery;
pub(crate) mod server;
pub(crate) mod source;
pub(crate) mod spool;
