//! A session as the data of a report file, and back.

use super::{Progress, Session};
use crate::attribution;
use crate::report_data::{About, Attachment, Decoded, Redaction, encode};

/// Contents of report data besides the session.
#[derive(Default)]
pub struct ReportDataOptions<'a> {
    /// Redaction; `None`: nothing is hidden.
    pub redaction: Option<&'a Redaction>,
    /// Path of the first view's address, such as `/flamegraph`; empty: the summary.
    pub path: &'a str,
    /// Options of the first view's address.
    pub query: Vec<(String, String)>,
    /// Search path for sources, and path prefixes that are trimmed.
    pub source_paths: [String; 2],
    /// Files that go with the data; omitted with redaction.
    pub attachments: Vec<Attachment>,
    /// Creation time, in seconds since 1970; 0: unknown.
    pub made: i64,
}

impl Session {
    /// The session as the data of a report file, which [`crate::report_data::decode`] reads. It is meant to be compressed. O(size).
    pub fn to_report_data(&self, options: ReportDataOptions) -> Vec<u8> {
        let progress = self.progress();
        let snapshot = self.snapshot();
        let about = About {
            made: options.made,
            warnings: snapshot.warnings,
            doctor: self.doctor().as_deref().cloned(),
            first_view: snapshot.first_view,
            path: options.path.to_owned(),
            query: options.query,
            symbolized: [progress.done as u64, progress.total as u64],
            source_paths: options.source_paths,
            ..About::default()
        };
        encode(&snapshot.profile, &attribution::record(&snapshot.profile), &about, &options.attachments, options.redaction)
    }

    /// The session that was written as report data, apart from the first view's address and the attachments.
    pub fn from_report_data(decoded: Decoded) -> Self {
        let Decoded { profile, about, .. } = decoded;
        let session = Session::new(profile, about.warnings);
        session.set_first_view(about.first_view);
        if let Some(doctor) = about.doctor {
            session.set_doctor(doctor);
        }
        let [done, total] = about.symbolized.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        session.set_progress(Progress { done, total, finished: true, ..Progress::default() });
        session
    }
}
