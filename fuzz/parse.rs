//! From the bytes of a dump to reports and exports, for the fuzzer and for the test that replays
//! what it found.

use heapview::attribution::RowDetail;
use heapview::export::{Symbolized, write_json, write_pprof_plain, write_raw};
use heapview::parse::{ParseOptions, heap_text, parse as parse_dump, sniff};
use heapview::profile::{Profile, merge};
use heapview::query::{View, ViewKind};
use heapview::render::{Format, render};
use heapview::session::Session;

/// Bytes that a dump may unpack to: more would only take time.
const MOST: usize = 4 << 20;

/// Kinds of reports, each made of every dump.
const REPORTS: [ViewKind; 9] = [
    ViewKind::Top,
    ViewKind::Flame,
    ViewKind::Graph,
    ViewKind::Traces,
    ViewKind::Tags,
    ViewKind::Sizes,
    ViewKind::Summary,
    ViewKind::Types,
    ViewKind::Growth,
];

/// Parses `bytes` and makes a report of them, `which` by their length. Returns whether they are a dump.
pub(crate) fn parse(bytes: &[u8]) -> bool {
    let options = ParseOptions { max_expanded: MOST, ..ParseOptions::default() };
    let _ = (sniff(bytes), heap_text(bytes, &options));
    let parsed = match parse_dump(bytes, &options) {
        Ok(parsed) => parsed,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    parsed.warnings.iter().for_each(|warning| assert!(!warning.to_string().is_empty()));
    let profile = parsed.profile;
    profile.validate().expect("a parsed profile keeps all invariants");
    report(&profile, REPORTS[bytes.len() % REPORTS.len()]);
    round_trip(&profile);
    if let Ok(both) = merge(vec![profile.clone(), profile]) {
        both.validate().expect("a merged profile keeps all invariants");
    }
    true
}

/// One report in every form.
fn report(profile: &Profile, kind: ViewKind) {
    let Ok(view) = View::parse(kind, []) else { return };
    let Ok(report) = Session::answer_once(profile, &view, RowDetail::Full) else { return };
    for format in [Format::Text, Format::Json, Format::Csv, Format::Folded] {
        let mut out = Vec::new();
        render(&report, format, &|_| String::new(), &mut out).expect("memory takes all");
        assert!(!out.contains(&0x1b), "an escape character in {format:?}");
    }
}

/// What is written as pprof reads as the same.
fn round_trip(profile: &Profile) {
    let mut bytes = Vec::new();
    write_pprof_plain(profile, &mut bytes).expect("memory takes all");
    if let Ok(again) = parse_dump(&bytes, &ParseOptions { max_expanded: usize::MAX, ..ParseOptions::default() }) {
        again.profile.validate().expect("an exported profile keeps all invariants");
    }
    let mut out = Vec::new();
    write_json(profile, &mut out).expect("memory takes all");
    write_raw(profile, &|_| String::new(), &mut out).expect("memory takes all");
    if let Ok(text) = Symbolized::new(profile) {
        text.write(&mut out).expect("memory takes all");
    }
}
