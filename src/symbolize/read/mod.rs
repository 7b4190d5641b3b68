//! Reads programs and libraries by parts and within limits: headers and symbol tables.

pub(crate) mod address;
pub(crate) mod attached_file;
pub(crate) mod bounded_reader;
pub(crate) mod byte_source;
pub(crate) mod file_bytes;
pub(crate) mod file_stamp;
pub(crate) mod got;
pub(crate) mod headers;
pub(crate) mod image;
pub(crate) mod layout;
pub(crate) mod machine;
pub(crate) mod minidebuginfo;
pub(crate) mod numbers;
pub(crate) mod paged;
pub(crate) mod perf_map;
pub(crate) mod symtab;
pub(crate) mod universal;
