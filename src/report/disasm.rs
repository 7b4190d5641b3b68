//! Machine code with what it holds.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::Header;

/// A code address of the profile that holds something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampledAddress {
    /// Index into the profile's mappings.
    pub mapping: usize,
    /// In the process's address space.
    pub address: u64,
    /// The whole label: address, function, place.
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
    /// What flat and cum are divided by where means are shown; 0 where they are not.
    pub divisor: [i64; 2],
}

/// Where an instruction comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct CodePlace {
    /// Function; of inlined code the one it was inlined into last. Empty when unknown.
    pub function: String,
    /// Source file; empty when unknown.
    pub file: String,
    /// Source line; 0 when unknown.
    pub line: i64,
    /// The functions that the code was inlined through, innermost first, the outermost being
    /// `function`; empty where nothing was inlined.
    pub inlined: Vec<CodeCall>,
}

/// One function of a chain of inlined ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct CodeCall {
    /// Its name; empty when unknown.
    pub function: String,
    /// Source file of the line; empty when unknown.
    pub file: String,
    /// Line in it that is executed or calls the next inner one; 0 when unknown.
    pub line: i64,
}

/// An instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct CodeRow {
    /// In the file, hexadecimal in JSON.
    #[serde(serialize_with = "hexadecimal")]
    #[schema(value_type = String)]
    pub address: u64,
    /// Mnemonic, a tab, operands.
    pub text: String,
    /// Index into the routine's places.
    pub place: usize,
    /// Value at the instruction itself.
    pub flat: i64,
    /// Value of it and what it calls.
    pub cum: i64,
    /// Flat of the base; 0 without a base.
    pub flat_base: i64,
    /// Cum of the base; 0 without a base.
    pub cum_base: i64,
}

/// A function's code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct CodeRoutine {
    /// Its symbol, in the form that matched.
    pub name: String,
    /// Other symbols of the same address, where it was asked for by address.
    pub aliases: Vec<String>,
    /// The file that it was read from.
    pub object: String,
    /// First address in the file, hexadecimal in JSON.
    #[serde(serialize_with = "hexadecimal")]
    #[schema(value_type = String)]
    pub start: u64,
    /// One past its last address, hexadecimal in JSON.
    #[serde(serialize_with = "hexadecimal")]
    #[schema(value_type = String)]
    pub end: u64,
    /// Sum of flat of its addresses.
    pub flat: i64,
    /// Sum of cum of its addresses: what goes through two of them counts twice, as in pprof.
    pub cum: i64,
    /// Flat of the base; 0 without a base.
    pub flat_base: i64,
    /// Cum of the base; 0 without a base.
    pub cum_base: i64,
    /// Where its instructions come from, each place once.
    pub place: Vec<CodePlace>,
    /// Its instructions, by address.
    pub row: Vec<CodeRow>,
}

/// Code of the functions that match.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct DisasmReport {
    /// What every report says first.
    pub header: Header,
    /// The functions; none before the code is read.
    pub routine: Vec<CodeRoutine>,
    /// What the functions are looked for by, in no order.
    #[serde(skip)]
    pub sampled: Vec<SampledAddress>,
}

fn hexadecimal<S: Serializer>(address: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&format_args!("{address:#x}"))
}
