//! Machine code beside source lines: instructions of each line, and calls inlined into it, like pprof's `-weblist`.
//!
//! Shows the code around sampled addresses, like pprof, but decodes from the start of each function, so that the first
//! instruction is a real one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::syntax_of;
use crate::analyze::{SampledCode, sampled_code};
use crate::base::hash::HashMap;
use crate::base::id::{LocationId, MappingId};
use crate::base::pair::{net, plus};
use crate::demangle::{Demangle, name_of};
use crate::profile::Profile;
use crate::query::{QueryError, SourcePaths, View, clean_path};
use crate::report::{SourceCall, SourceInstruction, SourceReport};
use crate::symbolize::code::{Disassembler, Instruction, Syntax};
use crate::symbolize::{Binary, Frame, Options};

/// Bytes shown before and after an address that holds something.
const AROUND: u64 = 500;

/// Limits on the machine code in one report.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Number of functions whose code is read: the heaviest of all modules.
    pub routines: usize,
    /// Instructions, those nearest to samples; an instruction of several functions counts for each.
    pub instructions: usize,
}

impl Limits {
    /// As much as a page in a file takes.
    pub const WHOLE: Limits = Limits { routines: 100, instructions: usize::MAX };
}

/// Limit on the bytes decoded per function.
const LONGEST_ROUTINE: u64 = 1 << 20;

/// An instruction without a line gets that of one at most this many bytes before it.
const NEAR: u64 = 32;

/// Adds machine code to `report`, the answer to `view` on `profile`; warns about code that cannot be read.
pub fn annotate(report: &mut SourceReport, profile: &Profile, view: &View, options: &Options, limits: Limits) -> Result<(), QueryError> {
    let lines = Lines::new(report, profile, &view.shape.paths, options.demangle);
    let mut by_mapping: BTreeMap<MappingId, Vec<Sample>> = BTreeMap::new();
    let mut reader = Reader {
        profile,
        lines,
        options,
        syntax: syntax_of(view),
        most: limits.routines,
        files: Vec::new(),
        left_out: 0,
        found: Vec::new(),
        warnings: Vec::new(),
    };
    for SampledCode { location, flat, cum } in sampled_code(profile, view)? {
        let chain = reader.lines.of_location(profile, location);
        if !chain.iter().any(|frame| frame.entry.is_some()) {
            continue;
        }
        let address = profile.code().locations[location].address;
        let sample = Sample { address, in_process: address, chain, flat, cum };
        match profile.mapping_of(location) {
            Some((mapping, _)) => by_mapping.entry(mapping).or_default().push(sample),
            None => reader.found.push(sample.alone()),
        }
    }
    by_mapping.into_iter().for_each(|(mapping, samples)| reader.open(mapping, samples));
    reader.read();
    let Reader { mut found, mut warnings, .. } = reader;
    found.sort_by_key(|found| found.range.start);
    if keep_nearest(&mut found, limits.instructions) {
        warnings.push("showing only instructions near those with memory; use a narrower regexp for more".into());
    }
    let mut places = Places::default();
    // Function and line → where its last instruction ends.
    let mut ends: HashMap<(usize, i64), u64> = HashMap::default();
    for found in &found {
        for (depth, link) in found.chain.iter().enumerate() {
            let Some((number, entry)) = link.entry.and_then(|i| Some((i, report.entry.get_mut(i)?))) else { continue };
            let line = link.call.line;
            if line == 0 || (entry.first_line..=entry.last_line).contains(&line) {
                let end = ends.insert((number, line), found.range.end);
                let calls = found.chain[..depth].iter().rev().map(|link| places.number(number, &mut entry.call, &link.call)).collect();
                entry.code.push(found.at_depth(depth, end.is_some_and(|end| end != found.range.start), calls));
            }
        }
    }
    report.entry.iter_mut().for_each(|entry| entry.code.sort_by_key(|code| code.line));
    report.header.warnings.extend(warnings);
    Ok(())
}

