//! Parser for the grammar of the Itanium C++ ABI.
//!
//! One file per chapter of the grammar: names, types, templates, expressions, lambdas; this file has the shared state and the
//! symbol as a whole. All functions return `None` for input that does not follow the grammar.

mod builtin;
mod expr;
mod lambda;
mod name;
mod simplify;
mod special;
mod template;
mod types;
mod unqualified;

use super::ast::{Ast, List, Node, NodeId};

/// Parts inside of each other; symbols of real programs stay below 100.
const MAX_DEPTH: u32 = 512;

pub(super) struct Parser<'a> {
    text: &'a str,
    at: usize,
    pub(super) ast: Ast<'a>,
    /// Substitutions: `S_`, `S0_` ….
    subs: Vec<NodeId>,
    /// Templates whose parameters are in scope; `None` while their arguments are unknown.
    templates: Vec<Option<NodeId>>,
    /// Number of `templates` at the start of the lambda being parsed, plus one; or 0.
    lambda_level: usize,
    in_constraint: bool,
    /// Type, value and template parameters that lambdas have declared.
    declared: [u32; 3],
    depth: u32,
    /// Scopes in expressions are written as g++ does: as types.
    scopes_are_types: bool,
}

impl<'a> Parser<'a> {
    /// `text` is what comes after `_Z`.
    pub(super) fn new(text: &'a str, ast: Ast<'a>, scopes_are_types: bool) -> Self {
        Parser {
            text,
            at: 0,
            ast,
            subs: Vec::new(),
            templates: Vec::new(),
            lambda_level: 0,
            in_constraint: false,
            declared: [0; 3],
            depth: 0,
            scopes_are_types,
        }
    }

