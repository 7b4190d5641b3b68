//! Types, and functions with their parameters.

use super::{Done, Printer};
use crate::demangle::itanium::ast::{List, Node, NodeId, Suffix};

impl Printer<'_> {
    pub(super) fn print_type(&mut self, id: NodeId) -> Done {
        match self.ast[id] {
            Node::Typed { name, ty } => {
                let before = std::mem::replace(&mut self.inner, vec![id]);
                self.print(ty)?;
                if !self.inner.is_empty() {
                    self.put(" ")?;
                    self.print(name)?;
                }
                self.inner = before;
                Some(())
            }
            Node::Function { ret, args, encloses } => self.print_function(id, ret.filter(|_| !encloses), args, encloses),
            Node::Qualifiers(list) => {
                for (at, &qualifier) in self.ast.items(list).iter().enumerate() {
                    if at > 0 {
                        self.put(" ")?;
                    }
                    self.print(qualifier)?;
                }
                Some(())
            }
            Node::Qualifier { word, exprs } => {
                self.put(word)?;
                if exprs.is_empty() {
                    return Some(());
                }
                self.put("(")?;
                self.print_nonempty(exprs)?;
                self.put(")")
            }
            Node::Cv { base, .. }
            | Node::Method { base, .. }
            | Node::Suffixed { base, .. }
            | Node::VendorQualified { base, .. }
            | Node::Vector { element: base, .. }
            | Node::Member { member: base, .. } => self.print_around(base, id),
            Node::Array { dimension, element } => {
                self.inner.push(id);
                self.print(element)?;
                if self.inner.pop().is_some() {
                    self.print_dimension(dimension)?;
                }
                Some(())
            }
            Node::Fixed { base, is_accum, is_sat } => {
                self.put(if is_sat { "_Sat " } else { "" })?;
                if !matches!(self.ast[base], Node::Builtin("int")) {
                    self.print(base)?;
                    self.put(" ")?;
                }
                self.put(if is_accum { "_Accum" } else { "_Fract" })
            }
            Node::Float { bits, suffix } => {
                self.put("_Float")?;
                self.put_number(bits)?;
                self.put(suffix)
            }
            Node::Elaborated { kind, ty } => {
                self.put(kind)?;
                self.print(ty)
            }
            _ => None,
        }
    }

    /// Prints `base`, and what `id` adds to it where `base` has the place for it, or after it.
    fn print_around(&mut self, base: NodeId, id: NodeId) -> Done {
        self.inner.push(id);
        self.print(base)?;
        self.print_last_inner()
    }

    /// Prints what a part of a declarator adds to the type inside it.
    fn print_inner_of(&mut self, id: NodeId) -> Done {
        match self.ast[id] {
            Node::Typed { name, .. } | Node::ValueParam { name, .. } | Node::ConceptParam { name, .. } => self.print(name),
            Node::Function { args, encloses, .. } => self.print_params(args, encloses),
            Node::Cv { qualifiers, .. } => {
                self.put(" ")?;
                self.print(qualifiers)
            }
            Node::Method { qualifiers, reference, .. } => {
                if let Some(qualifiers) = qualifiers {
                    self.put(" ")?;
                    self.print(qualifiers)?;
                }
                if reference.is_empty() {
                    return Some(());
                }
                self.put(" ")?;
                self.put(reference)
            }
            Node::Suffixed { suffix, .. } => self.put(match suffix {
                Suffix::Pointer => "*",
                Suffix::Reference => "&",
                Suffix::RvalueReference => "&&",
                Suffix::Complex => " _Complex",
                Suffix::Imaginary => " _Imaginary",
                Suffix::Auto => " auto",
                Suffix::DecltypeAuto => " decltype(auto)",
            }),
            Node::VendorQualified { qualifier, .. } => {
                self.put(" ")?;
                self.print(qualifier)
            }
            Node::Array { dimension, .. } => self.print_dimension(dimension),
            Node::Vector { dimension, .. } => {
                self.put(" __vector(")?;
                self.print(dimension)?;
                self.put(")")
            }
            Node::Member { class, .. } => {
                if !self.ends_with(&['(']) {
                    self.put(" ")?;
                }
                self.print(class)?;
                self.put("::*")
            }
            Node::ParamPack(param) => {
                self.put("...")?;
                match self.ast[param] {
                    Node::ValueParam { name, .. } => self.print(name),
                    _ => Some(()),
                }
            }
            _ => self.print(id),
        }
    }

    fn print_last_inner(&mut self) -> Done {
        match self.inner.pop() {
            Some(id) => self.print_inner_of(id),
            None => Some(()),
        }
    }

    pub(super) fn print_inner(&mut self) -> Done {
        while !self.inner.is_empty() {
            self.print_last_inner()?;
        }
        Some(())
    }

    /// The size of an array after what waits: `(*) [3]`, but `[2][3]`.
    fn print_dimension(&mut self, dimension: NodeId) -> Done {
        let mut space = " ";
        while let Some(&last) = self.inner.last() {
            let (bare, is_bare) = match self.ast[last] {
                Node::Cv { base, .. } => (base, false),
                _ => (last, true),
            };
            if matches!(self.ast[bare], Node::Array { .. }) {
                space = if is_bare { "" } else { space };
                self.print_last_inner()?;
            } else {
                self.put(" (")?;
                self.print_inner()?;
                self.put(")")?;
            }
        }
        self.put(space)?;
        self.put("[")?;
        self.print(dimension)?;
        self.put("]")
    }

    fn print_function(&mut self, id: NodeId, ret: Option<NodeId>, args: List, encloses: bool) -> Done {
        if let Some(ret) = ret {
            self.inner.push(id);
            self.print(ret)?;
            if self.inner.pop().is_none() {
                return Some(()); // all of it stood inside of the returned type
            }
            self.put(" ")?;
        }
        self.print_params(args, encloses)
    }

    /// Prints the pending inner parts and the parameters: `(*) (int)`, `f(int) const`.
    fn print_params(&mut self, args: List, encloses: bool) -> Done {
        let kind = self.inner.iter().rev().find_map(|&id| match self.ast[id] {
            Node::Suffixed { suffix: Suffix::Pointer | Suffix::Reference | Suffix::RvalueReference, .. } => Some(false),
            Node::Cv { .. } | Node::Suffixed { suffix: Suffix::Complex | Suffix::Imaginary, .. } | Node::Member { .. } => Some(true),
            _ => None,
        });
        if let Some(has_space) = kind {
            if (has_space || !self.ends_with(&['(', '*'])) && !self.ends_with(&[' ']) {
                self.put(" ")?;
            }
            self.put("(")?;
        }
        // Qualifiers of the function come after the parameters.
        let mut qualifiers = Vec::new();
        while let Some(id) = self.inner.pop() {
            match self.ast[id] {
                Node::Method { .. } => qualifiers.push(id),
                _ => self.print_inner_of(id)?,
            }
        }
        self.put(if kind.is_some() { ")(" } else { "(" })?;
        if !encloses || self.style.has_enclosing_params {
            self.print_nonempty(args)?;
        }
        self.put(")")?;
        self.inner = qualifiers;
        self.print_inner()
    }
}