/// Leaves out what is furthest from what holds something, until `most` are in the report;
/// whether anything had to go. O(n log n).
fn keep_nearest(found: &mut Vec<AnnotatedInstruction>, most: usize) -> bool {
    let times = |found: &AnnotatedInstruction| found.chain.iter().filter(|link| link.entry.is_some()).count();
    if found.iter().map(times).fold(0, usize::saturating_add) <= most {
        return false;
    }
    let with_memory: Vec<u64> = found.iter().filter(|f| f.flat != [0; 2] || f.cum != [0; 2]).map(|f| f.range.start).collect();
    let far = |found: &AnnotatedInstruction| {
        let at = found.range.start;
        let next = with_memory.partition_point(|&held| held < at);
        let before = next.checked_sub(1).map(|i| at - with_memory[i]);
        before.into_iter().chain(with_memory.get(next).map(|held| held - at)).min().unwrap_or(u64::MAX)
    };
    let weight = |found: &AnnotatedInstruction| net(found.cum).saturating_abs();
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_cached_key(|&i| (far(&found[i]), Reverse(weight(&found[i]))));
    let mut left = most;
    order.retain(|&i| {
        let fits = times(&found[i]) <= left;
        left = if fits { left - times(&found[i]) } else { 0 };
        fits
    });
    order.sort_unstable();
    let mut old: Vec<Option<AnnotatedInstruction>> = std::mem::take(found).into_iter().map(Some).collect();
    found.extend(order.into_iter().filter_map(|i| old[i].take()));
    true
}

/// Numbers of places in the entries of a report.
#[derive(Default)]
struct Places {
    /// Entry of the report → place → its index.
    of: HashMap<usize, HashMap<SourceCall, usize>>,
}

impl Places {
    /// The index of `call` among the places of an entry, which it is put into if it is new.
    fn number(&mut self, entry: usize, places: &mut Vec<SourceCall>, call: &SourceCall) -> usize {
        let known = || places.iter().enumerate().map(|(i, call)| (call.clone(), i)).collect();
        let of = self.of.entry(entry).or_insert_with(known);
        if let Some(&number) = of.get(call) {
            return number;
        }
        of.insert(call.clone(), places.len());
        places.push(call.clone());
        places.len() - 1
    }
}

/// A frame, and the entry of its function in the report.
#[derive(Clone, Debug)]
struct Link {
    entry: Option<usize>,
    call: SourceCall,
}

/// An address of the profile that holds something.
struct Sample {
    /// In the process; in the module once that is known.
    address: u64,
    /// In the process.
    in_process: u64,
    /// Innermost first.
    chain: Vec<Link>,
    flat: [i64; 2],
    cum: [i64; 2],
}

impl Sample {
    /// The sample alone, without code.
    fn alone(self) -> AnnotatedInstruction {
        let Sample { address, in_process, chain, flat, cum } = self;
        let (range, sampled) = (address..address.saturating_add(1), vec![in_process]);
        AnnotatedInstruction { range, text: String::new(), chain, flat, cum, sampled }
    }
}

/// An instruction with its frames.
struct AnnotatedInstruction {
    range: Range<u64>,
    /// Empty when the module is not here.
    text: String,
    chain: Vec<Link>,
    flat: [i64; 2],
    cum: [i64; 2],
    /// Addresses of its samples in the process.
    sampled: Vec<u64>,
}

impl AnnotatedInstruction {
    /// Instruction as it appears at the line of frame `depth` of its chain.
    fn at_depth(&self, depth: usize, apart: bool, calls: Vec<usize>) -> SourceInstruction {
        SourceInstruction {
            line: self.chain[depth].call.line,
            address: format!("{:#x}", self.range.start),
            text: self.text.clone(),
            flat: self.flat[0],
            cum: self.cum[0],
            flat_base: self.flat[1],
            cum_base: self.cum[1],
            apart,
            calls,
            sampled: self.sampled.clone(),
        }
    }
}

/// Functions and files of the report.
struct Lines<'a> {
    paths: &'a SourcePaths,
    entries: HashMap<(String, String), usize>,
    /// Name in the binary → name in reports.
    names: HashMap<&'a str, &'a str>,
    /// Level of demangling of other names.
    demangle: Demangle,
}

