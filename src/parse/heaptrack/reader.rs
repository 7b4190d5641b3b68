//! Lines to events.

use super::lines::Words;
use super::modules::Modules;
use super::problems::{Problem, Problems};
use super::scan::Piece;
use super::version::{NAME, Version};
use crate::base::hash::HashMap;
use crate::base::id::{LocationId, MappingId, StrId};
use crate::base::plain::base_name;
use crate::base::size_class::class_of;
use crate::parse::error::{Warning, WarningKind};
use crate::parse::events::{self, Blocks, Events, Odd, Sizes, clamped};
use crate::parse::half_demangled::mangled;
use crate::parse::named_mappings::NamedMappings;
use crate::parse::options::KeepEvents;
use crate::profile::{Function, Line, Profile, ProfileBuilder, RunSummary};

/// Most locations of all stacks together, and those that any file may have beside one for each byte: a few lines can ask for
/// billions.
const MOST_LOCATIONS: usize = 1 << 26;
const FREE_LOCATIONS: usize = 1 << 22;
/// Most entries of tables: small files unpack to many of them.
const MOST_TEXTS: usize = 1 << 23;
const MOST_ADDRESSES: usize = 1 << 23;
const MOST_STACKS: usize = 1 << 26;
const MOST_ALLOCATIONS: usize = 1 << 23;
const MOST_ROWS: usize = 1 << 22;
/// Most frames of a stack; heaptrack keeps 64 addresses.
const DEEPEST: usize = 1 << 9;
/// Most rules of a recording.
const MOST_SUPPRESSIONS: usize = 10_000;

/// `operator new`, which heaptrack leaves out of its stacks, too.
const DROPPED: &str = r"operator new(\[\])?(\(unsigned (long|int)\))?";

/// Node of the tree of stacks.
#[derive(Clone, Copy, Debug)]
struct Stack {
    location: Option<LocationId>,
    /// Number of the calling stack, from 1; 0: none.
    caller: u32,
}

/// Reads lines.
pub(super) struct Reader {
    version: Version,
    builder: ProfileBuilder,
    /// Cells are blocks of one size and stack: where events are numbered, one for each line `a`.
    events: Events<Blocks>,
    /// Number of lines so far.
    line: usize,
    /// Bytes of text so far.
    length: usize,
    texts: Vec<StrId>,
    /// Interpreted files: code addresses.
    addresses: Vec<LocationId>,
    stacks: Vec<Stack>,
    /// Stack and class of sizes → row.
    rows: HashMap<(u32, usize), u32>,
    /// Row → its stack.
    stack_of_row: Vec<u32>,
    /// Stack and size → cell, where allocations are not numbered.
    cells: HashMap<(u32, u64), u32>,
    /// Address → cell of the block in use.
    blocks: HashMap<u64, u32>,
    /// Of interpreted files.
    mappings: NamedMappings,
    modules: Modules,
    /// The file has addresses in place of names, and memory maps.
    is_raw: bool,
    /// Events have the numbers of allocations, not sizes and pointers.
    is_numbered: bool,
    /// The rest is not read.
    is_over: bool,
    page_size: i64,
    run: RunSummary,
    problems: Problems,
}

impl Reader {
    pub(super) fn new(version: Version, keep: Option<&KeepEvents>) -> Self {
        let run = RunSummary { recorder: version.tool_name(), ..RunSummary::default() };
        Reader {
            version,
            builder: ProfileBuilder::new(&events::VALUE_TYPES),
            events: Events::new(keep),
            line: 0,
            length: 0,
            texts: Vec::new(),
            addresses: Vec::new(),
            stacks: Vec::new(),
            rows: HashMap::default(),
            stack_of_row: Vec::new(),
            cells: HashMap::default(),
            blocks: HashMap::default(),
            mappings: NamedMappings::default(),
            modules: Modules::default(),
            is_raw: false,
            is_numbered: version.file > 0,
            is_over: false,
            page_size: 4096,
            run,
            problems: Problems::default(),
        }
    }

    /// Reads a piece. Returns whether more is wanted.
    pub(super) fn take(&mut self, piece: &Piece) -> bool {
        self.length += piece.length;
        let mut n_read = 0;
        for (n_before, line) in piece.lines() {
            self.add_events(&piece.codes()[n_read..n_before]);
            n_read = n_before;
            self.line += 1;
            self.read_line(line);
            if self.is_over {
                return false;
            }
        }
        self.add_events(&piece.codes()[n_read..]);
        true
    }

