//! Lambdas, unnamed types, and template parameters declared by lambdas.

use super::Parser;
use crate::demangle::itanium::ast::{Node, NodeId};

impl Parser<'_> {
    pub(super) fn lambda(&mut self) -> Option<NodeId> {
        self.eat_all(b"Ul").then_some(())?;
        let level = std::mem::replace(&mut self.lambda_level, self.templates.len() + 1);
        let depth = self.templates.len();
        let mut params = Vec::new();
        let mut own = None;
        while self.peek() == Some(b'T') {
            let Some((param, value)) = self.param_declaration()? else { break };
            params.push(param);
            own = Some(self.declare(own, value)?);
        }
        let params = self.ast.list(&params)?;
        let params_need = if self.peek() == Some(b'Q') { Some(self.constraint()?) } else { None };
        let args = self.parameters(false)?;
        self.lambda_level = level;
        self.templates.truncate(depth);
        let needs = if self.peek() == Some(b'Q') { Some(self.constraint()?) } else { None };
        self.need(b'E')?;
        let number = self.compact_number()?;
        self.add(Node::Lambda { params, params_need, args, needs, number })
    }

    /// Adds a parameter to the template that a generic lambda is; the first one creates the template.
    fn declare(&mut self, template: Option<NodeId>, value: NodeId) -> Option<NodeId> {
        let Some(template) = template else {
            let args = self.ast.list(&[value])?;
            let name = self.name_node("")?;
            let template = self.add(Node::Template { name, args })?;
            self.templates.push(Some(template));
            return Some(template);
        };
        if let Node::Template { name, args } = self.ast[template] {
            let mut values = self.ast.items(args).to_vec();
            values.push(value);
            let args = self.ast.list(&values)?;
            self.ast.set(template, Node::Template { name, args });
        }
        Some(template)
    }

    /// A template parameter and the name it has inside; `None` inside of `Some` when
    /// there is none here.
    #[expect(clippy::option_option)]
    pub(super) fn param_declaration(&mut self) -> Option<Option<(NodeId, NodeId)>> {
        if !matches!(self.peek_at(1), Some(b'y' | b'k' | b'n' | b't' | b'p')) {
            return Some(None);
        }
        self.deeper(Self::declared_param).map(Some)
    }

    fn declared_param(&mut self) -> Option<(NodeId, NodeId)> {
        self.need(b'T')?;
        match self.next()? {
            b'y' => {
                let name = self.param_name("$T", 0)?;
                Some((self.add(Node::TypeParam(name))?, name))
            }
            b'k' => {
                let before = std::mem::replace(&mut self.in_constraint, true);
                let concept = self.name();
                self.in_constraint = before;
                let (concept, _) = concept?;
                let name = self.param_name("$T", 0)?;
                Some((self.add(Node::ConceptParam { name, concept })?, name))
            }
            b'n' => {
                let name = self.param_name("$N", 1)?;
                let ty = self.ty()?;
                Some((self.add(Node::ValueParam { name, ty })?, name))
            }
            b't' => self.template_template_param(),
            b'p' => {
                let (param, name) = self.param_declaration()??;
                Some((self.add(Node::ParamPack(param))?, name))
            }
            _ => None,
        }
    }

    fn template_template_param(&mut self) -> Option<(NodeId, NodeId)> {
        let name = self.param_name("$TT", 2)?;
        let depth = self.templates.len();
        let mut params = Vec::new();
        let mut own = None;
        let mut needs = None;
        while !self.eat(b'E') {
            let (param, value) = self.param_declaration()??;
            params.push(param);
            own = Some(self.declare(own, value)?);
            if self.peek() == Some(b'Q') {
                needs = Some(self.constraint()?);
                self.need(b'E')?;
                break;
            }
        }
        self.templates.truncate(depth);
        let params = self.ast.list(&params)?;
        Some((self.add(Node::TemplateParam { name, params, needs })?, name))
    }

    fn param_name(&mut self, prefix: &'static str, kind: usize) -> Option<NodeId> {
        let index = self.declared[kind];
        self.declared[kind] += 1;
        self.add(Node::ParamName { prefix, index })
    }

    pub(super) fn unnamed_type(&mut self) -> Option<NodeId> {
        self.eat_all(b"Ut").then_some(())?;
        let number = self.compact_number()?;
        let unnamed = self.add(Node::Unnamed(number))?;
        self.subs.push(unnamed);
        Some(unnamed)
    }
}
