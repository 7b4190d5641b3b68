//! Machine code with its memory.

use serde::{Serialize, Serializer};

use super::Header;

/// A code address with samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampledAddress {
    /// Index into the profile's mappings.
    pub mapping: usize,
    /// Address in the profiled process.
    pub address: u64,
    /// Full label: address, function, location.
    pub label: String,
    /// Function; empty when unknown.
    pub function: String,
    /// Source file; empty when unknown.
    pub file: String,
    /// Source line; 0 when unknown.
    pub line: i64,
    /// Flat of value and base.
    pub flat: [i64; 2],
    /// Cum of value and base.
    pub cum: [i64; 2],
    /// Divisor of flat and cum where means are shown; 0 otherwise.
    pub divisor: [i64; 2],
}

/// Source location of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct CodePlace {
    /// Function; for inlined code the outermost one. Empty when unknown.
    pub function: String,
    /// Source file; empty when unknown.
    pub file: String,
    /// Source line; 0 when unknown.
    pub line: i64,
    /// Chain of inlined functions, innermost first; the last one is
    /// `function`. Empty without inlining.
    pub inlined: Vec<CodeCall>,
}

/// A function in a chain of inlined ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct CodeCall {
    /// Its name; empty when unknown.
    pub function: String,
    /// Source file of the line; empty when unknown.
    pub file: String,
    /// Line that is executed or calls the next inner function; 0 when unknown.
    pub line: i64,
}

/// An instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct CodeRow {
    /// Address in the file; hexadecimal in JSON.
    #[serde(serialize_with = "hexadecimal")]
    #[cfg_attr(test, schema(value_type = String))]
    pub address: u64,
    /// Mnemonic, a tab, operands.
    pub text: String,
    /// Index in the routine's locations.
    pub place: usize,
    /// Flat value of the instruction.
    pub flat: i64,
    /// Cumulative value: the instruction and its callees.
    pub cum: i64,
    /// Flat of the base; 0 without a base.
    pub flat_base: i64,
    /// Cum of the base; 0 without a base.
    pub cum_base: i64,
}

/// A function's code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct CodeRoutine {
    /// Symbol name, in the form that matched.
    pub name: String,
    /// Other symbols at the same address, if requested by address.
    pub aliases: Vec<String>,
    /// File that the code was read from.
    pub object: String,
    /// First address in the file, hexadecimal in JSON.
    #[serde(serialize_with = "hexadecimal")]
    #[cfg_attr(test, schema(value_type = String))]
    pub start: u64,
    /// One past its last address, hexadecimal in JSON.
    #[serde(serialize_with = "hexadecimal")]
    #[cfg_attr(test, schema(value_type = String))]
    pub end: u64,
    /// Sum of the flat values of its addresses.
    pub flat: i64,
    /// Sum of the cumulative values of its addresses; a stack through two of them counts twice, as in pprof.
    pub cum: i64,
    /// Flat of the base; 0 without a base.
    pub flat_base: i64,
    /// Cum of the base; 0 without a base.
    pub cum_base: i64,
    /// Source locations of its instructions, each once.
    pub place: Vec<CodePlace>,
    /// Its instructions, by address.
    pub row: Vec<CodeRow>,
}

/// Machine code of matching functions.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct DisasmReport {
    /// Common header.
    pub header: Header,
    /// The functions; empty until the code is read.
    pub routine: Vec<CodeRoutine>,
    /// Addresses by which the functions are found, unordered.
    #[serde(skip)]
    pub sampled: Vec<SampledAddress>,
}

fn hexadecimal<S: Serializer>(address: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&format_args!("{address:#x}"))
}
