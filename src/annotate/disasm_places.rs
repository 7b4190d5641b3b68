//! Source places of instructions: function, file and line, like those pprof reads from objdump's `--line-numbers`.

use crate::base::hash::HashMap;
use crate::demangle::Budget;
use crate::report::{CodeCall, CodePlace, SampledAddress};
use crate::symbolize::Frame;
use crate::symbolize::code::full_name;

/// Looks places up; remembers names.
#[derive(Default)]
pub(super) struct Lines {
    /// Mangled name → display name.
    known: HashMap<String, String>,
    budget: Budget,
}

/// The places of one routine's instructions.
pub(super) struct Places {
    /// Instruction → its place.
    of: Vec<CodePlace>,
    /// Places that were given out, each once, and their numbers.
    kept: Vec<CodePlace>,
    number: HashMap<(String, String, i64), Vec<usize>>,
}

impl Lines {
    /// The places of one routine's instructions, by the frames at each.
    pub(super) fn of<'f>(&mut self, chains: impl Iterator<Item = &'f [Frame]>) -> Places {
        let mut of: Vec<CodePlace> = Vec::new();
        for chain in chains {
            let mut place = self.place(chain);
            // Code without a line, such as padding between functions, belongs to the line before.
            if let Some(before) = of.last() {
                if place.function.is_empty() {
                    place.function.clone_from(&before.function);
                }
                if place.file.is_empty() || place.line == 0 {
                    place.file.clone_from(&before.file);
                    place.line = before.line;
                }
            }
            of.push(place);
        }
        Places { of, kept: Vec::new(), number: HashMap::default() }
    }

    fn place(&mut self, chain: &[Frame]) -> CodePlace {
        let (Some(inner), Some(outer)) = (chain.first(), chain.last()) else { return CodePlace::default() };
        let line = |frame: &Frame| i64::try_from(frame.line).unwrap_or(0);
        let function = self.name(&outer.name);
        let inlined = match chain.len() {
            1 => Vec::new(),
            _ => chain.iter().map(|f| CodeCall { function: self.name(&f.name), file: f.file.to_string(), line: line(f) }).collect(),
        };
        CodePlace { function, file: inner.file.to_string(), line: line(inner), inlined }
    }

    fn name(&mut self, mangled: &str) -> String {
        if let Some(name) = self.known.get(mangled) {
            return name.clone();
        }
        let name = full_name(mangled, &mut self.budget);
        self.known.insert(mangled.to_owned(), name.clone());
        name
    }
}

impl Places {
    /// The number of an instruction's place; what the file does not know, the samples may.
    pub(super) fn at<'a>(&mut self, instruction: usize, samples: impl Iterator<Item = &'a SampledAddress>) -> usize {
        let mut place = self.of.get(instruction).cloned().unwrap_or_default();
        for sample in samples {
            if place.file.is_empty() {
                place.file.clone_from(&sample.file);
            }
            if place.line == 0 {
                place.line = sample.line;
            }
            if place.function.is_empty() {
                place.function.clone_from(&sample.function);
            }
        }
        let key = (place.function.clone(), place.file.clone(), place.line);
        let numbers = self.number.entry(key).or_default();
        if let Some(&number) = numbers.iter().find(|&&n| self.kept[n] == place) {
            return number;
        }
        let number = self.kept.len();
        numbers.push(number);
        self.kept.push(place);
        number
    }

    /// Every place that was given out, by number.
    pub(super) fn finish(self) -> Vec<CodePlace> {
        self.kept
    }
}
