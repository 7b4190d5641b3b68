//! Skips entries of a unit that are not needed, which are nearly all.
//!
//! gimli decodes attribute by attribute; here the size of each kind of entry is computed once, and most are skipped in one step.

use gimli::{Abbreviations, AttributeSpecification, DwForm, Encoding};

use crate::base::hash::HashMap;
use crate::symbolize::read::numbers;

/// Kind of entry, as far as the walk distinguishes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A function with code of its own.
    Function,
    /// A function inlined into another.
    Inlined,
    /// Anything else.
    Other,
}

/// Skipping plan shared by all entries with the same abbreviation.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) kind: Kind,
    pub(super) has_children: bool,
    /// Total size of its leading fixed-size attributes, bytes.
    fixed: usize,
    /// Steps to skip the other attributes.
    steps: Vec<Step>,
    /// Code range, if it can be read without decoding the attributes.
    pub(super) bounds: Option<QuickBounds>,
}

/// Offsets of `DW_AT_low_pc` and `DW_AT_high_pc` from the first attribute on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QuickBounds {
    low: usize,
    low_size: usize,
    high: usize,
    high_size: usize,
    /// `DW_AT_high_pc` is the end, as before DWARF 4, not a size.
    is_end: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// This many bytes.
    Bytes(usize),
    /// A number of varying length.
    Number,
    /// A text up to and with its zero byte.
    Text,
    /// A number of varying length, and as many bytes.
    Block,
    /// A length of this size in bytes, and that many bytes.
    Counted(u8),
    /// A form, and a value of that form.
    Indirect,
}

/// The plans of a unit's abbreviations, made when they are first met.
pub(super) struct Plans<'a> {
    abbreviations: &'a Abbreviations,
    encoding: Encoding,
    /// By code, as compilers number them.
    near: Vec<Option<Option<Plan>>>,
    /// Plans of large codes.
    far: HashMap<u64, Option<Plan>>,
}

/// Codes below this have their place in a table.
const NEAR: u64 = 4096;

impl<'a> Plans<'a> {
    pub(super) fn new(abbreviations: &'a Abbreviations, encoding: Encoding) -> Self {
        Plans { abbreviations, encoding, near: Vec::new(), far: HashMap::default() }
    }

    /// Plan for the abbreviation `code`; `None` if it is missing or has unknown forms.
    #[inline]
    pub(super) fn get(&mut self, code: u64) -> Option<&Plan> {
        if code >= NEAR {
            let (abbreviations, encoding) = (self.abbreviations, self.encoding);
            return self.far.entry(code).or_insert_with(|| Plan::of(abbreviations, encoding, code)).as_ref();
        }
        let at = code as usize;
        if self.near.len() <= at {
            self.near.resize_with(at + 1, || None);
        }
        self.near[at].get_or_insert_with(|| Plan::of(self.abbreviations, self.encoding, code)).as_ref()
    }
}

impl Plan {
    fn of(abbreviations: &Abbreviations, encoding: Encoding, code: u64) -> Option<Self> {
        let abbreviation = abbreviations.get(code)?;
        let attributes = abbreviation.attributes();
        let kind = match abbreviation.tag() {
            gimli::DW_TAG_subprogram if attributes.iter().any(|a| matches!(a.name(), gimli::DW_AT_low_pc | gimli::DW_AT_ranges)) => {
                Kind::Function
            }
            gimli::DW_TAG_inlined_subroutine => Kind::Inlined,
            _ => Kind::Other,
        };
        let (mut fixed, mut steps): (usize, Vec<Step>) = (0, Vec::new());
        for attribute in attributes {
            let step = step(attribute.form(), encoding)?;
            match (steps.last_mut(), step) {
                (_, Step::Bytes(0)) => {}
                (None, Step::Bytes(more)) => fixed += more,
                (Some(Step::Bytes(sum)), Step::Bytes(more)) => *sum += more,
                _ => steps.push(step),
            }
        }
        let bounds = (kind != Kind::Other).then(|| QuickBounds::of(attributes, encoding)).flatten();
        Some(Plan { kind, has_children: abbreviation.has_children(), fixed, steps, bounds })
    }

    /// Passes over the attributes of an entry; `None` when it is not whole.
    #[inline]
    pub(super) fn skip(&self, bytes: &mut &[u8], encoding: Encoding, little_endian: bool) -> Option<()> {
        *bytes = bytes.get(self.fixed..)?;
        self.steps.iter().try_for_each(|step| step.pass(bytes, encoding, little_endian))
    }
}

impl QuickBounds {
    fn of(attributes: &[AttributeSpecification], encoding: Encoding) -> Option<Self> {
        let (mut low, mut high, mut at) = (None, None, Some(0));
        for attribute in attributes {
            match (attribute.name(), attribute.form()) {
                (gimli::DW_AT_ranges, _) => return None,
                (gimli::DW_AT_low_pc, gimli::DW_FORM_addr) => low = Some((at?, usize::from(encoding.address_size))),
                (gimli::DW_AT_high_pc, gimli::DW_FORM_addr) => high = Some((at?, usize::from(encoding.address_size), true)),
                (gimli::DW_AT_high_pc, form) => {
                    let is_size = matches!(form, gimli::DW_FORM_data1 | gimli::DW_FORM_data2 | gimli::DW_FORM_data4 | gimli::DW_FORM_data8);
                    let Step::Bytes(size) = step(form, encoding).filter(|_| is_size)? else { return None };
                    high = Some((at?, size, false));
                }
                _ => {}
            }
            at = match (at, step(attribute.form(), encoding)?) {
                (Some(at), Step::Bytes(size)) => Some(at + size),
                _ => None,
            };
        }
        let ((low, low_size), (high, high_size, is_end)) = (low?, high?);
        Some(QuickBounds { low, low_size, high, high_size, is_end })
    }

