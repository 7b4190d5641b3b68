//! Source lines with what they hold.

use serde::Serialize;
use utoipa::ToSchema;

use super::Header;

/// Lines of one file: those that hold something, and once the file is found those around
/// them. Columns of equal length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SourceLines {
    /// Line number, ascending; 0: the line is not known.
    pub number: Vec<i64>,
    /// Its text without the line end; null when the file has no such line or is not here.
    pub text: Vec<Option<String>>,
    /// Value in the line itself.
    pub flat: Vec<i64>,
    /// Value in the line and what it calls, recursion counted once.
    pub cum: Vec<i64>,
    /// Flat of the base; empty without a base.
    pub flat_base: Vec<i64>,
    /// Cum of the base; empty without a base.
    pub cum_base: Vec<i64>,
}

/// A place that a line leads to: a function that it calls, or one whose code was inlined into it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, ToSchema)]
pub struct SourceCall {
    /// The function.
    pub name: String,
    /// Its source file, trimmed; empty when unknown.
    pub file: String,
    /// The line in it; of a function that is called where it begins; 0 when unknown.
    pub line: i64,
    /// The line's text without blanks around it; empty when the file is not here.
    pub text: String,
}

/// One step of what lies below a line: what it calls and, where that was inlined, what comes below it in turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SourceStep {
    /// The line of the entry.
    pub line: i64,
    /// 0: below the line itself; n + 1: below the step of depth n before this one.
    pub depth: u32,
    /// Index into the entry's places.
    pub call: usize,
    /// The code was inlined; what comes below it follows.
    pub inlined: bool,
    /// What passes through here, recursion counted once.
    pub value: i64,
    /// The same of the base; 0 without a base.
    pub base: i64,
}

/// A machine instruction that a line was compiled to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SourceInstruction {
    /// The line.
    pub line: i64,
    /// Address in the mapped file, hexadecimal.
    pub address: String,
    /// The instruction; empty when the mapped file is not here.
    pub text: String,
    /// Value in the instruction itself.
    pub flat: i64,
    /// Value in the instruction and what it calls, recursion counted once.
    pub cum: i64,
    /// Flat of the base; 0 without a base.
    pub flat_base: i64,
    /// Cum of the base; 0 without a base.
    pub cum_base: i64,
    /// It does not follow the line's instruction before it directly.
    pub apart: bool,
    /// What was inlined into the line here, outermost first: indexes into the entry's places.
    pub calls: Vec<usize>,
}

/// A function's part of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SourceEntry {
    /// The function; empty when it has no name.
    pub name: String,
    /// The same with its generic arguments and parameters; mangled, where nobody demangled it yet.
    pub full_name: String,
    /// Its source file as the profile has it, trimmed; empty when unknown.
    pub file: String,
    /// Base name of the mapped file.
    pub object: String,
    /// Value in these lines themselves.
    pub flat: i64,
    /// Value in these lines and what they call, recursion counted once.
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
    /// Places that lines lead to, each once.
    pub call: Vec<SourceCall>,
    /// What lines call and what was inlined into them, by line, in preorder, heaviest first; empty where that was
    /// not asked for.
    pub step: Vec<SourceStep>,
    /// What the lines were compiled to, by line, then address; empty where that was not asked for.
    pub code: Vec<SourceInstruction>,
    /// Why there is no text, a sentence; empty when there is.
    pub problem: String,
    /// The file on this machine that the text is of; empty when there is none, and in answers to other machines.
    pub path: String,
}

/// A source file that is not where it was looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct MissingSource {
    /// Its path as entries have it.
    pub file: String,
    /// Where it was looked for; empty in answers to other machines.
    pub tried: Vec<String>,
    /// What to do, a sentence or a command.
    pub advice: String,
}

/// Functions with their source lines, by name, then file.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct SourceReport {
    /// What every report says first.
    pub header: Header,
    /// The functions.
    pub entry: Vec<SourceEntry>,
    /// Source files that were not found, each once.
    pub missing: Vec<MissingSource>,
}
