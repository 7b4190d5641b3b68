//! What is asked and answered under `/api/v1/`, without a server.

mod error;
mod explained;
mod fields;
mod meta;
mod opener;
mod start_list;

pub use error::ApiError;
pub use explained::{explained, utc};
pub use fields::{FieldDoc, field_docs};
pub use meta::{DumpMeta, MappingMeta, Meta, SymbolState, Symbols, ValueTypeMeta, of_session, program};
pub use opener::{Opened, Opener, Refusal};
pub use start_list::{StartEntry, StartList};