    /// Adds events that have the numbers of allocations; each is a line.
    fn add_events(&mut self, codes: &[u32]) {
        let Reader { events, problems, line, .. } = self;
        events.add_all(codes, |at, odd| {
            let problem = match odd {
                Odd::NoCell => Problem::NoSuchEntry,
                Odd::NotInUse => Problem::FreeWithoutAllocation,
            };
            problems.add(problem, *line + at + 1);
        });
        self.line += codes.len();
    }

    /// Reads a line without its end. Lines that add to a table do so even if they are damaged: numbers of later ones depend on it.
    fn read_line(&mut self, line: &[u8]) {
        let [letter, rest @ ..] = line else { return };
        if rest.first().is_some_and(|&b| b != b' ') && *letter != b'#' {
            return self.problems.add(Problem::Unknown, self.line);
        }
        let mut words = Words::new(line);
        let done = match letter {
            b'#' | b'v' => Some(()),
            b'+' | b'-' if self.is_numbered => words.number().map(|number| {
                let code = u32::try_from(number).ok().filter(|number| *number < MOST_ALLOCATIONS as u32);
                self.line -= 1;
                self.add_events(&[code.unwrap_or(MOST_ALLOCATIONS as u32) << 1 | u32::from(*letter == b'-')]);
            }),
            b'+' => self.allocate_block(words),
            b'-' => words.number().map(|address| self.free_block(address)),
            b'c' => words.number().map(|millis| self.set_time(millis)),
            b'R' => words.number().map(|pages| self.events.set_rss(self.bytes_of(pages))),
            b'a' => self.add_allocation(words),
            b't' => self.add_stack(words),
            b'i' => self.add_address(words),
            // Of lines that are too long only the letter is left.
            b's' => self.add_text(words).filter(|()| !rest.is_empty()),
            b'X' | b'S' if rest.is_empty() => None,
            b'X' => {
                self.run.command = String::from_utf8_lossy(words.text()).into_owned();
                Some(())
            }
            b'I' => self.set_system(words),
            b'S' => {
                self.add_suppression(words);
                Some(())
            }
            b'A' => {
                self.run.is_attached = true;
                self.events.restart();
                self.blocks.clear();
                Some(())
            }
            b'x' => self.set_program(words),
            b'm' => self.add_module(words),
            _ => return self.problems.add(Problem::Unknown, self.line),
        };
        if done.is_none() {
            self.problems.add(Problem::Malformed, self.line);
        }
    }

    fn bytes_of(&self, pages: u64) -> i64 {
        i64::try_from(pages).unwrap_or(i64::MAX).saturating_mul(self.page_size)
    }

    fn set_time(&mut self, millis: u64) {
        let nanos = i64::try_from(millis).unwrap_or(i64::MAX).saturating_mul(1_000_000);
        if nanos < self.events.time() {
            self.problems.add(Problem::Backward, self.line);
        }
        // A damaged stamp would push all later ones to the end of time.
        const LONGEST: i64 = 100 * 365 * 86_400 * 1_000_000_000 / 2;
        if nanos > LONGEST {
            return self.problems.add(Problem::Malformed, self.line);
        }
        self.events.set_time(nanos);
    }

    fn set_system(&mut self, mut words: Words<'_>) -> Option<()> {
        let (size, pages) = (words.number()?, words.number()?);
        self.page_size = i64::try_from(size).ok().filter(|size| (1..=1 << 30).contains(size))?;
        self.run.system_memory = self.bytes_of(pages);
        Some(())
    }

    /// Rules of version 3 have their length in front, which heaptrack does not take off.
    fn add_suppression(&mut self, mut words: Words<'_>) {
        let plain = words.text();
        let text = words.text_of_length().filter(|_| words.is_at_end()).unwrap_or(plain).trim_ascii();
        if text.is_empty() || text.starts_with(b"#") || self.run.suppressions.len() >= MOST_SUPPRESSIONS {
            return;
        }
        self.run.suppressions.push(String::from_utf8_lossy(text).into_owned());
    }

    /// Returns whether a table of `n` entries has room for one more.
    fn has_room(&mut self, n: usize, most: usize) -> bool {
        if n >= most {
            self.problems.add(Problem::TooMany, self.line);
        }
        n < most
    }

    fn add_text(&mut self, mut words: Words<'_>) -> Option<()> {
        if !self.has_room(self.texts.len(), MOST_TEXTS) {
            return Some(());
        }
        let text = if self.version.file >= 3 { words.text_of_length() } else { Some(words.text()) };
        self.texts.push(self.builder.string(&String::from_utf8_lossy(text.unwrap_or_default())));
        text.map(|_| ())
    }

    /// The text of this number; the empty one for 0.
    fn text(&mut self, number: u64) -> StrId {
        let Some(place) = number.checked_sub(1) else { return StrId(0) };
        let found = usize::try_from(place).ok().and_then(|place| self.texts.get(place).copied());
        found.unwrap_or_else(|| {
            self.problems.add(Problem::NoSuchEntry, self.line);
            StrId(0)
        })
    }

