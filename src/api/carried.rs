//! Source text and machine code that came with the data of a report, for answers where no file can be read.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::attachments::{AttachmentBudget, Attachments};
use super::error::AnswerError;
use crate::analyze::{SampledCode, sampled_code};
use crate::base::hash::HashMap;
use crate::base::pair::plus;
use crate::query::{SourcePaths, View};
use crate::report::{DisasmReport, SourceCall, SourceEntry, SourceInstruction, SourceReport};
use crate::report_data::Attachment;
use crate::session::Session;

/// Name of the attachment.
const NAME: &str = "files";

/// Source lines and machine code of some functions. Numbers are not carried: they follow from the view.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CarriedFiles {
    /// Path as reports print it → line number → text.
    text: BTreeMap<String, BTreeMap<i64, String>>,
    /// Function → path → its instructions, by line, then address.
    code: BTreeMap<String, BTreeMap<String, Vec<CarriedInstruction>>>,
    #[serde(skip)]
    paths: SourcePaths,
}

/// An instruction; see [`SourceInstruction`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct CarriedInstruction {
    line: i64,
    address: String,
    /// In the syntaxes of AT&T and Intel.
    text: [String; 2],
    apart: bool,
    /// Function, file and line of the inlined calls.
    calls: Vec<(String, String, i64)>,
    /// Addresses of the profiled process with samples in it.
    sampled: Vec<u64>,
}

impl CarriedFiles {
    /// The lines that `report` shows with text. O(size).
    pub fn of_report(report: &SourceReport) -> Self {
        let mut carried = CarriedFiles::default();
        for entry in &report.entry {
            let lines = entry.lines.number.iter().zip(&entry.lines.text);
            let lines = lines.filter_map(|(number, text)| Some((*number, text.as_ref()?)));
            let calls = entry.call.iter().filter(|call| !call.text.is_empty());
            for (file, number, text) in
                lines.map(|(number, text)| (&entry.file, number, text)).chain(calls.map(|call| (&call.file, call.line, &call.text)))
            {
                // The text of a call is trimmed.
                let of_file = carried.text.entry(file.clone()).or_default();
                if of_file.get(&number).is_none_or(|known| known.len() < text.len()) {
                    of_file.insert(number, text.clone());
                }
            }
        }
        carried
    }

    /// The same with the machine code of `report`; `intel` is the same report with code in the other syntax. O(size).
    pub fn with_code_of(mut self, report: &SourceReport, intel: &SourceReport) -> Self {
        for (entry, other) in report.entry.iter().zip(&intel.entry).filter(|(entry, _)| !entry.code.is_empty()) {
            let place = |&call: &usize| entry.call.get(call).map(|call| (call.name.clone(), call.file.clone(), call.line));
            let code = entry.code.iter().zip(&other.code).map(|(code, intel)| CarriedInstruction {
                line: code.line,
                address: code.address.clone(),
                text: [code.text.clone(), intel.text.clone()],
                apart: code.apart,
                calls: code.calls.iter().filter_map(place).collect(),
                sampled: code.sampled.clone(),
            });
            self.code.entry(entry.name.clone()).or_default().insert(entry.file.clone(), code.collect());
        }
        self
    }

    /// The lines as they go with the data of a report; `None`: there are none.
    pub fn to_attachment(&self) -> Option<Attachment> {
        // Texts by number have a form in JSON.
        let bytes = || serde_json::to_vec(self).unwrap_or_default();
        (!self.text.is_empty() || !self.code.is_empty()).then(|| Attachment { name: NAME.into(), bytes: bytes() })
    }

    /// How paths are printed, as the data of a report has it.
    pub(super) fn shown_paths(&self) -> [String; 2] {
        [self.paths.search.clone(), self.paths.trim.clone()]
    }

    /// The lines among what came with the data of a report; none if they are damaged. `paths`: how paths are printed.
    pub(super) fn from_attachments(attachments: &[Attachment], paths: SourcePaths) -> Self {
        let found = attachments.iter().find(|attachment| attachment.name == NAME);
        let carried = found.and_then(|attachment| serde_json::from_slice::<CarriedFiles>(&attachment.bytes).ok());
        CarriedFiles { paths, ..carried.unwrap_or_default() }
    }

    /// Puts text into `entry`; returns its length. At most `room` bytes are put.
    fn attach(&self, entry: &mut SourceEntry, room: usize) -> usize {
        let Some(text) = self.text.get(&entry.file) else {
            entry.problem = "not in this report, which has the source lines of the heaviest functions".into();
            return 0;
        };
        let shown = text.range(entry.first_line..=entry.last_line);
        let length = shown.clone().map(|(_, text)| text.len() + 1).sum();
        if length > room {
            entry.problem = "omitted: the answer already has much source text; use a narrower regexp".into();
            return 0;
        }
        if length == 0 {
            entry.problem = "not in this report, which has the source lines of the heaviest functions".into();
        }
        entry.lines.fill(shown.map(|(number, _)| *number), |number| text.get(&number).cloned());
        length
    }
}

/// Flat and cum of addresses of the profiled process, each of value and base.
type Weights = HashMap<u64, [[i64; 2]; 2]>;

