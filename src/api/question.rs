//! Questions: requests parsed from paths and parameters.

use super::address::{decoded, parameters};
use super::attachments::Attachments;
use super::error::AnswerError;
use super::form::Form;
use super::rules::{Rules, rules};
use crate::query::{Granularity, LOCAL, QueryError, View, ViewKind, check_limits, field};
use crate::render::Format;
use crate::session::Session;

/// Default number of stacks sent: all of a big profile would be gigabytes.
const TRACES: i64 = 1000;

/// Most functions sent with all their callers and callees.
const ENTRIES: usize = 500;

/// Most boxes of a flame graph sent; smaller ones are sent for a view that is zoomed to them.
const BOXES: usize = 4000;

/// Most stacks in a file of collapsed stacks: a big profile's would be gigabytes.
const COLLAPSED: i64 = 50_000;

/// Size limit of a compiled regular expression of a visitor, bytes.
pub const PATTERN_BYTES: usize = 256 << 10;

/// Start of the paths of reports, metadata and fields.
const API: &str = "/api/v1/";

/// Paths of the profile as a file, like pprof's.
pub const DOWNLOADS: [&str; 2] = ["/download", "/ui/download"];

/// A question that needs no server.
#[derive(Clone, Debug)]
pub enum Question {
    /// Metadata of the open profile.
    Meta,
    /// The options of reports.
    Fields,
    /// Ownership rules after a change.
    Rules(Box<Rules>),
    /// The profile as pprof's protobuf, filtered by a view.
    Profile(Box<View>),
    /// A report.
    Report(Box<ReportQuestion>),
}

/// A question for a report.
#[derive(Clone, Debug)]
pub struct ReportQuestion {
    /// The requested view, limited to the bounds of answers.
    pub(super) view: View,
    pub(super) form: Form,
    /// Whether the answer is for the page and not for a file.
    pub(super) for_page: bool,
    /// Whether the path has an ending, or the answer is to be kept.
    is_file: bool,
    /// Ending of the file's name; `None` if the answer is not to be kept.
    pub(super) ending: Option<String>,
}

impl Question {
    /// Reads a path and query, such as `/api/v1/top.csv?f=cache`. Compiled regular expressions may have `pattern_bytes`.
    ///
    /// # Errors
    /// There is nothing at the path, parameters are wrong, or no profile is open.
    pub fn parse(
        session: &Session,
        attachments: &dyn Attachments,
        path_and_query: &str,
        pattern_bytes: usize,
    ) -> Result<Question, AnswerError> {
        let (path, query) = path_and_query.split_once('?').unwrap_or((path_and_query, ""));
        if DOWNLOADS.contains(&path) {
            let view = visitors_view(session, ViewKind::Top, &parameters(query), pattern_bytes)?;
            return Ok(Question::Profile(Box::new(view)));
        }
        match path.strip_prefix(API) {
            Some("meta") => Ok(Question::Meta),
            Some("fields") => Ok(Question::Fields),
            Some("rules") => Ok(Question::Rules(Box::new(rules(&parameters(query))?))),
            Some(name) if !name.is_empty() && !name.contains('/') => {
                let report = ReportQuestion::parse(session, attachments, &decoded(name), parameters(query), pattern_bytes)?;
                Ok(Question::Report(Box::new(report)))
            }
            _ => Err(AnswerError::NotFound),
        }
    }

    /// Whether the answer is a file of any length, not something that the page shows.
    pub fn is_file(&self) -> bool {
        match self {
            Question::Meta | Question::Fields | Question::Rules(_) => false,
            Question::Profile(_) => true,
            Question::Report(report) => report.is_file,
        }
    }
}

impl ReportQuestion {
    /// The report `name`, with the suffix `.txt`, `.csv`, `.json`, `.folded` (traces), `.svg` (flame) or `.md` (summary) in this
    /// format; with the parameter `download` as a file to keep.
    fn parse(
        session: &Session,
        attachments: &dyn Attachments,
        name: &str,
        mut pairs: Vec<(String, String)>,
        pattern_bytes: usize,
    ) -> Result<ReportQuestion, AnswerError> {
        let (stem, form) = Form::of(name);
        let n_pairs = pairs.len();
        pairs.retain(|(name, _)| name != "download");
        // A picture has a script of its own, which only runs outside of this server.
        let is_kept = pairs.len() < n_pairs || form == Form::Picture;
        let kind = ViewKind::from_name(stem).ok_or_else(|| AnswerError::NoSuchReport(stem.to_owned()))?;
        let mut view = visitors_view(session, kind, &pairs, pattern_bytes)?;
        view.shape.paths = attachments.source_paths();
        if kind == ViewKind::Traces && view.cut.nodecount < 0 {
            view.cut.nodecount = if form == Form::As(Format::Folded) { COLLAPSED } else { TRACES };
        }
        view.cut.entries = ENTRIES;
        if form == Form::Picture && view.shape.granularity.is_none() {
            // Paths would leave no room for the boxes.
            view.shape.granularity = Some(Granularity::Functions);
        }
        // What has an ending is a file to keep: whole, or as much as anybody can open.
        let for_page = stem == name && !is_kept;
        if for_page {
            view.cut.boxes = BOXES;
        }
        let ending = is_kept.then(|| name.rsplit_once('.').map_or("json", |(_, ending)| ending).to_owned());
        Ok(ReportQuestion { view, form, for_page, is_file: is_kept || name.contains('.'), ending })
    }
}

/// Parses the view of a visitor. Regular expressions are limited to `pattern_bytes`, and options for file locations on this
/// machine are errors.
///
/// # Errors
/// Parameters are wrong, or no profile is open.
pub fn visitors_view(session: &Session, kind: ViewKind, pairs: &[(String, String)], pattern_bytes: usize) -> Result<View, AnswerError> {
    if session.is_empty() {
        return Err(AnswerError::NoProfile);
    }
    if let Some(field) = pairs.iter().filter_map(|(name, _)| field(name)).find(|f| LOCAL.contains(&f.name)) {
        return Err(QueryError::Local { field: field.name }.into());
    }
    let pairs = || pairs.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    check_limits(pairs(), pattern_bytes).map_err(AnswerError::Query)?;
    View::parse(kind, pairs()).map_err(AnswerError::Query)
}