impl<'a> Lines<'a> {
    fn new(report: &SourceReport, profile: &'a Profile, paths: &'a SourcePaths, demangle: Demangle) -> Self {
        let entries = report.entry.iter().enumerate().map(|(i, e)| ((e.name.clone(), e.file.clone()), i)).collect();
        let functions = profile.code().functions.iter();
        let names = functions.map(|f| (profile.text(f.system_name), profile.text(f.name))).collect();
        Lines { paths, entries, names, demangle }
    }

    fn link(&self, name: &str, file: &str, line: i64) -> Link {
        let key = (name.to_owned(), clean_path(self.paths.shown(file)));
        let entry = self.entries.get(&key).copied();
        let (name, file) = key;
        Link { entry, call: SourceCall { name, file, line: line.max(0), text: String::new() } }
    }

    /// The frames of an address of the profile, innermost first.
    fn of_location(&self, profile: &Profile, location: LocationId) -> Vec<Link> {
        let code = profile.code();
        let frames = code.locations[location].frames();
        let named = frames.filter_map(|frame| Some((code.frames[frame].line, profile.function_of(frame)?.1)));
        named.map(|(line, f)| self.link(profile.text(f.name), profile.text(f.filename), line)).collect()
    }

    /// The frames that a file's debug information has, innermost first.
    fn of_frames(&self, frames: &[Frame]) -> Vec<Link> {
        let name = |mangled: &str| self.names.get(mangled).map_or_else(|| name_of(mangled, self.demangle), |n| (*n).to_owned());
        frames.iter().map(|f| self.link(&name(&f.name), &f.file, i64::try_from(f.line).unwrap_or(0))).collect()
    }
}

/// A function of the module with the addresses of it that hold something.
struct Routine {
    range: Range<u64>,
    samples: Vec<Sample>,
}

/// Reads code of modules, one after the other.
struct Reader<'a> {
    profile: &'a Profile,
    lines: Lines<'a>,
    options: &'a Options,
    syntax: Syntax,
    /// Functions that are read, of all modules.
    most: usize,
    /// Modules with functions that are to be read.
    files: Vec<(Binary, Vec<Routine>)>,
    /// Functions that are not read.
    left_out: usize,
    found: Vec<AnnotatedInstruction>,
    warnings: Vec<String>,
}

impl Reader<'_> {
    /// The code around the samples of one mapping.
    /// Looks for the functions of a module that hold samples, and keeps the heaviest that there are so far.
    fn open(&mut self, mapping: MappingId, samples: Vec<Sample>) {
        let binary = match Binary::of_mapping(self.profile, mapping, self.options) {
            Ok(binary) => binary,
            Err(error) => {
                self.warnings.push(format!("no instructions: {error}"));
                self.found.extend(samples.into_iter().map(Sample::alone));
                return;
            }
        };
        let mut routines: BTreeMap<u64, Routine> = BTreeMap::new();
        for mut sample in samples {
            let in_file = binary.in_file(&self.profile.code().mappings[mapping], sample.address);
            sample.address = in_file.unwrap_or(sample.address);
            match in_file.and_then(|at| binary.routine_at(at)) {
                Some(routine) => {
                    let range = routine.range;
                    routines.entry(range.start).or_insert_with(|| Routine { range, samples: Vec::new() }).samples.push(sample);
                }
                None => self.found.push(sample.alone()),
            }
        }
        self.files.push((binary, routines.into_values().collect()));
        self.keep_heaviest();
    }

    /// Limits the number of functions, and drops files without one. O(functions log functions).
    fn keep_heaviest(&mut self) {
        let in_file = |(file, (_, routines)): (usize, &(Binary, Vec<Routine>))| {
            routines.iter().enumerate().map(|(i, routine)| (Reverse(routine.weight()), file, i)).collect::<Vec<_>>()
        };
        let mut all: Vec<_> = self.files.iter().enumerate().flat_map(in_file).collect();
        all.sort_unstable();
        let kept: BTreeSet<(usize, usize)> = all.into_iter().take(self.most).map(|(_, file, i)| (file, i)).collect();
        for (file, (_, routines)) in self.files.iter_mut().enumerate() {
            for (i, routine) in std::mem::take(routines).into_iter().enumerate() {
                if kept.contains(&(file, i)) {
                    routines.push(routine);
                } else {
                    self.left_out += 1;
                    self.found.extend(routine.samples.into_iter().map(Sample::alone));
                }
            }
        }
        self.files.retain(|(_, routines)| !routines.is_empty());
    }

    /// Reads the code of the functions that are left.
    fn read(&mut self) {
        if self.left_out > 0 {
            let Reader { most, left_out, .. } = self;
            self.warnings.push(format!("showing instructions of the {most} heaviest functions, without {left_out} lighter ones"));
        }
        for (binary, routines) in std::mem::take(&mut self.files) {
            let mut disassembler = match Disassembler::new(&binary, self.syntax) {
                Ok(disassembler) => Some(disassembler),
                Err(error) => {
                    self.warnings.push(format!("no instructions: {error}"));
                    None
                }
            };
            for routine in routines {
                // If the file has no code for it, the samples appear without text.
                let listing = disassembler.as_mut().and_then(|d| d.instructions(routine.range.clone(), LONGEST_ROUTINE).ok());
                routine.code(listing.map_or(Vec::new(), |l| l.instructions), &binary, &self.lines, &mut self.found);
            }
        }
    }
}

