//! Interpreter for line programs (DWARF 5, section 6.2). Several times faster than gimli's, against which it is tested.

use gimli::{LineProgramHeader, Reader, RunTimeEndian};

use super::gimli_reader::Window;
use crate::symbolize::read::numbers;

/// The place of an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    /// Index into the program's files.
    pub(super) file: u64,
    /// From 1; 0: the compiler made the code up.
    pub(super) line: u64,
    /// From 1; 0: unknown.
    pub(super) column: u64,
}

impl Row {
    /// Initial row of a sequence.
    const FIRST: Row = Row { file: 1, line: 1, column: 0 };
}

/// Output of a line program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// From this address on.
    Row(u64, Row),
    /// A sequence ends before this address; 0: the linker dropped its end.
    End(u64),
}

/// Runs the program of a unit; nothing is kept but what [`Row`] has.
pub(super) struct Machine<'b> {
    bytes: &'b [u8],
    little_endian: bool,
    /// Largest address; it and the one before mark code that the linker dropped.
    last: u64,
    /// Code before it was dropped as well.
    lowest: u64,
    min_length: u64,
    line_base: i64,
    line_range: u8,
    opcode_base: u8,
    /// Number of operands of each standard opcode, from opcode 1.
    lengths: Vec<u8>,
    address: u64,
    row: Row,
    /// The linker dropped this code.
    is_dropped: bool,
    /// The first row of this sequence is below the lowest address of code.
    is_null: Option<bool>,
}

impl<'b> Machine<'b> {
    /// `None` for processors that do several operations in an instruction.
    pub(super) fn of(header: &LineProgramHeader<Window<'_>>, bytes: &'b [u8], lowest: u64) -> Option<Self> {
        if header.maximum_operations_per_instruction() > 1 || header.line_range() == 0 {
            return None;
        }
        let encoding = header.encoding();
        let bits = u32::from(encoding.address_size.min(8)) * 8;
        let machine = Machine {
            bytes,
            little_endian: header.raw_program_buf().endian() == RunTimeEndian::Little,
            last: u64::MAX.checked_shr(64 - bits).unwrap_or(0),
            lowest,
            min_length: header.minimum_instruction_length().into(),
            line_base: header.line_base().into(),
            line_range: header.line_range(),
            opcode_base: header.opcode_base(),
            lengths: header.standard_opcode_lengths().bytes().ok()?.into_owned(),
            address: 0,
            row: Row::FIRST,
            is_dropped: false,
            is_null: None,
        };
        Some(machine)
    }