    fn add_address(&mut self, mut words: Words<'_>) -> Option<()> {
        if !self.has_room(self.addresses.len(), MOST_ADDRESSES) {
            return Some(());
        }
        let (address, module) = (words.number(), words.number());
        let mut lines = Vec::new();
        let mut is_whole = address.is_some() && module.is_some();
        while is_whole && !words.is_at_end() {
            // A function may stand alone.
            let (function, file, line) = (words.number(), words.number_or_zero(), words.number_or_zero());
            let (Some(function), Some(file), Some(line)) = (function, file, line) else {
                is_whole = false;
                break;
            };
            let (name, filename) = (self.text(function), self.text(file));
            let line = i64::try_from(line).unwrap_or(0);
            lines.push(Line { function: self.function(name, filename), line, column: 0 });
        }
        let mapping = self.mapping(module.unwrap_or(0));
        let address = self.call(address.unwrap_or(0));
        self.addresses.push(self.builder.location(mapping, address, &lines));
        is_whole.then_some(())
    }

    /// The address of the call that returns to `address`. Since version 3 recorders write that.
    fn call(&self, address: u64) -> u64 {
        if self.version.file >= 3 { address } else { address.saturating_sub(1) }
    }

    fn function(&mut self, name: StrId, filename: StrId) -> Option<crate::base::id::FunctionId> {
        let text = self.builder.text(name);
        if text.is_empty() && filename == StrId(0) {
            return None;
        }
        // heaptrack demangles what its C++ library can, and takes Rust's legacy names apart.
        let mangled = mangled(text).map(|mangled| self.builder.string(&mangled));
        let (name, system_name) = mangled.map_or((name, StrId(0)), |mangled| (mangled, mangled));
        Some(self.builder.function(Function { name, system_name, filename, ..Function::default() }))
    }

    /// The mapping of a module.
    fn mapping(&mut self, module: u64) -> Option<MappingId> {
        if self.mappings.is_empty() {
            // The recorder lists modules first, and of those the program.
            let first = self.texts.first().copied().filter(|first| {
                let command = self.run.command.split(' ').next().unwrap_or_default();
                let text = self.builder.text(*first);
                text.contains('/') && (base_name(text) == base_name(command) || !text.contains(".so"))
            });
            if let Some(first) = first {
                self.mappings.of(first, &mut self.builder);
            }
        }
        let file = self.text(module);
        (file != StrId(0)).then(|| self.mappings.of(file, &mut self.builder))
    }

    fn add_stack(&mut self, mut words: Words<'_>) -> Option<()> {
        if !self.has_room(self.stacks.len(), MOST_STACKS) {
            return Some(());
        }
        let (address, caller) = (words.number(), words.number());
        let location = match (address, self.is_raw) {
            (Some(address), true) => {
                let call = self.call(address);
                let mapping = self.modules.find(call);
                Some(self.builder.location(mapping, call, &[]))
            }
            (Some(number), false) => {
                let place = number.checked_sub(1).and_then(|place| usize::try_from(place).ok());
                place.and_then(|place| self.addresses.get(place).copied())
            }
            (None, _) => None,
        };
        let n = self.stacks.len() as u64;
        let is_known = caller.is_some_and(|caller| caller <= n);
        if address.is_some() && caller.is_some() && (location.is_none() || !is_known) {
            self.problems.add(Problem::NoSuchEntry, self.line);
        }
        let caller = caller.filter(|_| is_known).and_then(|caller| u32::try_from(caller).ok()).unwrap_or(0);
        self.stacks.push(Stack { location, caller });
        address.and(words.is_at_end().then_some(()))
    }

    /// The row of blocks of this size and stack; `None` if there is no such stack.
    fn row(&mut self, size: u64, stack: u64) -> Option<u32> {
        if stack > self.stacks.len() as u64 {
            self.problems.add(Problem::NoSuchEntry, self.line);
            return None;
        }
        let stack = u32::try_from(stack).ok()?;
        let key = (stack, class_of(i64::try_from(size).unwrap_or(i64::MAX)));
        if let Some(&row) = self.rows.get(&key) {
            return Some(row);
        }
        if !self.has_room(self.stack_of_row.len(), MOST_ROWS) {
            return None;
        }
        let row = self.events.add_row_of_cells()?;
        self.stack_of_row.push(stack);
        self.rows.insert(key, row);
        Some(row)
    }

    fn size(&mut self, size: u64) -> u64 {
        clamped(size, || self.problems.add(Problem::HugeSize, self.line))
    }

