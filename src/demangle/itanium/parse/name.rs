//! Names with their scopes: nested, local, template.

use super::Parser;
use crate::demangle::itanium::ast::{List, Node, NodeId};

impl<'a> Parser<'a> {
    /// A name, and whether `this` is among the parameters (C++23).
    pub(super) fn name(&mut self) -> Option<(NodeId, bool)> {
        self.deeper(Self::name_here)
    }

    fn name_here(&mut self) -> Option<(NodeId, bool)> {
        let mut module = None;
        let mut is_sub = false;
        let name = match self.peek()? {
            b'N' => return self.nested_name(),
            b'Z' => return self.local_name(),
            b'S' if self.peek_at(1) == Some(b't') => {
                self.at += 2;
                let (name, conversion) = self.unqualified_name(None)?;
                let std = self.name_node("std")?;
                Some((self.qualified(std, name)?, conversion))
            }
            b'S' => {
                let sub = self.substitution(false)?;
                if matches!(self.ast[sub], Node::Module { .. }) {
                    module = Some(sub);
                    None
                } else {
                    is_sub = true;
                    Some((sub, None))
                }
            }
            _ => None,
        };
        let (mut name, conversion) = match name {
            Some(name) => name,
            None => self.unqualified_name(module)?,
        };
        let mut needs = None;
        let mut template = None;
        if self.peek() == Some(b'I') {
            if !is_sub {
                self.subs.push(name);
            }
            let args;
            (args, needs) = self.template_args()?;
            name = self.add(Node::Template { name, args })?;
            template = Some(name);
        }
        if let Some(conversion) = conversion {
            self.bind(conversion, template)?;
        }
        Some((self.constrained(name, needs)?, false))
    }

    fn nested_name(&mut self) -> Option<(NodeId, bool)> {
        self.need(b'N')?;
        let is_this_named = self.eat(b'H');
        let (qualifiers, reference) = if is_this_named { (None, "") } else { (self.cv_qualifiers()?, self.ref_qualifier()) };
        let mut name = self.prefix()?;
        if qualifiers.is_some() || !reference.is_empty() {
            name = self.add(Node::Method { base: name, qualifiers, reference })?;
        }
        self.need(b'E')?;
        Some((name, is_this_named))
    }

    /// Scopes and the name in them, up to the `E`.
    fn prefix(&mut self) -> Option<NodeId> {
        let mut whole: Option<NodeId> = None;
        // For constructors and destructors.
        let mut last: Option<NodeId> = None;
        let mut module = None;
        let mut conversion = None;
        loop {
            let start = self.peek()?;
            let next = match start {
                b'C' => {
                    self.at += 1;
                    let inherits = self.eat(b'I');
                    self.next()?; // complete, base, allocating
                    let name = self.innermost(last?);
                    let base = if inherits { Some(self.ty()?) } else { None };
                    let constructor = self.add(Node::Constructor { name, base })?;
                    self.tagged(constructor)?
                }
                b'D' if matches!(self.peek_at(1), Some(b'T' | b't')) => self.ty()?,
                b'D' if self.peek_at(1) != Some(b'C') => {
                    self.at += 1;
                    self.next()?;
                    let name = self.innermost(last?);
                    let destructor = self.add(Node::Destructor(name))?;
                    self.tagged(destructor)?
                }
                b'S' => {
                    let sub = self.substitution(true)?;
                    if matches!(self.ast[sub], Node::Module { .. }) {
                        module = Some(sub);
                        continue;
                    }
                    sub
                }
                b'I' | b'J' => {
                    // clang has been seen to leave the `I` out before a pack.
                    let (args, needs) = if start == b'I' { self.template_args()? } else { (self.args_until_end()?, None) };
                    let template = self.add(Node::Template { name: whole.take()?, args })?;
                    if let Some(conversion) = conversion.take() {
                        self.bind(conversion, Some(template))?;
                    }
                    self.constrained(template, needs)?
                }
                b'T' => self.template_param()?,
                b'E' => {
                    if let Some(conversion) = conversion {
                        let template = match self.ast[conversion] {
                            Node::Conversion(to) if matches!(self.ast[to], Node::Template { .. }) => Some(to),
                            _ => None,
                        };
                        self.bind(conversion, template)?;
                    }
                    return whole;
                }
                // The variable before is the scope of a lambda.
                b'M' => {
                    whole?;
                    self.at += 1;
                    continue;
                }
                _ => {
                    let (name, is_conversion) = self.unqualified_name(module.take())?;
                    conversion = is_conversion.or(conversion);
                    name
                }
            };
            last = Some(next);
            let name = match whole {
                Some(scope) => self.qualified(scope, next)?,
                None => next,
            };
            whole = Some(name);
            if start != b'S' && self.peek() != Some(b'E') {
                self.subs.push(name);
            }
        }
    }

    pub(super) fn args_until_end(&mut self) -> Option<List> {
        self.list_until(b'E', |p| p.template_arg(&[]))
    }

