//! Types.

use super::Parser;
use super::builtin::builtin;
use crate::demangle::itanium::ast::{List, Node, NodeId, Suffix};

/// Qualifiers of one type.
const MAX_QUALIFIERS: usize = 32;

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Option<NodeId> {
        self.deeper(|p| p.ty_here(false))
    }

    /// The type that a conversion operator converts to: template arguments after it may be
    /// the operator's own.
    pub(super) fn converted_type(&mut self) -> Option<NodeId> {
        self.deeper(|p| p.ty_here(true))
    }

    pub(super) fn inner_type(&mut self, is_converted: bool) -> Option<NodeId> {
        self.deeper(|p| p.ty_here(is_converted))
    }

    fn ty_here(&mut self, is_converted: bool) -> Option<NodeId> {
        let qualifiers = self.cv_qualifiers()?;
        if let Some(name) = builtin(self.peek()?) {
            self.at += 1;
            let ty = self.add(Node::Builtin(name))?;
            let Some(qualifiers) = qualifiers else { return Some(ty) };
            let ty = self.add(Node::Cv { base: ty, qualifiers })?;
            self.subs.push(ty);
            return Some(ty);
        }
        // The qualifiers of a function type are part of it.
        let is_method = qualifiers.is_some() && self.peek() == Some(b'F');
        let (ty, can_be_sub) = self.unqualified_type(is_converted)?;
        if can_be_sub && !is_method {
            self.subs.push(ty);
        }
        let Some(qualifiers) = qualifiers else { return Some(ty) };
        let ty = self.with_qualifiers(ty, qualifiers)?;
        self.subs.push(ty);
        Some(ty)
    }

    fn with_qualifiers(&mut self, ty: NodeId, qualifiers: NodeId) -> Option<NodeId> {
        match self.ast[ty] {
            Node::Function { .. } => self.add(Node::Method { base: ty, qualifiers: Some(qualifiers), reference: "" }),
            Node::Method { base, qualifiers: inner, reference } => {
                let qualifiers = self.merged_qualifiers(Some(qualifiers), inner)?;
                self.add(Node::Method { base, qualifiers, reference })
            }
            Node::Cv { base, qualifiers: inner } => {
                let qualifiers = self.merged_qualifiers(Some(qualifiers), Some(inner))??;
                self.add(Node::Cv { base, qualifiers })
            }
            _ => self.add(Node::Cv { base: ty, qualifiers }),
        }
    }

    /// A type, and whether references to it are counted.
    fn unqualified_type(&mut self, is_converted: bool) -> Option<(NodeId, bool)> {
        let ty = match self.peek()? {
            b'u' => self.vendor_type()?,
            b'F' => self.function_type()?,
            b'N' | b'W' | b'Z' | b'0'..=b'9' => self.name()?.0,
            b'A' => self.array_type(is_converted)?,
            b'M' => {
                self.at += 1;
                let class = self.ty()?;
                let member = self.inner_type(is_converted)?;
                self.add(Node::Member { class, member })?
            }
            b'T' => self.param_type(is_converted)?,
            b'S' => return self.substituted_type(is_converted),
            b'O' => self.suffixed(Suffix::RvalueReference, is_converted)?,
            b'P' => self.suffixed(Suffix::Pointer, is_converted)?,
            b'R' => self.suffixed(Suffix::Reference, is_converted)?,
            b'C' => self.suffixed(Suffix::Complex, is_converted)?,
            b'G' => self.suffixed(Suffix::Imaginary, is_converted)?,
            b'U' => match self.peek_at(1)? {
                b'l' => return Some((self.lambda()?, false)),
                b't' => return Some((self.unnamed_type()?, false)),
                _ => {
                    self.at += 1;
                    let mut qualifier = self.source_name()?;
                    if self.peek() == Some(b'I') {
                        qualifier = self.template(qualifier)?;
                    }
                    let base = self.inner_type(is_converted)?;
                    self.add(Node::VendorQualified { qualifier, base })?
                }
            },
            b'D' => return self.d_type(is_converted),
            _ => return None,
        };
        Some((ty, true))
    }

    fn suffixed(&mut self, suffix: Suffix, is_converted: bool) -> Option<NodeId> {
        self.at += 1;
        let base = self.inner_type(is_converted)?;
        self.add(Node::Suffixed { base, suffix })
    }

    fn vendor_type(&mut self) -> Option<NodeId> {
        self.need(b'u')?;
        let name = self.source_name()?;
        if !self.eat(b'I') {
            return Some(name);
        }
        let base = self.ty()?;
        self.need(b'E')?;
        self.add(Node::Pair { before: "", first: name, between: "(", second: base, after: ")" })
    }

    fn param_type(&mut self, is_converted: bool) -> Option<NodeId> {
        let kind = match self.peek_at(1) {
            Some(b's') => "struct ",
            Some(b'u') => "union ",
            Some(b'e') => "enum ",
            _ => "",
        };
        if !kind.is_empty() {
            self.at += 2;
            let (ty, _) = self.name()?;
            return self.add(Node::Elaborated { kind, ty });
        }
        let param = self.template_param()?;
        if self.peek() != Some(b'I') {
            return Some(param);
        }
        if is_converted {
            return self.converted_template(param, true);
        }
        self.subs.push(param);
        self.template(param)
    }

    fn substituted_type(&mut self, is_converted: bool) -> Option<(NodeId, bool)> {
        let from = self.at;
        let code = self.peek_at(1)?;
        if !(code.is_ascii_digit() || code == b'_' || code.is_ascii_uppercase()) {
            let (ty, _) = self.name()?;
            // `Ss` alone is not counted.
            return Some((ty, self.at != from + 2));
        }
        let mut ty = self.substitution(false)?;
        if matches!(self.ast[ty], Node::Module { .. }) {
            ty = self.unqualified_name(Some(ty))?.0;
            self.subs.push(ty);
        }
        if self.peek() != Some(b'I') {
            return Some((ty, false));
        }
        if is_converted && matches!(self.ast[ty], Node::Param { .. }) {
            let template = self.converted_template(ty, false)?;
            return Some((template, template != ty));
        }
        Some((self.template(ty)?, true))
    }

    /// A template parameter with arguments after it in `operator T<…>`: they are its own if
    /// more arguments follow, otherwise they are the operator's.
    fn converted_template(&mut self, param: NodeId, is_new: bool) -> Option<NodeId> {
        let (at, depth, subs, templates) = (self.at, self.depth, self.subs.len(), self.templates.len());
        let (lambda_level, in_constraint, declared) = (self.lambda_level, self.in_constraint, self.declared);
        if let Some((args, needs)) = self.template_args()
            && self.peek() == Some(b'I')
        {
            if is_new {
                self.subs.push(param);
            }
            let template = self.add(Node::Template { name: param, args })?;
            return self.constrained(template, needs);
        }
        (self.at, self.depth) = (at, depth);
        self.subs.truncate(subs);
        self.templates.truncate(templates);
        (self.lambda_level, self.in_constraint, self.declared) = (lambda_level, in_constraint, declared);
        Some(param)
    }

    pub(super) fn vector_type(&mut self, is_converted: bool) -> Option<NodeId> {
        let dimension = if self.eat(b'_') { self.expression()? } else { self.size()? };
        self.need(b'_')?;
        let element = self.inner_type(is_converted)?;
        self.add(Node::Vector { dimension, element })
    }

    fn array_type(&mut self, is_converted: bool) -> Option<NodeId> {
        self.need(b'A')?;
        let dimension = match self.peek()? {
            b'_' => self.name_node("")?,
            b'0'..=b'9' => {
                let digits = self.digits();
                self.name_node(digits)?
            }
            _ => self.expression()?,
        };
        self.need(b'_')?;
        let element = self.inner_type(is_converted)?;
        self.array(dimension, element)
    }

    /// The qualifiers of its elements are those of an array.
    pub(super) fn array(&mut self, dimension: NodeId, element: NodeId) -> Option<NodeId> {
        let Node::Cv { base, qualifiers } = self.ast[element] else { return self.add(Node::Array { dimension, element }) };
        let array = self.add(Node::Array { dimension, element: base })?;
        self.add(Node::Cv { base: array, qualifiers })
    }

    fn function_type(&mut self) -> Option<NodeId> {
        self.need(b'F')?;
        self.eat(b'Y'); // extern "C"
        let mut ty = self.bare_function_type(true, false)?;
        let reference = self.ref_qualifier();
        if !reference.is_empty() {
            ty = self.add(Node::Method { base: ty, qualifiers: None, reference })?;
        }
        self.need(b'E')?;
        Some(ty)
    }

    pub(super) fn bare_function_type(&mut self, has_return_type: bool, is_this_named: bool) -> Option<NodeId> {
        let has_return_type = self.eat(b'J') || has_return_type;
        let ret = if has_return_type { Some(self.ty()?) } else { None };
        let args = self.parameters(is_this_named)?;
        self.add(Node::Function { ret, args, encloses: false })
    }

    /// The types of parameters; `void` alone is none.
    pub(super) fn parameters(&mut self, is_this_named: bool) -> Option<List> {
        let mut types = Vec::new();
        loop {
            match (self.peek(), self.peek_at(1)) {
                (None | Some(b'E' | b'.' | b'Q'), _) => break,
                (Some(b'R' | b'O'), Some(b'E')) => break, // a qualifier of the function
                _ => {}
            }
            let mut ty = self.ty()?;
            if types.is_empty() && is_this_named {
                ty = self.wrapped("this ", ty, "")?;
            }
            types.push(ty);
        }
        match types[..] {
            [] => None,
            [only] if matches!(self.ast[only], Node::Builtin("void")) => Some(List::default()),
            _ => self.ast.list(&types),
        }
    }

    /// `const` and so on, in the order in which they are printed.
    #[expect(clippy::option_option)]
    pub(super) fn cv_qualifiers(&mut self) -> Option<Option<NodeId>> {
        let mut all = Vec::new();
        loop {
            let (word, exprs) = match (self.peek(), self.peek_at(1)) {
                (Some(b'r'), _) => ("restrict", None),
                (Some(b'V'), _) => ("volatile", None),
                (Some(b'K'), _) => ("const", None),
                (Some(b'D'), Some(b'x')) => ("transaction_safe", None),
                (Some(b'D'), Some(b'o')) => ("noexcept", None),
                (Some(b'D'), Some(b'O')) => {
                    self.at += 2;
                    let expr = self.expression()?;
                    self.need(b'E')?;
                    ("noexcept", Some(self.ast.list(&[expr])?))
                }
                (Some(b'D'), Some(b'w')) => {
                    self.at += 2;
                    let types = self.parameters(false)?;
                    self.need(b'E')?;
                    ("throw", Some(types))
                }
                _ => break,
            };
            if exprs.is_none() {
                self.at += if self.peek() == Some(b'D') { 2 } else { 1 };
            }
            all.push(self.add(Node::Qualifier { word, exprs: exprs.unwrap_or_default() })?);
            if all.len() > MAX_QUALIFIERS {
                return None;
            }
        }
        if all.is_empty() {
            return Some(None);
        }
        all.reverse();
        let all = self.ast.list(&all)?;
        self.add(Node::Qualifiers(all)).map(Some)
    }

    pub(super) fn ref_qualifier(&mut self) -> &'static str {
        if self.eat(b'R') {
            "&"
        } else if self.eat(b'O') {
            "&&"
        } else {
            ""
        }
    }
}
