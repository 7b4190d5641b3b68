//! Answers of OTLP.

use prost::Message;

/// `ExportProfilesServiceResponse`.
#[derive(Message)]
struct Exported {
    #[prost(message, optional, tag = "1")]
    partial_success: Option<PartialSuccess>,
}

#[derive(Message)]
struct PartialSuccess {
    #[prost(int64, tag = "1")]
    rejected_profiles: i64,
    #[prost(string, tag = "2")]
    error_message: String,
}

/// `google.rpc.Status`.
#[derive(Message)]
struct Status {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
}

/// The answer to a request of which some profiles were not stored, and why.
pub fn partly_stored(n_rejected: usize, why: String) -> Vec<u8> {
    let rejected_profiles = i64::try_from(n_rejected).unwrap_or(i64::MAX);
    Exported { partial_success: Some(PartialSuccess { rejected_profiles, error_message: why }) }.encode_to_vec()
}

/// The answer to a request that failed; `code` is one of gRPC's.
pub fn status(code: i32, message: String) -> Vec<u8> {
    Status { code, message }.encode_to_vec()
}