    /// The name itself of a template or something in a scope.
    fn innermost(&self, mut name: NodeId) -> NodeId {
        while let Node::Template { name: inner, .. } | Node::Qualified { name: inner, .. } | Node::Tagged { name: inner, .. } =
            self.ast[name]
        {
            name = inner;
        }
        name
    }

    fn local_name(&mut self) -> Option<(NodeId, bool)> {
        self.need(b'Z')?;
        let scope = self.encoding(true, true)?;
        self.need(b'E')?;
        let (name, is_this_named) = if self.eat(b's') {
            let name = self.name_node("string literal")?;
            self.discriminator()?;
            (name, false)
        } else {
            let number = if self.eat(b'd') { Some(self.compact_number()?) } else { None };
            let (mut name, is_this_named) = self.name()?;
            self.discriminator()?;
            if let Some(number) = number {
                name = self.add(Node::DefaultArg { number, name })?;
            }
            (name, is_this_named)
        };
        Some((self.add(Node::Qualified { scope, name, is_local: true })?, is_this_named))
    }

    /// Number of a local entity among those of the same name; not printed.
    pub(super) fn discriminator(&mut self) -> Option<()> {
        if self.peek() == Some(b'_') && !matches!(self.peek_at(1), Some(b'_' | b'0'..=b'9')) {
            return Some(()); // the end of a reference temporary
        }
        if self.eat(b'_') {
            let is_long = self.eat(b'_');
            if self.number().filter(|&number| number >= 0)? >= 10 && is_long {
                self.need(b'_')?;
            }
        } else if self.rest().bytes().all(|byte| byte.is_ascii_digit()) {
            // clang leaves the underscore out at the end.
            self.at = self.text.len();
        }
        Some(())
    }

    /// The modules before a name, inside of `parent`.
    pub(super) fn module_name(&mut self, parent: Option<NodeId>) -> Option<Option<NodeId>> {
        let mut module = parent;
        while self.eat(b'W') {
            let is_partition = self.eat(b'P');
            let name = self.source_name()?;
            let inner = self.add(Node::Module { parent: module, name, is_partition })?;
            self.subs.push(inner);
            module = Some(inner);
        }
        Some(module)
    }

    pub(super) fn constrained(&mut self, what: NodeId, needs: Option<NodeId>) -> Option<NodeId> {
        match needs {
            Some(needs) => self.add(Node::Requires { what, needs }),
            None => Some(what),
        }
    }

    /// `S_`, `S0_` …, and abbreviations of the standard library. Before a constructor or a
    /// destructor (`in_prefix`) those are the long name.
    pub(super) fn substitution(&mut self, in_prefix: bool) -> Option<NodeId> {
        self.need(b'S')?;
        let code = self.next()?;
        if code == b'_' || code.is_ascii_digit() || code.is_ascii_uppercase() {
            self.at -= 1;
            let at = self.sequence_number()?;
            let sub = *self.subs.get(at)?;
            return self.rebind(sub);
        }
        let is_long = in_prefix && matches!(self.peek(), Some(b'C' | b'D'));
        let name = match code {
            b't' => self.name_node("std")?,
            b'a' => self.std("allocator")?,
            b'b' => self.std("basic_string")?,
            b's' if is_long => self.std_of_char("basic_string", &["char_traits", "allocator"])?,
            b'i' if is_long => self.std_of_char("basic_istream", &["char_traits"])?,
            b'o' if is_long => self.std_of_char("basic_ostream", &["char_traits"])?,
            b'd' if is_long => self.std_of_char("basic_iostream", &["char_traits"])?,
            b's' => self.std("string")?,
            b'i' => self.std("istream")?,
            b'o' => self.std("ostream")?,
            b'd' => self.std("iostream")?,
            _ => return None,
        };
        if self.peek() != Some(b'B') {
            return Some(name);
        }
        let tagged = self.tagged(name)?;
        self.subs.push(tagged);
        Some(tagged)
    }

    /// In base 36, one less than it represents; `_` alone is 0.
    fn sequence_number(&mut self) -> Option<usize> {
        let mut number = 0usize;
        if self.eat(b'_') {
            return Some(0);
        }
        loop {
            let digit = match self.next()? {
                b'_' => return number.checked_add(1),
                byte @ b'0'..=b'9' => byte - b'0',
                byte @ b'A'..=b'Z' => byte - b'A' + 10,
                _ => return None,
            };
            number = number.checked_mul(36)?.checked_add(usize::from(digit))?;
        }
    }

    fn std(&mut self, name: &'a str) -> Option<NodeId> {
        let std = self.name_node("std")?;
        let name = self.name_node(name)?;
        self.qualified(std, name)
    }

    /// `std::name<char, std::helper<char> …>`
    fn std_of_char(&mut self, name: &'a str, helpers: &[&'a str]) -> Option<NodeId> {
        let mut args = vec![self.add(Node::Builtin("char"))?];
        for helper in helpers {
            let of_char = self.ast.list(&args[..1])?;
            let name = self.std(helper)?;
            args.push(self.add(Node::Template { name, args: of_char })?);
        }
        let args = self.ast.list(&args)?;
        let name = self.std(name)?;
        self.add(Node::Template { name, args })
    }
}
