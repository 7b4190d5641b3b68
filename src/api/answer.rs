//! Answers to questions: computed, shortened for the reader, and encoded.

use std::io::{self, Write};

use serde::Serialize;

use super::attachments::{AttachmentBudget, Attachments};
use super::bounded::Bounded;
use super::error::AnswerError;
use super::explained::explained;
use super::fields::field_docs;
use super::file_name::{file_name, report_file_name};
use super::form::Form;
use super::meta::{of_session, program};
use super::question::{PATTERN_BYTES, Question, ReportQuestion};
use super::shorten::{is_too_long, leave_heaviest, lighten, shorten};
use super::utc::utc;
use crate::demangle::Budget;
use crate::export::write_pprof;
use crate::profile::Profile;
use crate::query::View;
use crate::render::{flame_svg, has_flames, render};
use crate::report::Report;
use crate::session::Session;

/// Most functions sent with their code, as on pprof's page.
const ROUTINES: usize = 50;

/// Most bytes of a flame graph sent, give or take: where names are long there are fewer boxes.
const FLAME_BYTES: usize = 480_000;

/// How often a flame graph is made again with fewer boxes.
const FEWER_BOXES: usize = 3;

/// Most bytes of an answer. Files to keep may be longer.
pub const ANSWER_BYTES: usize = 16 << 20;

/// An answer as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Media type.
    pub content_type: &'static str,
    /// Name of the file, if it is one to keep.
    pub file_name: Option<String>,
    /// The bytes.
    pub body: Vec<u8>,
}

impl Reply {
    /// `value` as JSON. Its keys are strings, so that it always becomes JSON.
    pub fn json(status: u16, value: &impl Serialize) -> Self {
        Reply { status, content_type: JSON, file_name: None, body: serde_json::to_vec(value).unwrap_or_default() }
    }
}

impl From<AnswerError> for Reply {
    fn from(error: AnswerError) -> Self {
        Reply::json(error.status(), &error.body())
    }
}

const JSON: &str = "application/json";

/// Answers a GET request for a path with its query, such as `/api/v1/top.csv?f=cache`, whole and in memory.
pub fn answer(session: &Session, attachments: &dyn Attachments, path_and_query: &str) -> Reply {
    let reply = || {
        let question = Question::parse(session, attachments, path_and_query, PATTERN_BYTES)?;
        let prepared = question.prepare(session, attachments)?;
        let most = if question.is_file() { usize::MAX } else { ANSWER_BYTES };
        question.write(session, prepared, most)
    };
    reply().unwrap_or_else(Reply::from)
}

/// An answer that is computed, but not written yet.
pub struct Prepared {
    content: Content,
    content_type: &'static str,
    file_name: Option<String>,
}

enum Content {
    Report(Box<Report>, Form),
    Profile(Box<Profile>),
    Text(String),
}

impl Prepared {
    /// Media type.
    pub fn content_type(&self) -> &'static str {
        self.content_type
    }

    /// Name of the file, if it is one to keep.
    pub fn file_name(&self) -> Option<&str> {
        self.file_name.as_deref()
    }

    /// The same with `change` applied to the profile, if the answer is one.
    pub fn map_profile(self, change: impl FnOnce(Profile) -> Profile) -> Self {
        match self.content {
            Content::Profile(profile) => Prepared { content: Content::Profile(Box::new(change(*profile))), ..self },
            content => Prepared { content, ..self },
        }
    }

    /// Writes the answer, with a buffer of constant size.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.content {
            Content::Text(text) => out.write_all(text.as_bytes()),
            Content::Profile(profile) => write_pprof(profile, out),
            Content::Report(report, form) => match (form, &**report) {
                (Form::As(format), report) => render(report, *format, &utc, out),
                (Form::Picture, Report::Flame(flame)) => flame_svg(flame, out),
                _ => Err(io::Error::other("this report has no such form")),
            },
        }
    }

    /// The answer in memory, if it has at most `most` bytes.
    fn written(&self, most: usize) -> Result<Vec<u8>, AnswerError> {
        let mut body = Bounded::new(most);
        match self.write(&mut body) {
            Ok(()) => Ok(body.bytes),
            Err(_) if body.is_full => Err(AnswerError::TooLong(most)),
            Err(error) => Err(AnswerError::Internal(error.to_string())),
        }
    }
}

fn json(value: &impl Serialize) -> Result<Prepared, AnswerError> {
    let text = serde_json::to_string(value).map_err(|error| AnswerError::Internal(error.to_string()))?;
    Ok(Prepared { content: Content::Text(text), content_type: JSON, file_name: None })
}

impl Question {
    /// Computes the answer.
    ///
    /// # Errors
    /// Nothing matches, or files are missing that the answer would show.
    pub fn prepare(&self, session: &Session, attachments: &dyn Attachments) -> Result<Prepared, AnswerError> {
        match self {
            Question::Meta => json(&of_session(session)),
            Question::Fields => json(&field_docs()),
            Question::Rules(rules) => json(rules),
            Question::Profile(view) => profile(session, view),
            Question::Report(report) => report.prepare(session, attachments),
        }
    }