impl Routine {
    /// Totals: flat, then cum.
    fn weight(&self) -> [i64; 2] {
        let sum = |of: fn(&Sample) -> [i64; 2]| {
            self.samples.iter().map(of).fold(0i64, |sum, pair| sum.saturating_add(net(pair).saturating_abs()))
        };
        [sum(|s| s.flat), sum(|s| s.cum)]
    }

    /// Its instructions near the samples, and samples that no instruction holds.
    fn code(mut self, instructions: Vec<Instruction>, binary: &Binary, lines: &Lines, found: &mut Vec<AnnotatedInstruction>) {
        self.samples.sort_by_key(|sample| sample.address);
        let at: Vec<u64> = self.samples.iter().map(|sample| sample.address).collect();
        let is_near = |i: &Instruction| {
            let next = at.partition_point(|&a| a < i.address);
            let before = next.checked_sub(1).is_some_and(|before| i.address.saturating_sub(at[before]) <= AROUND);
            before || at.get(next).is_some_and(|&after| after.saturating_sub(i.address) <= AROUND)
        };
        let near: Vec<Instruction> = instructions.into_iter().filter(is_near).collect();
        let addresses: Vec<u64> = near.iter().map(|i| i.address).collect();
        let frames = binary.frames(&addresses);
        let mut known: Option<(u64, Vec<Link>)> = None;
        let mut samples = self.samples.into_iter().peekable();
        for (instruction, frames) in near.into_iter().zip(frames) {
            let mut of_debug = lines.of_frames(&frames);
            if frames.first().is_some_and(|f| f.line != 0) {
                known = Some((instruction.address, of_debug.clone()));
            } else if let Some((_, chain)) = known.as_ref().filter(|(at, _)| instruction.address.saturating_sub(*at) <= NEAR) {
                of_debug = chain.clone();
            }
            let after = instruction.address.saturating_add(u64::from(instruction.len.max(1)));
            let (mut flat, mut cum, mut chain, mut sampled) = ([0; 2], [0; 2], None, Vec::new());
            while let Some(sample) = samples.next_if(|sample| sample.address < after) {
                if sample.address < instruction.address {
                    found.push(sample.alone());
                    continue;
                }
                flat = plus(flat, sample.flat);
                cum = plus(cum, sample.cum);
                sampled.push(sample.in_process);
                chain.get_or_insert(sample.chain);
            }
            // The profile's own frames carry the report's names.
            let chain = chain.unwrap_or(of_debug);
            if chain.iter().any(|link| link.entry.is_some()) {
                let (range, text) = (instruction.address..after, instruction.text);
                found.push(AnnotatedInstruction { range, text, chain, flat, cum, sampled });
            }
        }
        found.extend(samples.map(Sample::alone));
    }
}