    /// Start and end of the code of the entry with these attributes; an empty range when
    /// they are damaged.
    #[inline]
    pub(super) fn read(self, attributes: &[u8], little_endian: bool) -> Option<(u64, u64)> {
        let number = |at: usize, size: usize| Some(numbers::fixed(attributes.get(at..at + size)?, little_endian));
        let low = number(self.low, self.low_size)?;
        let high = number(self.high, self.high_size)?;
        Some((low, if self.is_end { high } else { low.checked_add(high)? }))
    }
}

impl Step {
    #[inline(always)]
    fn pass(self, bytes: &mut &[u8], encoding: Encoding, little_endian: bool) -> Option<()> {
        let n = match self {
            Step::Bytes(n) => n,
            Step::Number => return numbers::skip(bytes),
            Step::Text => bytes.iter().position(|&b| b == 0)? + 1,
            Step::Block => usize::try_from(numbers::unsigned(bytes)?).ok()?,
            Step::Counted(width) => {
                let (count, rest) = bytes.split_at_checked(width.into())?;
                *bytes = rest;
                usize::try_from(numbers::fixed(count, little_endian)).ok()?
            }
            Step::Indirect => return indirect(bytes, encoding, little_endian),
        };
        *bytes = bytes.get(n..)?;
        Some(())
    }
}

/// Skips an attribute that contains its form.
#[cold]
fn indirect(bytes: &mut &[u8], encoding: Encoding, little_endian: bool) -> Option<()> {
    let form = DwForm(u16::try_from(numbers::unsigned(bytes)?).ok()?);
    // One that leads to another would never end.
    step(form, encoding).filter(|step| *step != Step::Indirect)?.pass(bytes, encoding, little_endian)
}

/// Step to skip an attribute of this form (DWARF 5, section 7.5.6); `None` for unknown forms.
fn step(form: DwForm, encoding: Encoding) -> Option<Step> {
    let word = usize::from(encoding.format.word_size());
    let address = usize::from(encoding.address_size);
    Some(match form {
        gimli::DW_FORM_flag_present | gimli::DW_FORM_implicit_const => Step::Bytes(0),
        gimli::DW_FORM_data1 | gimli::DW_FORM_ref1 | gimli::DW_FORM_flag | gimli::DW_FORM_strx1 | gimli::DW_FORM_addrx1 => Step::Bytes(1),
        gimli::DW_FORM_data2 | gimli::DW_FORM_ref2 | gimli::DW_FORM_strx2 | gimli::DW_FORM_addrx2 => Step::Bytes(2),
        gimli::DW_FORM_strx3 | gimli::DW_FORM_addrx3 => Step::Bytes(3),
        gimli::DW_FORM_data4 | gimli::DW_FORM_ref4 | gimli::DW_FORM_strx4 | gimli::DW_FORM_addrx4 | gimli::DW_FORM_ref_sup4 => {
            Step::Bytes(4)
        }
        gimli::DW_FORM_data8 | gimli::DW_FORM_ref8 | gimli::DW_FORM_ref_sig8 | gimli::DW_FORM_ref_sup8 => Step::Bytes(8),
        gimli::DW_FORM_data16 => Step::Bytes(16),
        gimli::DW_FORM_addr => Step::Bytes(address),
        gimli::DW_FORM_ref_addr => Step::Bytes(if encoding.version <= 2 { address } else { word }),
        gimli::DW_FORM_sec_offset
        | gimli::DW_FORM_strp
        | gimli::DW_FORM_line_strp
        | gimli::DW_FORM_strp_sup
        | gimli::DW_FORM_GNU_ref_alt
        | gimli::DW_FORM_GNU_strp_alt => Step::Bytes(word),
        gimli::DW_FORM_udata
        | gimli::DW_FORM_sdata
        | gimli::DW_FORM_ref_udata
        | gimli::DW_FORM_strx
        | gimli::DW_FORM_addrx
        | gimli::DW_FORM_loclistx
        | gimli::DW_FORM_rnglistx
        | gimli::DW_FORM_GNU_addr_index
        | gimli::DW_FORM_GNU_str_index => Step::Number,
        gimli::DW_FORM_string => Step::Text,
        gimli::DW_FORM_exprloc | gimli::DW_FORM_block => Step::Block,
        gimli::DW_FORM_block1 => Step::Counted(1),
        gimli::DW_FORM_block2 => Step::Counted(2),
        gimli::DW_FORM_block4 => Step::Counted(4),
        gimli::DW_FORM_indirect => Step::Indirect,
        _ => return None,
    })
}