    /// Writes an answer to this question, as long as it has at most `most` bytes. An answer for the page that is longer than
    /// a page can take is computed again with less in it.
    ///
    /// # Errors
    /// It is too long.
    pub fn write(&self, session: &Session, mut prepared: Prepared, most: usize) -> Result<Reply, AnswerError> {
        let mut body = prepared.written(most)?;
        if let Question::Report(question) = self
            && question.for_page
        {
            question.shrink(session, &mut prepared, &mut body, most)?;
        }
        Ok(Reply { status: 200, content_type: prepared.content_type, file_name: prepared.file_name, body })
    }
}

/// The profile that the filters of `view` leave, with names.
fn profile(session: &Session, view: &View) -> Result<Prepared, AnswerError> {
    let profile = session.filtered(view)?;
    let file = program(&session.snapshot());
    let has_base = view.weight.base.is_some() || view.weight.diff_base.is_some();
    let parts = [file.as_str(), if has_base { "diff" } else { "" }, "profile"];
    Ok(Prepared {
        content: Content::Profile(Box::new(profile)),
        content_type: "application/vnd.google.protobuf+gzip",
        file_name: Some(file_name(&parts, "pb.gz")),
    })
}

impl ReportQuestion {
    fn prepare(&self, session: &Session, attachments: &dyn Attachments) -> Result<Prepared, AnswerError> {
        let ReportQuestion { view, form, for_page, ending, .. } = self;
        let mut report = session.answer(view)?;
        shorten(&mut report, *for_page);
        if let Report::Disasm(disasm) = &mut report {
            attachments.attach_code(session, view, ROUTINES, disasm)?;
        }
        if let (Report::Flame(flame), true) = (&mut report, *for_page) {
            lighten(flame);
        }
        let mut budget = Budget::default();
        report.for_each_row(|row| row.full_name = budget.full_name(&row.full_name));
        if let Report::Source(source) = &mut report {
            source.entry.iter_mut().for_each(|entry| entry.full_name = budget.full_name(&entry.full_name));
        }
        report.warn(budget.warning());
        if let Report::Source(source) = &mut report {
            let budget = if *for_page { AttachmentBudget::PAGE } else { AttachmentBudget::FILE };
            attachments.attach_source(session, view, &budget, source)?;
        }
        let file_name = ending.as_ref().map(|ending| report_file_name(report.header(), view.kind.name(), ending));
        let content = match (form, report) {
            (Form::Explained | Form::ExplainedJson, Report::Summary(summary)) => {
                let (markdown, headline) = explained(session, view, &summary)?;
                let json = || serde_json::json!({ "markdown": markdown, "headline": headline }).to_string();
                Content::Text(if *form == Form::ExplainedJson { json() } else { markdown })
            }
            (Form::Explained | Form::ExplainedJson, _) => {
                return Err(AnswerError::Internal("only the summary has this form".into()));
            }
            (Form::Picture, Report::Flame(flame)) if !has_flames(&flame) => return Err(AnswerError::NothingToDraw),
            (Form::Picture, report) if !matches!(report, Report::Flame(_)) => return Err(AnswerError::NothingToDraw),
            (_, report) => Content::Report(Box::new(report), *form),
        };
        Ok(Prepared { content, content_type: form.content_type(), file_name })
    }

    /// Makes an answer for the page that is too long for it shorter: a flame graph gets fewer boxes, source lines are those of
    /// the heaviest function.
    fn shrink(&self, session: &Session, prepared: &mut Prepared, body: &mut Vec<u8>, most: usize) -> Result<(), AnswerError> {
        let mut view = self.view.clone();
        // Boxes that stay share fewer names than those that go: once may not be enough.
        for _ in 0..FEWER_BOXES {
            let Content::Report(report, _) = &mut prepared.content else { break };
            let Report::Flame(flame) = &**report else { break };
            if body.len() <= FLAME_BYTES || !flame.closed.is_empty() {
                break;
            }
            view.cut.boxes = fewer_boxes(flame.node.len().min(view.cut.boxes), body.len());
            **report = session.answer(&view)?;
            if let Report::Flame(flame) = &mut **report {
                lighten(flame);
            }
            *body = prepared.written(most)?;
        }
        if let (true, Content::Report(report, _)) = (is_too_long(body), &mut prepared.content)
            && leave_heaviest(report)
        {
            *body = prepared.written(most)?;
        }
        Ok(())
    }
}

/// How many of `n` boxes, which took `bytes`, are to be sent. The product is larger than 32 bits can hold.
fn fewer_boxes(n: usize, bytes: usize) -> usize {
    let boxes = n as u64 * FLAME_BYTES as u64 / (bytes as u64).max(1) * 9 / 10;
    usize::try_from(boxes).unwrap_or(n).max(1)
}