    /// Unread input.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn eat_all(&mut self, bytes: &[u8]) -> bool {
        let is_there = self.text.as_bytes()[self.at..].starts_with(bytes);
        self.at += if is_there { bytes.len() } else { 0 };
        is_there
    }

    fn need(&mut self, byte: u8) -> Option<()> {
        self.eat(byte).then_some(())
    }

    fn is_digit(&self) -> bool {
        self.peek().is_some_and(|byte| byte.is_ascii_digit())
    }

    fn digits(&mut self) -> &'a str {
        let rest = self.rest();
        let len = rest.bytes().take_while(u8::is_ascii_digit).count();
        self.at += len;
        &rest[..len]
    }

    /// A number; `n` is its minus.
    fn number(&mut self) -> Option<i32> {
        let is_negative = self.eat(b'n');
        let value: i32 = self.digits().parse().ok()?;
        Some(if is_negative { -value } else { value })
    }

    /// `_` is 0, `0_` is 1.
    fn compact_number(&mut self) -> Option<u32> {
        if self.eat(b'_') {
            return Some(0);
        }
        let value: u32 = self.digits().parse().ok()?;
        self.need(b'_')?;
        value.checked_add(1)
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let done = parse(self);
        self.depth -= 1;
        done
    }

    fn add(&mut self, node: Node<'a>) -> Option<NodeId> {
        self.ast.add(node)
    }

    fn name_node(&mut self, name: &'a str) -> Option<NodeId> {
        self.add(Node::Name(name))
    }

    fn wrapped(&mut self, before: &'static str, what: NodeId, after: &'static str) -> Option<NodeId> {
        self.add(Node::Wrapped { before, what, after })
    }

    fn qualified(&mut self, scope: NodeId, name: NodeId) -> Option<NodeId> {
        self.add(Node::Qualified { scope, name, is_local: false })
    }

    /// Items up to `stop`, which is read, too.
    fn list_until(&mut self, stop: u8, mut item: impl FnMut(&mut Self) -> Option<NodeId>) -> Option<List> {
        let mut items = Vec::new();
        while !self.eat(stop) {
            items.push(item(self)?);
        }
        self.ast.list(&items)
    }

    /// A name with its type if it is a function, or something that is made for another one.
    /// Without parameters the symbol is not read to its end.
    pub(super) fn encoding(&mut self, has_params: bool, encloses: bool) -> Option<NodeId> {
        self.deeper(|p| p.encoding_here(has_params, encloses))
    }

    fn encoding_here(&mut self, has_params: bool, encloses: bool) -> Option<NodeId> {
        if matches!(self.peek()?, b'G' | b'T') {
            return self.special_name();
        }
        let (name, is_this_named) = self.name()?;
        let whole = self.simplify(name)?;
        if has_params && matches!(self.peek(), None | Some(b'E' | b'.')) {
            return Some(whole); // not a function; a suffix of the compiler may follow
        }
        let (mut name, qualifiers) = self.without_qualifiers(whole)?;
        if !has_params {
            return Some(name);
        }
        let template = self.template_of(name);
        let lambda_level = self.lambda_level;
        if template.is_some() {
            self.templates.push(template);
            self.lambda_level = 0;
        }
        let enable_if = if self.eat_all(b"Ua9enable_if") { Some(self.template_args()?) } else { None };
        let ty = self.bare_function_type(self.has_return_type(name), is_this_named)?;
        let mut needs = if self.peek() == Some(b'Q') { Some(self.constraint()?) } else { None };
        if template.is_some() {
            self.templates.pop();
            self.lambda_level = lambda_level;
        }
        let mut ty = self.simplify(ty)?;
        if encloses && let Node::Function { ret, args, .. } = self.ast[ty] {
            ty = self.add(Node::Function { ret, args, encloses: true })?;
        }
        if let Some(Node::Method { qualifiers, reference, .. }) = qualifiers {
            ty = self.add(Node::Method { base: ty, qualifiers, reference })?;
        }
        // The template arguments are resolved after everything else.
        if needs.is_none()
            && let Node::Requires { what, needs: of_name } = self.ast[name]
        {
            (name, needs) = (what, Some(of_name));
        }
        let mut whole = self.add(Node::Typed { name, ty })?;
        if let Some((args, needs)) = enable_if {
            whole = self.add(Node::EnableIf { what: whole, args })?;
            whole = self.constrained(whole, needs)?;
        }
        self.constrained(whole, needs)
    }

    /// Removes the `const` and `&` of a method from its name: they are printed after the parameters.
    fn without_qualifiers(&mut self, name: NodeId) -> Option<(NodeId, Option<Node<'a>>)> {
        let (scope, inner) = match self.ast[name] {
            method @ Node::Method { base, .. } => return Some((base, Some(method))),
            Node::Qualified { scope, name: inner, is_local: true } => (scope, inner),
            _ => return Some((name, None)),
        };
        let (number, inner) = match self.ast[inner] {
            Node::DefaultArg { number, name } => (Some(number), name),
            _ => (None, inner),
        };
        let method @ Node::Method { base, .. } = self.ast[inner] else { return Some((name, None)) };
        let bare = match number {
            Some(number) => self.add(Node::DefaultArg { number, name: base })?,
            None => base,
        };
        Some((self.add(Node::Qualified { scope, name: bare, is_local: true })?, Some(method)))
    }

    /// Template whose parameters are in scope in the types of a function.
    fn template_of(&self, mut name: NodeId) -> Option<NodeId> {
        loop {
            name = match self.ast[name] {
                Node::Template { .. } => return Some(name),
                Node::Qualified { name: inner, is_local, .. } if is_local || matches!(self.ast[inner], Node::Constructor { .. }) => inner,
                // Inherited: the parameters are those of the base.
                Node::Constructor { base: Some(base), .. } | Node::Method { base, .. } => base,
                Node::Requires { what, .. } => what,
                _ => return None,
            };
        }
    }

    fn has_return_type(&self, mut name: NodeId) -> bool {
        loop {
            name = match self.ast[name] {
                Node::Template { name, .. } => return !self.is_nameless(name),
                Node::Qualified { name: inner, is_local: true, .. } => inner,
                Node::Method { base, .. } | Node::Cv { base, .. } => base,
                Node::Requires { what, .. } => what,
                _ => return false,
            };
        }
    }

    /// Constructors, destructors and conversions have no separate return type.
    fn is_nameless(&self, mut name: NodeId) -> bool {
        while let Node::Qualified { name: inner, .. } = self.ast[name] {
            name = inner;
        }
        matches!(self.ast[name], Node::Constructor { .. } | Node::Destructor(_) | Node::Conversion(_))
    }
}
