//! Special names: vtables, typeinfo, guard variables, thunks.

use super::Parser;
use crate::demangle::itanium::ast::{Node, NodeId};

impl Parser<'_> {
    pub(super) fn special_name(&mut self) -> Option<NodeId> {
        match (self.next()?, self.next()?) {
            (b'T', b'V') => self.of_type("vtable for "),
            (b'T', b'T') => self.of_type("VTT for "),
            (b'T', b'I') => self.of_type("typeinfo for "),
            (b'T', b'S') => self.of_type("typeinfo name for "),
            (b'T', b'F') => self.of_type("typeinfo fn for "),
            (b'T', b'J') => self.of_type("java Class for "),
            (b'T', b'A') => {
                let arg = self.template_arg(&[])?;
                self.wrapped("template parameter object for ", arg, "")
            }
            (b'T', b'h') => {
                self.at -= 1;
                self.call_offset()?;
                self.of_encoding("non-virtual thunk to ")
            }
            (b'T', b'v') => {
                self.at -= 1;
                self.call_offset()?;
                self.of_encoding("virtual thunk to ")
            }
            (b'T', b'c') => {
                self.call_offset()?;
                self.call_offset()?;
                self.of_encoding("covariant return thunk to ")
            }
            (b'T', b'C') => {
                let derived = self.ty()?;
                if self.number()? < 0 {
                    return None;
                }
                self.need(b'_')?;
                let base = self.ty()?;
                let before = "construction vtable for ";
                self.add(Node::Pair { before, first: base, between: "-in-", second: derived, after: "" })
            }
            (b'T', b'H') => self.of_name("TLS init function for "),
            (b'T', b'W') => self.of_name("TLS wrapper function for "),
            (b'G', b'V') => self.of_name("guard variable for "),
            (b'G', b'R') => {
                let special = self.of_name("reference temporary for ")?;
                // Its number; the last underscore may be missing.
                while self.peek().is_some_and(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase()) {
                    self.at += 1;
                }
                if self.peek().is_some() {
                    self.need(b'_')?;
                }
                Some(special)
            }
            (b'G', b'A') => self.of_encoding("hidden alias for "),
            (b'G', b'T') => match self.next()? {
                b'n' => self.of_encoding("non-transaction clone for "),
                _ => self.of_encoding("transaction clone for "),
            },
            (b'G', b'I') => {
                let module = self.module_name(None)??;
                self.wrapped("initializer for module ", module, "")
            }
            _ => None,
        }
    }

    fn of_type(&mut self, what: &'static str) -> Option<NodeId> {
        let ty = self.ty()?;
        self.wrapped(what, ty, "")
    }

    fn of_name(&mut self, what: &'static str) -> Option<NodeId> {
        let (name, _) = self.name()?;
        self.wrapped(what, name, "")
    }

    fn of_encoding(&mut self, what: &'static str) -> Option<NodeId> {
        let encoding = self.encoding(true, false)?;
        self.wrapped(what, encoding, "")
    }

    /// Adjustment of `this`; not printed.
    fn call_offset(&mut self) -> Option<()> {
        match self.next()? {
            b'h' => {}
            b'v' => {
                self.number()?;
                self.need(b'_')?;
            }
            _ => return None,
        }
        self.number()?;
        self.need(b'_')
    }
}
