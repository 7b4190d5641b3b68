//! Machine code of whole functions for the disassembly report (`-disasm`): matching functions, their instructions, and the memory
//! at each.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

use super::disasm_places::{Lines, Places};
use super::{DisasmError, syntax_of};
use crate::base::hash::HashMap;
use crate::base::id::{Id, MappingId};
use crate::base::pair::{net, plus, quotient};
use crate::base::plain::base_name;
use crate::demangle::{Budget, Demangle};
use crate::profile::Profile;
use crate::query::{Pattern, View};
use crate::report::{CodeRoutine, CodeRow, DisasmReport, SampledAddress};
use crate::symbolize::code::{CodeError, Disassembler, Instruction, Syntax};
use crate::symbolize::{Binary, Options, Routine};

/// Maximum number of bytes of one routine that are shown.
const LONGEST: u64 = 1 << 20;

/// Most bytes of all routines together.
const MOST: u64 = 4 << 20;

/// Most text of all instructions together, bytes.
const MOST_TEXT: usize = 256 << 20;

/// Order and number of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// All, by name.
    Name,
    /// At most this many, largest flat first, like on pprof's page.
    Heaviest(usize),
}

/// Finds the binaries of a profile, for the disassembly report.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// `None`: nothing is read.
    options: Option<Options>,
}

impl Code {
    /// Finds files as names are found.
    pub fn new(options: Options) -> Self {
        Code { options: Some(options) }
    }

    /// Options for finding binaries; `None`: none is read.
    pub fn options(&self) -> Option<&Options> {
        self.options.as_ref()
    }

    /// Puts the routines that `view` requests into `report`, which was made for it of
    /// `profile`. Says in its warnings what could not be read.
    pub fn attach(&self, profile: &Profile, view: &View, order: Order, report: &mut DisasmReport) -> Result<(), DisasmError> {
        let wanted = Wanted::new(view.cut.disasm.as_ref());
        let sampled = std::mem::take(&mut report.sampled);
        let mut problems = Problems::default();
        let files = match &self.options {
            Some(options) => open(profile, &wanted, &sampled, options, &mut problems),
            None => Vec::new(),
        };
        let mut is_elsewhere = false;
        let mut found: Vec<FoundRoutine> = Vec::new();
        for file in &files {
            is_elsewhere |= file.addresses.iter().any(|&address| file.binary.routine_at(address).is_some());
            found.extend(file.routines(&wanted));
        }
        if found.is_empty() {
            return Err(wanted.missing(is_elsewhere, problems));
        }
        let mut problems = problems.requested;
        order_by(&mut found, order);
        let mut reader = Reader::new(&files, syntax_of(view));
        let mut read: Vec<Read> = Vec::new();
        for found in &found {
            match reader.read(found) {
                Ok(routine) => read.push(routine),
                Err(error) => problems.push(error.to_string()),
            }
        }
        if read.is_empty() {
            return Err(DisasmError::Unreadable { problems });
        }
        annotate_all(&mut read, &files);
        report.routine = read.into_iter().map(|read| read.routine).collect();
        report.header.n_shown = report.routine.len();
        report.header.n_total = report.routine.len();
        report.header.warnings.append(&mut problems);
        report.header.warnings.append(&mut reader.warnings);
        Ok(())
    }
}

/// Functions selected by a regexp or an address.
struct Wanted<'a> {
    pattern: Option<&'a Pattern>,
    /// The expression is a number: an address.
    address: Option<u64>,
    /// For the names of all symbols that are compared.
    budget: RefCell<Budget>,
}

impl<'a> Wanted<'a> {
    fn new(pattern: Option<&'a Pattern>) -> Self {
        Wanted { pattern, address: pattern.and_then(|p| number(p.source())), budget: RefCell::default() }
    }

    fn matches(&self, name: &str) -> bool {
        self.pattern.is_none_or(|p| p.is_match(name))
    }

    /// The first name of a routine in the first form that matches, in pprof's order
    /// (`internal/binutils/disasm.go`).
    fn name(&self, routine: &Routine) -> Option<String> {
        routine.symbols.iter().find_map(|symbol| {
            let linked = String::from_utf8_lossy(symbol.name);
            if self.matches(&linked) {
                return Some(linked.into_owned());
            }
            let forms = [Demangle::Full, Demangle::Templates, Demangle::Default];
            forms.into_iter().filter_map(|form| self.budget.borrow_mut().demangled(&linked, form)).find(|name| self.matches(name))
        })
    }

