//! From the bytes of report data to reports, and to report data again, for the fuzzer and for the test that replays what it
//! found.

use heapview::query::{View, ViewKind};
use heapview::render::{Format, render};
use heapview::report_data::decode;
use heapview::session::{ReportDataOptions, Session};

/// Questions, each asked of all data that is read.
const QUESTIONS: [(ViewKind, &[(&str, &str)]); 9] = [
    (ViewKind::Top, &[("hide_kind", "alloc,std"), ("order", "package")]),
    (ViewKind::Top, &[("tagroot", "thread,bytes"), ("focus", "main|a")]),
    (ViewKind::Flame, &[("culprit", "t")]),
    (ViewKind::Flame, &[("inverted", "t"), ("tagleaf", "k")]),
    (ViewKind::Graph, &[("base", "0")]),
    (ViewKind::Traces, &[("noinlines", "t")]),
    (ViewKind::Types, &[]),
    (ViewKind::Summary, &[]),
    (ViewKind::Growth, &[]),
];

/// Reads `bytes`, asks, writes and reads again. Returns whether they are report data.
pub(crate) fn report_data(bytes: &[u8]) -> bool {
    let decoded = match decode(bytes) {
        Ok(decoded) => decoded,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    decoded.profile.validate().expect("decoded profiles keep all invariants");
    let session = Session::from_report_data(decoded);
    let again = decode(&session.to_report_data(ReportDataOptions::default())).expect("what is written can be read");
    let again = Session::from_report_data(again);
    for (kind, options) in QUESTIONS {
        let Ok(view) = View::parse(kind, options.iter().copied()) else { continue };
        let answers = [&session, &again].map(|session| {
            let answer = session.answer(&view).map_err(|error| error.to_string());
            answer.map(|report| {
                let mut out = Vec::new();
                render(&report, Format::Json, &|_| String::new(), &mut out).expect("memory takes all");
                out
            })
        });
        assert_eq!(answers[0], answers[1], "{kind:?}");
    }
    true
}