impl CarriedFiles {
    /// Puts the machine code of its lines into `entry`, at most `most` instructions; returns how many.
    fn attach_code_of(&self, entry: &mut SourceEntry, weights: &Weights, is_intel: bool, most: usize) -> usize {
        let Some(code) = self.code.get(&entry.name).and_then(|of_name| of_name.get(&entry.file)) else { return 0 };
        let mut numbers: HashMap<SourceCall, usize> = entry.call.iter().enumerate().map(|(i, call)| (call.clone(), i)).collect();
        for instruction in code.iter().take(most) {
            let mut sum = [[0; 2]; 2];
            for weight in instruction.sampled.iter().filter_map(|address| weights.get(address)) {
                sum = [plus(sum[0], weight[0]), plus(sum[1], weight[1])];
            }
            let mut calls = Vec::new();
            for (name, file, line) in &instruction.calls {
                let call = SourceCall { name: name.clone(), file: file.clone(), line: *line, text: String::new() };
                calls.push(*numbers.entry(call.clone()).or_insert_with(|| {
                    entry.call.push(call);
                    entry.call.len() - 1
                }));
            }
            let [[flat, flat_base], [cum, cum_base]] = sum;
            let CarriedInstruction { line, address, text, apart, .. } = instruction;
            entry.code.push(SourceInstruction {
                line: *line,
                address: address.clone(),
                text: text[usize::from(is_intel)].clone(),
                flat,
                cum,
                flat_base,
                cum_base,
                apart: *apart,
                calls,
                ..SourceInstruction::default()
            });
        }
        entry.code.len()
    }
}

impl Attachments for CarriedFiles {
    fn source_paths(&self) -> SourcePaths {
        self.paths.clone()
    }

    fn attach_source(
        &self,
        session: &Session,
        view: &View,
        budget: &AttachmentBudget,
        report: &mut SourceReport,
    ) -> Result<(), AnswerError> {
        if self.text.is_empty() && self.code.is_empty() {
            return Err(AnswerError::NoFiles("source lines"));
        }
        let profile = session.snapshot().profile;
        let mut weights = Weights::default();
        if view.cut.line_code && !self.code.is_empty() {
            for SampledCode { location, flat, cum } in sampled_code(&profile, view)? {
                let weight = weights.entry(profile.code().locations[location].address).or_default();
                *weight = [plus(weight[0], flat), plus(weight[1], cum)];
            }
        } else if view.cut.line_code {
            report.header.warnings.push("no instructions: this report has no machine code".into());
        }
        let mut entries: Vec<&mut SourceEntry> = report.entry.iter_mut().collect();
        entries.sort_by_key(|entry| Reverse(entry.weight()));
        let (mut left, mut instructions) = (budget.text, budget.instructions);
        for entry in entries {
            if view.cut.line_code {
                instructions -= self.attach_code_of(entry, &weights, view.show.intel_syntax, instructions);
            }
            for call in &mut entry.call {
                let text = self.text.get(&call.file).and_then(|of_file| of_file.get(&call.line));
                call.text = text.map_or(String::new(), |text| text.trim().to_owned());
            }
            if entry.first_line <= entry.last_line && !entry.file.is_empty() {
                left -= self.attach(entry, left);
            }
        }
        Ok(())
    }

    fn attach_code(&self, _: &Session, _: &View, _: usize, _: &mut DisasmReport) -> Result<(), AnswerError> {
        Err(AnswerError::NoFiles("machine code"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::SourceLines;

    fn entry(texts: [Option<&str>; 2]) -> SourceEntry {
        let lines = SourceLines { number: vec![7, 9], text: texts.map(|text| text.map(str::to_owned)).to_vec(), ..SourceLines::default() };
        SourceEntry { name: "f".into(), file: "a.rs".into(), first_line: 7, last_line: 9, lines, ..SourceEntry::default() }
    }

    #[test]
    fn text_comes_back_from_an_attachment() {
        let report = SourceReport { entry: vec![entry([Some("fn f() {"), Some("}")])], ..SourceReport::default() };
        let carried = CarriedFiles::of_report(&report);
        let attachments = [carried.to_attachment().unwrap()];
        let read = CarriedFiles::from_attachments(&attachments, SourcePaths::default());
        assert_eq!(read, carried);
        let mut asked = SourceEntry { lines: SourceLines { number: vec![8], flat: vec![5], ..SourceLines::default() }, ..entry([None; 2]) };
        read.attach(&mut asked, 100);
        assert_eq!(asked.lines.number, [7, 8, 9]);
        assert_eq!(asked.lines.text, [Some("fn f() {".to_owned()), None, Some("}".to_owned())]);
        assert_eq!(asked.lines.flat, [0, 5, 0]);
        let mut long = entry([None; 2]);
        assert_eq!((read.attach(&mut long, 3), long.problem.starts_with("omitted")), (0, true));
    }

    #[test]
    fn damaged_attachments_have_no_text() {
        let damaged = Attachment { name: NAME.into(), bytes: b"{\"text\":[".to_vec() };
        assert_eq!(CarriedFiles::from_attachments(&[damaged], SourcePaths::default()), CarriedFiles::default());
        assert_eq!(CarriedFiles::default().to_attachment(), None);
    }
}
