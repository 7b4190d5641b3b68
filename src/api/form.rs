//! Forms of a report, by the ending of its address.

use crate::render::Format;

/// The form in which a report is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    As(Format),
    /// A flame graph as SVG.
    Picture,
    /// A summary in a few sentences of Markdown.
    Explained,
    /// The same as JSON, for the page.
    ExplainedJson,
}

impl Form {
    /// The form for the last part of a report's path, and the report's name in it.
    pub(super) fn of(name: &str) -> (&str, Form) {
        match name.rsplit_once('.') {
            None if name == "explain" => ("summary", Form::ExplainedJson),
            Some((stem, "txt" | "dot")) => (stem, Form::As(Format::Text)),
            Some((stem, "csv")) => (stem, Form::As(Format::Csv)),
            Some((stem, "json")) => (stem, Form::As(Format::Json)),
            Some(("traces", "folded")) => ("traces", Form::As(Format::Folded)),
            Some(("summary", "md")) => ("summary", Form::Explained),
            Some(("flame", "svg")) => ("flame", Form::Picture),
            _ => (name, Form::As(Format::Json)),
        }
    }

    /// Media type of an answer in this form.
    pub(super) fn content_type(self) -> &'static str {
        match self {
            Form::As(Format::Json) | Form::ExplainedJson => "application/json",
            Form::As(Format::Csv) => "text/csv; charset=utf-8",
            Form::As(Format::Text | Format::Folded) => "text/plain; charset=utf-8",
            Form::Picture => "image/svg+xml",
            Form::Explained => "text/markdown; charset=utf-8",
        }
    }
}
