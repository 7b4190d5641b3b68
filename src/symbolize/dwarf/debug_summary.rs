//! Level of detail, versions and language of a file's debug information, from the declarations of its units.

use gimli::{DwoId, UnitRef};

use super::Sections;
use super::gimli_reader::Window;
use super::index::Index;
use crate::base::hash::HashMap;

/// Number of units read; further ones are assumed to be similar.
const MOST_UNITS: usize = 4096;

/// Level of detail of debug information, ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DebugKind {
    /// Standard library only, which comes with the compiler.
    StandardLibrary,
    /// Lines, but no functions.
    Lines,
    /// Lines and inlined functions (`debug = "line-tables-only"`, `-g1`).
    LineTables,
    /// Line tables with declarations (`debug = 1`).
    Limited,
    /// Variables and types, too (`debug = 2`, `-g`).
    Full,
}

/// The units of a file.
#[derive(Clone, Debug, Default)]
pub(in crate::symbolize) struct DebugSummary {
    /// Highest level among the units; `None` if all of them are in other files.
    pub(in crate::symbolize) kind: Option<DebugKind>,
    /// DWARF versions, ascending.
    pub(in crate::symbolize) versions: Vec<u16>,
    /// Language of most units.
    pub(in crate::symbolize) language: Option<&'static str>,
    /// The parts in other files.
    pub(in crate::symbolize) splits: Vec<SplitPart>,
}

/// A part of the debug information that is in another file.
#[derive(Clone, Debug)]
pub(in crate::symbolize) struct SplitPart {
    /// As the program names the file.
    pub(in crate::symbolize) name: String,
    /// The folder that the name is relative to.
    pub(in crate::symbolize) folder: String,
    /// Id, to recognize files of other builds.
    pub(in crate::symbolize) id: Option<DwoId>,
}

/// Tags and attributes that a unit declares.
#[derive(Clone, Copy, Default)]
struct Declared {
    functions: bool,
    places: bool,
    variables: bool,
}

impl DebugSummary {
    /// Summarizes the units. Damaged ones are ignored.
    pub(in crate::symbolize) fn of(sections: &Sections) -> Self {
        let dwarf = sections.dwarf();
        let Index { units, opener } = Index::new(&dwarf);
        let mut summary = DebugSummary::default();
        let mut declared: HashMap<usize, Declared> = HashMap::default();
        let mut languages: HashMap<&'static str, usize> = HashMap::default();
        for header in units.into_iter().take(MOST_UNITS) {
            if !summary.versions.contains(&header.version()) {
                summary.versions.push(header.version());
            }
            if let Some(unit) = opener.open(&dwarf, header) {
                summary.see(unit.unit_ref(&dwarf), &mut declared, &mut languages);
            }
        }
        summary.versions.sort_unstable();
        summary.language = languages.into_iter().max_by_key(|&(name, n)| (n, std::cmp::Reverse(name))).map(|(name, _)| name);
        summary
    }

    fn see(
        &mut self,
        unit: UnitRef<'_, Window<'_>>,
        declared: &mut HashMap<usize, Declared>,
        languages: &mut HashMap<&'static str, usize>,
    ) {
        let Ok(mut entries) = unit.entries_raw(None) else { return };
        let Ok(Some(root)) = entries.read_abbreviation() else { return };
        let (mut language, mut folder, mut part) = (None, String::new(), None);
        let text = |value| unit.attr_string(value).ok().map(|s| s.text());
        for &spec in root.attributes() {
            let Ok(attribute) = entries.read_attribute(spec) else { return };
            match (attribute.name(), attribute.value()) {
                (gimli::DW_AT_language, gimli::AttributeValue::Language(is)) => language = language_name(is),
                (gimli::DW_AT_comp_dir, value) => folder = text(value).unwrap_or_default(),
                (gimli::DW_AT_dwo_name | gimli::DW_AT_GNU_dwo_name, value) => part = text(value),
                _ => {}
            }
        }
        if let Some(part) = part {
            // Skeletons do not contain the language, but rustc's file names show it.
            if part.ends_with(".rcgu.dwo") {
                *languages.entry("Rust").or_default() += 1;
            }
            self.splits.push(SplitPart { name: part, folder, id: unit.dwo_id });
            return;
        }
        let is_std = folder.starts_with("/rustc/");
        if let Some(language) = language.filter(|_| !is_std) {
            *languages.entry(language).or_default() += 1;
        }
        let offset = unit.header.debug_abbrev_offset().0;
        let is = *declared.entry(offset).or_insert_with(|| {
            let mut is = Declared::default();
            // Compilers number them without gaps.
            (1..).map_while(|code| unit.abbreviations.get(code)).for_each(|abbreviation| match abbreviation.tag() {
                gimli::DW_TAG_subprogram => {
                    is.functions = true;
                    is.places |= abbreviation.attributes().iter().any(|a| a.name() == gimli::DW_AT_decl_line);
                }
                gimli::DW_TAG_inlined_subroutine => is.functions = true,
                gimli::DW_TAG_formal_parameter | gimli::DW_TAG_variable => is.variables = true,
                _ => {}
            });
            is
        });
        let kind = match is {
            _ if is_std => DebugKind::StandardLibrary,
            Declared { functions: true, variables: true, .. } => DebugKind::Full,
            Declared { functions: true, places: true, .. } => DebugKind::Limited,
            Declared { functions: true, .. } => DebugKind::LineTables,
            _ => DebugKind::Lines,
        };
        self.kind = self.kind.max(Some(kind));
    }
}

fn language_name(language: gimli::DwLang) -> Option<&'static str> {
    Some(match language {
        gimli::DW_LANG_Rust => "Rust",
        gimli::DW_LANG_Go => "Go",
        gimli::DW_LANG_C | gimli::DW_LANG_C89 | gimli::DW_LANG_C99 | gimli::DW_LANG_C11 | gimli::DW_LANG_C17 => "C",
        gimli::DW_LANG_C_plus_plus
        | gimli::DW_LANG_C_plus_plus_03
        | gimli::DW_LANG_C_plus_plus_11
        | gimli::DW_LANG_C_plus_plus_14
        | gimli::DW_LANG_C_plus_plus_17
        | gimli::DW_LANG_C_plus_plus_20 => "C++",
        gimli::DW_LANG_Swift => "Swift",
        gimli::DW_LANG_Zig => "Zig",
        gimli::DW_LANG_D => "D",
        _ => return None,
    })
}
