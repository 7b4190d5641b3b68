//! Annotated source lines.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Header;

/// Lines of one file as columns of equal length: those with memory and, if the file was found, those around
/// them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SourceLines {
    /// Line number, ascending; 0 for an unknown line.
    pub number: Vec<i64>,
    /// Text without the line end; null if the file was not found or has no such line.
    pub text: Vec<Option<String>>,
    /// Flat value.
    pub flat: Vec<i64>,
    /// Cumulative value; recursion counts once.
    pub cum: Vec<i64>,
    /// Flat of the base; empty without a base.
    pub flat_base: Vec<i64>,
    /// Cum of the base; empty without a base.
    pub cum_base: Vec<i64>,
}

impl SourceEntry {
    /// Memory of the function, or its change: what the heaviest functions are found by.
    pub fn weight(&self) -> i64 {
        self.cum.saturating_sub(self.cum_base).saturating_abs()
    }
}

impl SourceLines {
    /// Adds lines to show, and the text of all. Lines with memory stay, whether they have a text or not.
    pub fn fill(&mut self, shown: impl Iterator<Item = i64>, text: impl Fn(i64) -> Option<String>) {
        let old = std::mem::take(self);
        let has_base = !old.flat_base.is_empty();
        let weights: BTreeMap<i64, usize> = old.number.iter().enumerate().map(|(i, &n)| (n, i)).collect();
        let mut numbers: Vec<i64> = shown.chain(old.number.iter().copied()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            let at = |column: &[i64]| weights.get(&number).and_then(|&i| column.get(i)).copied().unwrap_or(0);
            self.number.push(number);
            self.text.push(text(number));
            self.flat.push(at(&old.flat));
            self.cum.push(at(&old.cum));
            if has_base {
                self.flat_base.push(at(&old.flat_base));
                self.cum_base.push(at(&old.cum_base));
            }
        }
    }
}

/// A callee of a line, or a function that was inlined into it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SourceCall {
    /// The function.
    pub name: String,
    /// Source file, trimmed; empty when unknown.
    pub file: String,
    /// Source line; for a callee its first line; 0 when unknown.
    pub line: i64,
    /// Text of the line, trimmed; empty if the file was not found.
    pub text: String,
}

/// A call below a source line; calls of inlined code follow as deeper steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SourceStep {
    /// Line of the entry.
    pub line: i64,
    /// 0 for a call from the line itself; n + 1 for a call from the preceding step of depth n.
    pub depth: u32,
    /// Index in the entry's `call`.
    pub call: usize,
    /// Whether it was inlined; its own calls follow.
    pub inlined: bool,
    /// Cumulative value; recursion counts once.
    pub value: i64,
    /// Same for the base; 0 without a base.
    pub base: i64,
}

/// A machine instruction that a line was compiled to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SourceInstruction {
    /// The line.
    pub line: i64,
    /// Address in the file, hexadecimal.
    pub address: String,
    /// The instruction; empty if the file was not found.
    pub text: String,
    /// Flat value.
    pub flat: i64,
    /// Cumulative value; recursion counts once.
    pub cum: i64,
    /// Flat of the base; 0 without a base.
    pub flat_base: i64,
    /// Cum of the base; 0 without a base.
    pub cum_base: i64,
    /// Whether it does not directly follow the previous instruction of the line.
    pub apart: bool,
    /// Functions inlined into the line here, outermost first: indexes in the entry's `call`.
    pub calls: Vec<usize>,
    /// Addresses of the profiled process with samples in it.
    #[serde(skip)]
    pub sampled: Vec<u64>,
}

/// Source lines of a function in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SourceEntry {
    /// The function; empty when it has no name.
    pub name: String,
    /// Function with its generic arguments and parameters; may still be mangled.
    pub full_name: String,
    /// Its source file as the profile has it, trimmed; empty when unknown.
    pub file: String,
    /// Base name of the mapping.
    pub object: String,
    /// Flat value of these lines.
    pub flat: i64,
    /// Cumulative value of these lines; recursion counts once.
    pub cum: i64,
    /// Flat of the base; 0 without a base.
    pub flat_base: i64,
    /// Cum of the base; 0 without a base.
    pub cum_base: i64,
    /// First line to show: where the function begins, or some before its first use.
    pub first_line: i64,
    /// Last line to show.
    pub last_line: i64,
    /// The lines.
    pub lines: SourceLines,
    /// Callees and inlined functions of the lines, each once.
    pub call: Vec<SourceCall>,
    /// Calls and inlined functions of the lines, by line, in preorder, heaviest first; empty unless
    /// requested.
    pub step: Vec<SourceStep>,
    /// Machine code of the lines, by line, then address; empty unless requested.
    pub code: Vec<SourceInstruction>,
    /// Why there is no text, a sentence; empty if there is text.
    pub problem: String,
    /// Path of the source file on this machine; empty if there is none, and in responses to other machines.
    pub path: String,
}

/// A source file that was not found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MissingSource {
    /// Path as in the entries.
    pub file: String,
    /// Searched paths; empty in responses to other machines.
    pub tried: Vec<String>,
    /// What to do, a sentence or a command.
    pub advice: String,
}

/// Functions with their source lines, by name, then file.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SourceReport {
    /// Common header.
    pub header: Header,
    /// The functions.
    pub entry: Vec<SourceEntry>,
    /// Source files that were not found, each once.
    pub missing: Vec<MissingSource>,
}
