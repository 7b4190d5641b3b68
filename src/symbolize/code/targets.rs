//! Names of addresses in operands: `malloc@plt`, `shop::main+0x12`.

use super::plt;
use super::symbol_name::full_name;
use crate::base::hash::HashMap;
use crate::demangle::Budget;
use crate::symbolize::{Binary, Slot};

/// Names of addresses, each made once.
pub(super) struct Targets<'a> {
    binary: Option<&'a Binary>,
    /// Stubs that call through a slot, by address.
    stubs: Vec<plt::Stub>,
    /// Address of a symbol → its display name.
    known: HashMap<u64, String>,
    budget: Budget,
}

impl<'a> Targets<'a> {
    pub(super) fn new(binary: &'a Binary) -> Self {
        Targets { binary: Some(binary), stubs: plt::stubs(binary), known: HashMap::default(), budget: Budget::default() }
    }

    /// Without a file.
    #[cfg(test)]
    pub(super) fn none() -> Self {
        Targets { binary: None, stubs: Vec::new(), known: HashMap::default(), budget: Budget::default() }
    }

    /// `0x401040 <malloc@plt>`, or the bare number where nothing is known.
    pub(super) fn labelled(&mut self, address: u64) -> String {
        match self.name(address) {
            Some(name) => format!("{address:#x} <{name}>"),
            None => format!("{address:#x}"),
        }
    }

    /// The name of an address, with its distance from the start of the symbol.
    pub(super) fn name(&mut self, address: u64) -> Option<String> {
        let binary = self.binary?;
        if let Some(slot) = binary.slot(address) {
            return Some(match slot {
                Slot::Name(name) => format!("{}@got", full_name(name, &mut self.budget)),
                Slot::Address(held) => format!("{}@got", self.symbol(binary, *held).unwrap_or_else(|| format!("{held:#x}"))),
            });
        }
        self.symbol(binary, address)
    }

    fn symbol(&mut self, binary: &Binary, address: u64) -> Option<String> {
        let region = binary.region(address)?;
        let stub = self.stubs.partition_point(|s| s.address <= address).checked_sub(1).map(|i| &self.stubs[i]);
        let stub = stub.filter(|s| address - s.address < s.size);
        let entry = binary.symbol_before(address);
        let (start, name) = match (stub, entry) {
            (Some(stub), entry) if entry.is_none_or(|e| e.address < stub.address) => (stub.address, stub.name.clone()),
            (_, Some(entry)) => {
                let Targets { known, budget, .. } = self;
                let name = known.entry(entry.address);
                (entry.address, name.or_insert_with(|| full_name(&String::from_utf8_lossy(entry.name), budget)).clone())
            }
            _ if region.is_code && !region.name.is_empty() => (region.range.start, region.name.clone()),
            _ => return None,
        };
        Some(if address == start { name } else { format!("{name}+{:#x}", address - start) })
    }
}