    /// Error if no function was found.
    fn missing(&self, is_elsewhere: bool, problems: Problems) -> DisasmError {
        let problems = problems.suffix();
        match (self.address, self.pattern) {
            (Some(address), _) if is_elsewhere => DisasmError::NoSamples { address },
            (Some(address), _) => DisasmError::NoAddress { address, problems },
            (None, pattern) => DisasmError::NoMatch { pattern: pattern.map_or(String::new(), |p| p.source().to_owned()), problems },
        }
    }
}

/// A whole number as Go reads it: `0x…`, `0b…`, `0o…`, `0…`, or decimal.
fn number(text: &str) -> Option<u64> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', b'o', ..] => (&lower[2..], 8),
        [b'0', _, ..] => (&lower[1..], 8),
        _ => (&lower[..], 10),
    };
    u64::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'))
}

/// A file with the samples in it.
struct File<'a> {
    binary: Binary,
    /// By the file's own address.
    samples: Vec<(u64, &'a SampledAddress)>,
    /// The requested address, in the file's own addresses.
    addresses: Vec<u64>,
}

/// A routine to be shown.
struct FoundRoutine<'a> {
    file: &'a File<'a>,
    routine: Routine<'a>,
    name: String,
    aliases: Vec<String>,
    samples: &'a [(u64, &'a SampledAddress)],
}

/// Opens the files that hold samples, or the address; each once. pprof leaves those out in
/// which no sample's label matches, and so finds nothing by `^main$`.
fn open<'a>(
    profile: &Profile,
    wanted: &Wanted,
    sampled: &'a [SampledAddress],
    options: &Options,
    problems: &mut Problems,
) -> Vec<File<'a>> {
    let mappings = &profile.code().mappings;
    let mut by_mapping: BTreeMap<usize, Vec<&SampledAddress>> = BTreeMap::new();
    sampled.iter().for_each(|s| by_mapping.entry(s.mapping).or_default().push(s));
    let contains_address = |id: MappingId| wanted.address.is_some_and(|a| a >= mappings[id].start && a <= mappings[id].limit);
    let mut files: Vec<File> = Vec::new();
    let mut opened: HashMap<(&str, &str), Option<usize>> = HashMap::default();
    let mut by_path: HashMap<PathBuf, usize> = HashMap::default();
    for id in mappings.ids().filter(|&id| by_mapping.contains_key(&id.index()) || contains_address(id)) {
        let mapping = &mappings[id];
        let samples = by_mapping.get(&id.index()).map_or(&[][..], Vec::as_slice);
        let name = (profile.text(mapping.file), profile.text(mapping.build_id));
        let at = *opened.entry(name).or_insert_with(|| match Binary::of_mapping(profile, id, options) {
            Ok(binary) => Some(*by_path.entry(binary.path().to_owned()).or_insert_with(|| {
                files.push(File { binary, samples: Vec::new(), addresses: Vec::new() });
                files.len() - 1
            })),
            Err(error) => {
                if contains_address(id) || samples.iter().any(|s| wanted.matches(&s.label)) {
                    problems.requested.push(error.to_string());
                } else {
                    problems.other.push(base_name(name.0).to_owned());
                }
                None
            }
        });
        let Some(file) = at.and_then(|at| files.get_mut(at)) else { continue };
        file.samples.extend(samples.iter().filter_map(|s| Some((file.binary.in_file(mapping, s.address)?, *s))));
        let run_time = wanted.address.filter(|_| contains_address(id)).and_then(|a| file.binary.in_file(mapping, a));
        file.addresses.extend(run_time);
    }
    // Else the number is an address as the report prints it, in any of the files.
    let is_run_time = files.iter().any(|f| !f.addresses.is_empty());
    for file in &mut files {
        if !is_run_time {
            file.addresses.extend(wanted.address);
        }
        file.samples.sort_by_key(|(address, s)| (*address, s.mapping));
    }
    files
}

/// Files that could not be read.
#[derive(Debug, Default)]
struct Problems {
    /// Files where something is requested: why.
    requested: Vec<String>,
    /// Names of files where it may be, when it is nowhere else.
    other: Vec<String>,
}

