//! Names without scope: identifiers, operators, tags.

use super::Parser;
use crate::demangle::itanium::ast::{Node, NodeId};
use crate::demangle::itanium::operators::operator;

impl<'a> Parser<'a> {
    /// A name, and the conversion operator in it if it is one: its parameters must be bound.
    pub(super) fn unqualified_name(&mut self, module: Option<NodeId>) -> Option<(NodeId, Option<NodeId>)> {
        let module = self.module_name(module)?;
        let is_friend = self.eat(b'F');
        let mut conversion = None;
        let mut name = match (self.peek()?, self.peek_at(1)) {
            (b'0'..=b'9', _) => self.source_name()?,
            (b'a'..=b'z', _) => {
                let (name, _) = self.operator_name(false)?;
                match self.ast[name] {
                    Node::Conversion(_) => conversion = Some(name),
                    Node::Operator(op) if op.text == "operator\"\" " => return self.literal_operator(module).map(|name| (name, None)),
                    _ => {}
                }
                name
            }
            (b'D', Some(b'C')) => {
                self.at += 2;
                let first = self.source_name()?;
                let mut names = vec![first];
                while !self.eat(b'E') {
                    names.push(self.source_name()?);
                }
                let names = self.ast.list(&names)?;
                self.add(Node::Bindings(names))?
            }
            (b'L', _) => {
                self.at += 1;
                let name = self.source_name()?;
                self.discriminator()?;
                name
            }
            (b'U', Some(b'b')) => {
                self.at += 2;
                self.compact_number()?;
                self.name_node("'block-literal'")?
            }
            (b'U', Some(b'l')) => self.lambda()?,
            (b'U', Some(b't')) => self.unnamed_type()?,
            _ => return None,
        };
        name = self.in_module(name, module)?;
        name = self.tagged(name)?;
        if is_friend {
            name = self.wrapped("", name, "[friend]")?;
        }
        Some((name, conversion))
    }

    fn literal_operator(&mut self, module: Option<NodeId>) -> Option<NodeId> {
        let suffix = self.source_name()?;
        let name = self.wrapped("operator\"\" ", suffix, "")?;
        let name = self.in_module(name, module)?;
        self.tagged(name)
    }

    fn in_module(&mut self, name: NodeId, module: Option<NodeId>) -> Option<NodeId> {
        match module {
            Some(module) => self.add(Node::Pair { before: "", first: name, between: "@", second: module, after: "" }),
            None => Some(name),
        }
    }

    /// Tags of the ABI after a name.
    pub(super) fn tagged(&mut self, mut name: NodeId) -> Option<NodeId> {
        while self.eat(b'B') {
            let tag = self.source_name()?;
            name = self.add(Node::Tagged { name, tag })?;
        }
        Some(name)
    }

    pub(super) fn source_text(&mut self) -> Option<&'a str> {
        let len = usize::try_from(self.number()?).ok().filter(|&len| len > 0)?;
        let text = self.rest().get(..len)?;
        self.at += len;
        Some(text)
    }

    pub(super) fn source_name(&mut self) -> Option<NodeId> {
        let text = self.source_text()?;
        // g++'s spelling.
        let is_anonymous = matches!(text.as_bytes().strip_prefix(b"_GLOBAL_"), Some([b'.' | b'_' | b'$', b'N', _, ..]));
        self.name_node(if is_anonymous { "(anonymous namespace)" } else { text })
    }

    /// An operator and the number of its operands. In an expression the type of a cast
    /// belongs to the templates around it, in a name to the operator's own.
    pub(super) fn operator_name(&mut self, in_expression: bool) -> Option<(NodeId, u8)> {
        let code = [self.next()?, self.next()?];
        if let [b'v', digit @ b'0'..=b'9'] = code {
            let name = self.source_text()?;
            return Some((self.add(Node::VendorOperator(name))?, digit - b'0'));
        }
        if code != *b"cv" {
            let op = operator(code)?;
            return Some((self.add(Node::Operator(op))?, op.operands));
        }
        let to = if in_expression {
            self.ty()?
        } else {
            self.templates.push(None);
            let to = self.converted_type();
            self.templates.pop();
            to?
        };
        Some((self.add(Node::Conversion(to))?, 1))
    }
}