    fn add_allocation(&mut self, mut words: Words<'_>) -> Option<()> {
        if !self.has_room(self.events.n_cells(), MOST_ALLOCATIONS) {
            return Some(());
        }
        let (size, stack) = (words.number(), words.number());
        let size = size.map(|size| self.size(size));
        let row = size.zip(stack).and_then(|(size, stack)| Some((self.row(size, stack)?, size)));
        self.events.add_blocks(row);
        size.and(stack).map(|_| ())
    }

    /// The cell of blocks of this size and stack.
    fn cell(&mut self, size: u64, stack: u64) -> Option<u32> {
        let key = (u32::try_from(stack).unwrap_or(u32::MAX), size);
        if let Some(&cell) = self.cells.get(&key) {
            return Some(cell);
        }
        let row = self.row(size, stack)?;
        if !self.has_room(self.events.n_cells(), MOST_ALLOCATIONS) {
            return None;
        }
        let cell = self.events.add_blocks(Some((row, size)));
        self.cells.insert(key, cell);
        Some(cell)
    }

    fn allocate_block(&mut self, mut words: Words<'_>) -> Option<()> {
        let (size, stack, address) = (words.number()?, words.number()?, words.number()?);
        let size = self.size(size);
        let Some(cell) = self.cell(size, stack) else { return Some(()) };
        if let Some(before) = self.blocks.insert(address, cell) {
            self.problems.add(Problem::StillInUse, self.line);
            self.events.add_block(before, address, true);
        }
        self.events.add_block(cell, address, false);
        Some(())
    }

    /// Blocks that are unknown were allocated before the recording began.
    fn free_block(&mut self, address: u64) {
        if let Some(cell) = self.blocks.remove(&address) {
            self.events.add_block(cell, address, true);
        }
    }

    fn set_program(&mut self, mut words: Words<'_>) -> Option<()> {
        if !self.modules.program.is_empty() {
            self.problems.add(Problem::SecondProgram, self.line);
            self.is_over = true;
            return Some(());
        }
        (self.is_raw, self.is_numbered) = (true, false);
        let path = if self.version.file >= 3 { words.text_of_length()? } else { words.text() };
        self.modules.program = String::from_utf8_lossy(path).into_owned();
        Some(())
    }

    fn add_module(&mut self, mut words: Words<'_>) -> Option<()> {
        (self.is_raw, self.is_numbered) = (true, false);
        let path = if self.version.file >= 3 { words.text_of_length()? } else { words.word()? };
        if path == b"-" && words.is_at_end() {
            self.modules.clear();
            return Some(());
        }
        self.modules.add(path, words, &mut self.builder)
    }

    /// The profile, and warnings. `odd`: the warning about the source of the text; `last`: its last line if that has no end.
    pub(super) fn finish(mut self, odd: Option<WarningKind>, last: &[u8]) -> (Profile, Vec<Warning>) {
        if self.is_numbered && matches!(last, [b'+' | b'-', b' ', _, ..]) {
            // An event, though its number may be longer: heaptrack counts it as well.
            self.line += 1;
            self.read_line(last);
        }
        let Reader { mut builder, events, stacks, stack_of_row, mut run, .. } = self;
        let at = events.time();
        let cut = |container: &'static str| WarningKind::CutRecording { container, at_millis: at / 1_000_000 };
        let odd = match odd {
            Some(WarningKind::CutContainer { container }) => Some(cut(container)),
            None if !last.is_empty() => Some(cut("")),
            other => other,
        };
        let mut warnings: Vec<Warning> = odd.into_iter().map(|kind| Warning { format: NAME, kind, at: None }).collect();
        warnings.extend(self.problems.warnings());

        run.is_temporary_exact = !self.is_numbered;
        let mut sizes = Sizes::default();
        events.sizes().for_each(|(size, n)| sizes.add(size, n));
        run.sizes = sizes.into_list();
        builder.bound_by_input(self.length);
        builder.meta().drop_frames = DROPPED.to_owned();
        let mut n_left = MOST_LOCATIONS.min(FREE_LOCATIONS + self.length);
        let mut n_cut = 0;
        let stack = |row: u32, out: &mut Vec<LocationId>| {
            let mut number = stack_of_row[row as usize];
            while let Some(stack) = (number as usize).checked_sub(1).and_then(|at| stacks.get(at)) {
                if out.len() >= DEEPEST.min(n_left) {
                    n_cut += 1;
                    break;
                }
                out.extend(stack.location);
                number = stack.caller;
            }
            n_left -= out.len();
        };
        let profile = events::into_profile(events, builder, stack, run);
        if n_cut > 0 {
            warnings.push(Warning { format: NAME, kind: WarningKind::CutCallers { rows: n_cut }, at: None });
        }
        (profile, warnings)
    }
}