impl Problems {
    /// All problems, to append to an error.
    fn suffix(self) -> String {
        let others = match self.other.join(", ") {
            names if names.is_empty() => None,
            names => Some(format!("could not read {names}; set PPROF_BINARY_PATH to the directories that contain them")),
        };
        self.requested.into_iter().chain(others).map(|problem| format!("; {problem}")).collect()
    }
}

impl File<'_> {
    /// Functions with samples that match the request, by address.
    fn routines(&self, wanted: &Wanted) -> Vec<FoundRoutine<'_>> {
        let mut found = Vec::new();
        let mut rest = &self.samples[..];
        while let Some(&(address, _)) = rest.first() {
            let Some(routine) = self.binary.routine_at(address) else {
                rest = &rest[1..];
                continue;
            };
            let n = rest.partition_point(|(address, _)| *address < routine.range.end).max(1);
            let (samples, others) = rest.split_at(n);
            rest = others;
            let names = if self.addresses.iter().any(|a| routine.range.contains(a)) {
                routine.symbols.iter().map(|s| String::from_utf8_lossy(s.name).into_owned()).collect()
            } else {
                Vec::from_iter(wanted.name(&routine))
            };
            if let [name, aliases @ ..] = &names[..] {
                found.push(FoundRoutine { file: self, routine, name: name.clone(), aliases: aliases.to_vec(), samples });
            }
        }
        found
    }
}

fn order_by(found: &mut Vec<FoundRoutine>, order: Order) {
    found.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| a.routine.range.start.cmp(&b.routine.range.start)));
    if let Order::Heaviest(most) = order {
        found.sort_by_cached_key(|f| std::cmp::Reverse(Sum::of(f.samples.iter().map(|(_, s)| *s)).net_flat()));
        found.truncate(most);
    }
}

/// Value and base of several samples.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    flat: [i64; 2],
    cum: [i64; 2],
    divisor: [i64; 2],
}

impl Sum {
    fn of<'a>(samples: impl Iterator<Item = &'a SampledAddress>) -> Self {
        let sum = samples.fold(Sum::default(), |sum, s| Sum {
            flat: plus(sum.flat, s.flat),
            cum: plus(sum.cum, s.cum),
            divisor: plus(sum.divisor, s.divisor),
        });
        // A mean is taken of the difference, and rounded, like in pprof.
        let mean = |sum: [i64; 2], by: i64| if by == 0 { sum } else { [quotient(net(sum), by), 0] };
        Sum { flat: mean(sum.flat, sum.divisor[0]), cum: mean(sum.cum, sum.divisor[1]), divisor: sum.divisor }
    }

    fn net_flat(self) -> i64 {
        net(self.flat)
    }
}

/// Reads routines, as long as there is room.
struct Reader<'a> {
    syntax: Syntax,
    /// One for each file; made when first needed.
    open: Vec<(&'a Binary, Option<Result<Disassembler<'a>, CodeError>>)>,
    /// Bytes of code and of text that may still be shown.
    left: u64,
    left_text: usize,
    warnings: Vec<String>,
}

impl<'a> Reader<'a> {
    fn new(files: &'a [File<'a>], syntax: Syntax) -> Self {
        let open = files.iter().map(|f| (&f.binary, None)).collect();
        Reader { syntax, open, left: MOST, left_text: MOST_TEXT, warnings: Vec::new() }
    }

    fn read<'f>(&mut self, found: &'f FoundRoutine<'a>) -> Result<Read<'f>, CodeError> {
        let binary = &found.file.binary;
        let sum = Sum::of(found.samples.iter().map(|(_, s)| *s));
        let routine = CodeRoutine {
            name: found.name.clone(),
            aliases: found.aliases.clone(),
            object: binary.path().to_string_lossy().into_owned(),
            start: found.routine.range.start,
            end: found.routine.range.end,
            flat: sum.flat[0],
            cum: sum.cum[0],
            flat_base: sum.flat[1],
            cum_base: sum.cum[1],
            ..CodeRoutine::default()
        };
        let mut read = Read { routine, instructions: Vec::new(), samples: found.samples, binary };
        let room = if self.left_text == 0 { 0 } else { self.left.min(LONGEST) };
        let syntax = self.syntax;
        let Some((_, open)) = self.open.iter_mut().find(|(b, _)| std::ptr::eq(*b, binary)) else { return Ok(read) };
        let disassembler = open.get_or_insert_with(|| Disassembler::new(binary, syntax)).as_mut().map_err(|e| e.clone())?;
        let listing = disassembler.instructions(found.routine.range.clone(), room)?;
        let end = listing.instructions.last().map_or(read.routine.start, |last| last.address.saturating_add(last.len.into()));
        let shown = end - read.routine.start;
        self.left = self.left.saturating_sub(shown);
        self.left_text = self.left_text.saturating_sub(listing.instructions.iter().map(|i| i.text.len()).sum());
        if listing.is_cut {
            let n = read.routine.end - read.routine.start;
            self.warnings.push(format!("{}: showing {shown} of {n} bytes; use a narrower regexp for more", found.name));
        }
        read.instructions = listing.instructions;
        Ok(read)
    }
}