    /// The next row or end of a sequence; `None` at the end, and where it is damaged.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Event> {
        loop {
            let opcode = self.byte()?;
            let mut is_end = false;
            if opcode >= self.opcode_base {
                let adjusted = opcode - self.opcode_base;
                self.advance(u64::from(adjusted / self.line_range))?;
                self.advance_line(self.line_base + i64::from(adjusted % self.line_range));
            } else if opcode == 0 {
                is_end = self.extended()?;
                if !is_end {
                    continue;
                }
            } else if gimli::DwLns(opcode) != gimli::DW_LNS_copy {
                self.standard(opcode)?;
                continue;
            }
            let (address, row, is_there) = (self.address, self.row, self.is_there());
            if is_end {
                (self.address, self.row, self.is_dropped, self.is_null) = (0, Row::FIRST, false, None);
            }
            match (is_end, is_there) {
                (true, _) => return Some(Event::End(if is_there { address } else { 0 })),
                (false, true) => return Some(Event::Row(address, row)),
                (false, false) => {}
            }
        }
    }

    /// Returns whether the current row belongs to code that the linker kept.
    #[inline]
    fn is_there(&mut self) -> bool {
        !self.is_dropped && !*self.is_null.get_or_insert(self.address < self.lowest)
    }

    fn standard(&mut self, opcode: u8) -> Option<()> {
        match gimli::DwLns(opcode) {
            gimli::DW_LNS_advance_pc => {
                let by = self.uleb()?;
                self.advance(by)?;
            }
            gimli::DW_LNS_advance_line => {
                let by = self.sleb()?;
                self.advance_line(by);
            }
            gimli::DW_LNS_set_file => self.row.file = self.uleb()?,
            gimli::DW_LNS_set_column => self.row.column = self.uleb()?,
            gimli::DW_LNS_const_add_pc => self.advance(u64::from((255 - self.opcode_base) / self.line_range))?,
            gimli::DW_LNS_fixed_advance_pc => {
                let bytes = self.take(2)?;
                let by =
                    if self.little_endian { u16::from_le_bytes([bytes[0], bytes[1]]) } else { u16::from_be_bytes([bytes[0], bytes[1]]) };
                if !self.is_dropped {
                    self.address = self.address.checked_add(by.into()).filter(|to| *to <= self.last)?;
                }
            }
            _ => {
                for _ in 0..self.lengths.get(usize::from(opcode).checked_sub(1)?).copied()? {
                    self.uleb()?;
                }
            }
        }
        Some(())
    }

    /// Returns whether a sequence ends.
    fn extended(&mut self) -> Option<bool> {
        let len = usize::try_from(self.uleb()?).ok()?;
        let mut bytes = self.take(len)?;
        let Some((&kind, rest)) = bytes.split_first() else { return Some(false) };
        bytes = rest;
        match gimli::DwLne(kind) {
            gimli::DW_LNE_end_sequence => return Some(true),
            gimli::DW_LNE_set_address if bytes.len() <= 8 => {
                let to = numbers::fixed(bytes, self.little_endian);
                // Within a sequence addresses do not go back.
                self.is_dropped = to < self.address || to >= self.last.saturating_sub(1);
                if !self.is_dropped {
                    self.address = to;
                }
            }
            _ => {}
        }
        Some(false)
    }

    /// `None` when the address has no room for it.
    #[inline]
    fn advance(&mut self, operations: u64) -> Option<()> {
        if !self.is_dropped {
            self.address = self.address.checked_add(operations.wrapping_mul(self.min_length)).filter(|to| *to <= self.last)?;
        }
        Some(())
    }

    /// Damaged programs may count lines below 0.
    #[inline]
    fn advance_line(&mut self, by: i64) {
        let line = self.row.line;
        self.row.line = if by < 0 { line.saturating_sub(by.unsigned_abs()) } else { line.wrapping_add(by.unsigned_abs()) };
    }

    #[inline]
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(byte)
    }

    fn take(&mut self, len: usize) -> Option<&'b [u8]> {
        let (field, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some(field)
    }

    #[inline]
    fn uleb(&mut self) -> Option<u64> {
        numbers::unsigned(&mut self.bytes)
    }

    #[inline]
    fn sleb(&mut self) -> Option<i64> {
        numbers::signed(&mut self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use gimli::{ColumnType, IncompleteLineProgram};
    use proptest::prelude::*;

    use super::*;
    use crate::symbolize::read::paged::Part;

    /// A program with this header: version 2 to 4, `.debug_line` of one unit.
    fn section(version: u16, opcode_base: u8, line_range: u8, min_length: u8, instructions: &[u8]) -> Vec<u8> {
        let mut header = vec![min_length];
        if version >= 4 {
            header.push(1);
        }
        header.extend([1, (-5i8).cast_unsigned(), line_range, opcode_base]);
        header.extend([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1].iter().take(usize::from(opcode_base) - 1));
        header.extend(b"\0a.rs\0\0\0\0b.rs\0\0\0\0\0");
        let mut unit = version.to_le_bytes().to_vec();
        unit.extend((header.len() as u32).to_le_bytes());
        unit.extend(header);
        unit.extend(instructions);
        [&(unit.len() as u32).to_le_bytes()[..], &unit].concat()
    }

    /// A sequence without its end.
    fn sequence(address_size: u8) -> impl Strategy<Value = Vec<u8>> {
        let set_address = prop_oneof![4 => 0u64..5000, 1 => Just(0), 1 => 0xffff_fff0..=u64::from(u32::MAX), 1 => u64::MAX - 5..=u64::MAX];
        let set_address = set_address.prop_map(move |to| {
            let bytes = to.to_le_bytes();
            [&[0, 1 + address_size, 2], &bytes[..usize::from(address_size)]].concat()
        });
        let number = (prop::collection::vec(0x80u8..=0xff, 0..3), 0u8..0x80).prop_map(|(more, last)| [more, vec![last]].concat());
        let one = prop_oneof![
            6 => (13u8..=255).prop_map(|special| vec![special]),
            2 => set_address,
            1 => Just(vec![1]),
            1 => (2u8..=5, number).prop_map(|(code, number)| [vec![code], number].concat()),
            1 => (6u8..=12).prop_map(|code| vec![code, 3, 1]),
        ];
        prop::collection::vec(one, 0..20).prop_map(|parts| parts.concat())
    }

    fn place(row: &gimli::LineRow) -> Row {
        let column = match row.column() {
            ColumnType::LeftEdge => 0,
            ColumnType::Column(column) => column.get(),
        };
        Row { file: row.file_index(), line: row.line().map_or(0, |line| line.get()), column }
    }

    proptest! {
        #[test]
        fn rows_are_those_that_gimli_reads(
            version in 2u16..=4,
            (address_size, sequences) in prop_oneof![Just(4u8), Just(8u8)].prop_flat_map(|size| (Just(size), prop::collection::vec(sequence(size), 1..5))),
            damage in prop::collection::vec(any::<u8>(), 0..9),
            (opcode_base, line_range, min_length) in (prop_oneof![Just(10u8), Just(13u8)], 1u8..20, prop_oneof![Just(1u8), Just(4u8)]),
        ) {
            let run = |instructions: &[u8], look: &mut dyn FnMut(IncompleteLineProgram<Window<'_>>)| {
                let part = Part::whole(section(version, opcode_base, line_range, min_length, instructions));
                let lines = gimli::DebugLine::from(Window::new(&part, RunTimeEndian::Little));
                look(lines.program(gimli::DebugLineOffset(0), address_size, None, None).unwrap());
            };
            let mut sequences: Vec<Vec<u8>> = sequences.into_iter().map(|s| [s, vec![0, 1, 1]].concat()).collect();
            sequences.push(damage);
            // One by one, since gimli does not report the end of a sequence whose end was dropped.
            let mut expected = Vec::new();
            let mut is_whole = true;
            for instructions in &sequences {
                if !is_whole {
                    break;
                }
                let mut is_null = None;
                run(instructions, &mut |program| {
                    let mut rows = program.rows();
                    while let Some(row) = rows.next_row().transpose() {
                        let Ok((_, row)) = row else { return is_whole = false };
                        let is_end = row.end_sequence();
                        if !*is_null.get_or_insert(row.address() == 0) {
                            expected.push(if is_end { Event::End(row.address()) } else { Event::Row(row.address(), place(row)) });
                        }
                        if is_end {
                            is_null = None;
                        }
                    }
                });
            }
            let mut found = Vec::new();
            run(&sequences.concat(), &mut |program| {
                let bytes = program.header().raw_program_buf().bytes().unwrap();
                let mut machine = Machine::of(program.header(), &bytes, 1).unwrap();
                found.extend(std::iter::from_fn(|| machine.next()).filter(|event| *event != Event::End(0)));
            });
            prop_assert_eq!(found, expected);
        }
    }
}
