//! Why a request of an agent or SDK is refused.

use thiserror::Error;

use super::series::{MOST_LABELS, MOST_PROFILES};
use crate::base::units::binary_size;

/// Why a request is refused. Nothing of it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadRequest {
    /// A content encoding that is not supported.
    #[error("the body has Content-Encoding {0:?}; expected gzip, or none")]
    Encoding(String),
    /// The body is not what its content encoding says.
    #[error("the body is not valid gzip, although its Content-Encoding is gzip: {0}")]
    Gzip(String),
    /// The body unpacks to too much.
    #[error("the body unpacks to more than {}, the limit `most_body` of this store", binary_size(*.0))]
    Bomb(u64),
    /// A damaged protobuf message.
    #[error("the protobuf message is damaged: byte {at} of its {message}: {reason}")]
    Protobuf {
        /// The message in which `at` is counted.
        message: &'static str,
        /// Byte, from 0.
        at: usize,
        /// What is wrong.
        reason: String,
    },
    /// JSON that is damaged, or of another shape.
    #[error("the JSON is not a push request: {0}")]
    Json(String),
    /// Too many profiles.
    #[error("the request has more than {MOST_PROFILES} profiles; send several requests")]
    Profiles,
    /// Too many labels.
    #[error("series {0} has more than {MOST_LABELS} labels")]
    Labels(usize),
    /// A text that is not UTF-8.
    #[error("series {series}: {what} is not UTF-8")]
    Text {
        /// Number of the series, from 1.
        series: usize,
        /// A label's name or value.
        what: &'static str,
    },
    /// No service.
    #[error("there is no label `service_name`, which says whose profile it is")]
    NoService,
    /// A name that cannot be read.
    #[error("name: expected {expected} at character {at}; names look like forest{{env=prod,host=web-1}}")]
    Name {
        /// Character, from 1.
        at: usize,
        /// What should be there.
        expected: &'static str,
    },
    /// A form that cannot be read.
    #[error("the multipart form {0}")]
    Form(&'static str),
    /// A format that has no memory profiles, or that heapview does not read.
    #[error("format={0} is not supported; send format=pprof, or folded with units=bytes")]
    Format(String),
    /// A profile of OpenTelemetry that cannot become pprof.
    #[error("profile {profile}: {reason}")]
    Otlp {
        /// Number of the profile, from 1; those of one scope and time are one.
        profile: usize,
        /// What is wrong.
        reason: String,
    },
    /// Profiles of OpenTelemetry that become too large.
    #[error("the profiles become larger than {}, the limit `most_unpacked` of this store", binary_size(*.0))]
    Large(u64),
    /// Profiles of OpenTelemetry that take too long to convert.
    #[error("the profiles refer to the same large entries of the dictionary too often; send them in several requests")]
    References,
    /// There is no memory for the profiles at the moment.
    #[error("the server receives too many profiles at the moment")]
    Busy,
}