/// A routine on its way into the report.
struct Read<'f> {
    routine: CodeRoutine,
    instructions: Vec<Instruction>,
    samples: &'f [(u64, &'f SampledAddress)],
    binary: &'f Binary,
}

/// Annotates all routines, those of one file together: its debug information is walked as
/// seldom as memory allows.
fn annotate_all(read: &mut [Read], files: &[File]) {
    /// Instructions looked up at a time.
    const MANY: usize = 1 << 16;
    let mut lines = Lines::default();
    for file in files {
        let mut own: Vec<&mut Read> = read.iter_mut().filter(|r| std::ptr::eq(r.binary, &file.binary)).collect();
        let mut rest = &mut own[..];
        while !rest.is_empty() {
            let mut n_instructions = 0;
            let fits = |r: &&&mut Read| {
                let fits = n_instructions < MANY;
                n_instructions += r.instructions.len();
                fits
            };
            let n = rest.iter().take_while(fits).count();
            let (some, others) = rest.split_at_mut(n.max(1));
            rest = others;
            let mut addresses: Vec<u64> = some.iter().flat_map(|r| &r.instructions).map(|i| i.address).collect();
            addresses.sort_unstable();
            addresses.dedup();
            let frames = file.binary.frames(&addresses);
            for read in some {
                let at = |i: &Instruction| addresses.binary_search(&i.address).ok().and_then(|n| frames.get(n));
                let chains = read.instructions.iter().map(|i| at(i).map_or(&[][..], Vec::as_slice));
                let places = lines.of(chains);
                annotate(read, places);
            }
        }
    }
}

/// Gives each instruction its place and the samples up to the next one: those in its
/// middle are its own.
fn annotate(read: &mut Read, mut places: Places) {
    let instructions = std::mem::take(&mut read.instructions);
    let addresses: Vec<u64> = instructions.iter().map(|i| i.address).collect();
    let mut samples = read.samples;
    for (i, instruction) in instructions.into_iter().enumerate() {
        let next = addresses.get(i + 1).copied().unwrap_or(u64::MAX);
        let n = samples.iter().take_while(|(address, _)| *address < next).count();
        let (own, others) = samples.split_at(n);
        samples = others;
        let place = places.at(i, own.iter().map(|(_, s)| *s));
        let sum = Sum::of(own.iter().map(|(_, s)| *s));
        read.routine.row.push(CodeRow {
            address: instruction.address,
            text: instruction.text,
            place,
            flat: sum.flat[0],
            cum: sum.cum[0],
            flat_base: sum.flat[1],
            cum_base: sum.cum[1],
        });
    }
    read.routine.place = places.finish();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_go_reads_them() {
        for (text, value) in [("0x1F", Some(31)), ("31", Some(31)), ("017", Some(15)), ("0b11", Some(3)), ("0o7", Some(7)), ("0", Some(0))]
        {
            assert_eq!(number(text), value, "{text}");
        }
        for text in ["", "main", "0x", "-1", "+1", "0x+1", "1f", "99999999999999999999"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn means_are_of_differences() {
        let a = SampledAddress { flat: [30, 10], cum: [30, 10], divisor: [4, 0], ..SampledAddress::default() };
        let sum = Sum::of([&a, &a].into_iter());
        assert_eq!((sum.flat, sum.cum), ([5, 0], [60, 20]));
    }
}
