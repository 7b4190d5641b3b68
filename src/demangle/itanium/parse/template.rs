//! Template arguments and template parameters.

use super::Parser;
use crate::base::hash::HashMap;
use crate::demangle::itanium::ast::{List, Node, NodeId, Slot};

/// Packs that expand in step.
const MAX_PACKS: usize = 16;

impl Parser<'_> {
    /// Arguments with their brackets, and what they must fulfil.
    pub(super) fn template_args(&mut self) -> Option<(List, Option<NodeId>)> {
        self.deeper(Self::template_args_here)
    }

    fn template_args_here(&mut self) -> Option<(List, Option<NodeId>)> {
        if !self.eat(b'I') {
            self.need(b'J')?; // a pack
        }
        let mut args = Vec::new();
        let mut needs = None;
        while !self.eat(b'E') {
            args.push(self.template_arg(&args)?);
            if self.peek() == Some(b'Q') {
                needs = Some(self.constraint()?);
                self.need(b'E')?;
                break;
            }
        }
        Some((self.ast.list(&args)?, needs))
    }

    /// `before`: the arguments before this one.
    pub(super) fn template_arg(&mut self, before: &[NodeId]) -> Option<NodeId> {
        match (self.peek()?, self.peek_at(1)) {
            (b'X', _) => {
                self.at += 1;
                let expr = self.expression()?;
                self.need(b'E')?;
                Some(expr)
            }
            (b'L', _) => self.primary(),
            (b'I' | b'J', _) => {
                let (args, needs) = self.template_args()?;
                let pack = self.add(Node::Pack(args))?;
                self.constrained(pack, needs)
            }
            (b'T', Some(b'y' | b'n' | b't' | b'p' | b'k')) => {
                // The parameter is declared by those before it.
                let args = self.ast.list(before)?;
                let name = self.name_node("")?;
                let template = self.add(Node::Template { name, args })?;
                self.templates.push(Some(template));
                let param = self.param_declaration();
                self.templates.pop();
                let (param, _) = param??;
                let arg = self.template_arg(&[])?;
                self.add(Node::DeclaredArg { param, arg })
            }
            _ => self.ty(),
        }
    }

    /// `name` with the arguments at hand.
    pub(super) fn template(&mut self, name: NodeId) -> Option<NodeId> {
        let (args, needs) = self.template_args()?;
        let template = self.add(Node::Template { name, args })?;
        self.constrained(template, needs)
    }

    pub(super) fn constraint(&mut self) -> Option<NodeId> {
        self.need(b'Q')?;
        let before = std::mem::replace(&mut self.in_constraint, true);
        let constraint = self.expression();
        self.in_constraint = before;
        constraint
    }

    pub(super) fn template_param(&mut self) -> Option<NodeId> {
        let from = self.at;
        self.need(b'T')?;
        let level = if self.eat(b'L') { self.compact_number()? as usize } else { 0 };
        let index = self.compact_number()?;
        if self.in_constraint {
            let label = self.text.get(from..self.at - 1)?;
            return self.name_node(label);
        }
        let is_lambda = self.lambda_level > 0 && level == self.lambda_level - 1;
        match self.templates.get(level) {
            // A conversion operator: its arguments come later.
            Some(None) => self.add(Node::Param { index, template: None }),
            Some(&Some(template)) if self.ast.argument(index, template).is_some() => {
                self.add(Node::Param { index, template: Some(template) })
            }
            // `auto` parameters of lambdas are template parameters.
            _ if is_lambda => self.add(Node::LambdaAuto(index)),
            _ => None,
        }
    }

    /// Gives the parameters in a conversion operator their template; without one there
    /// must be none.
    pub(super) fn bind(&mut self, conversion: NodeId, template: Option<NodeId>) -> Option<()> {
        self.ast.visit(conversion, &mut |ast, id| match ast[id] {
            Node::Param { index, template: None } => {
                ast.argument(index, template?)?;
                ast.set(id, Node::Param { index, template });
                Some(false)
            }
            Node::Param { .. } | Node::Lambda { .. } => Some(false),
            _ => Some(true),
        })
    }

    /// A copy of `sub` in which parameters are those of the template that is current here.
    pub(super) fn rebind(&mut self, sub: NodeId) -> Option<NodeId> {
        if !self.ast.is_open(sub) {
            return Some(sub);
        }
        let current = match self.templates.last() {
            Some(&template) => Current::Template(template),
            // clang refers to the arguments of the template itself.
            None if matches!(self.ast[sub], Node::Template { .. }) => Current::Template(Some(sub)),
            None => Current::Nothing,
        };
        let lambda_level = self.lambda_level;
        let depth = self.templates.len();
        self.rebind_in(sub, &mut Scope { current, lambda_level, depth, known: HashMap::default() })
    }

    fn rebind_in(&mut self, id: NodeId, scope: &mut Scope) -> Option<NodeId> {
        if !self.ast.is_open(id) {
            return Some(id);
        }
        let key = (id, scope.lambda_level, scope.depth);
        if let Some(&known) = scope.known.get(&key) {
            return Some(known);
        }
        let (level, current, depth) = (scope.lambda_level, scope.current, scope.depth);
        let done = match self.ast[id] {
            Node::Param { index, .. } | Node::LambdaAuto(index) => self.rebind_param(id, index, scope)?,
            Node::Expansion { base, .. } => {
                let base = self.deeper(|p| p.rebind_in(base, scope))?;
                self.expansion(base)?
            }
            node => {
                if let Node::Lambda { .. } = node {
                    scope.lambda_level = scope.depth + 1;
                }
                if let Node::Typed { name, .. } = node
                    && let Node::Template { .. } = self.ast[name]
                {
                    (scope.current, scope.lambda_level) = (Current::Template(Some(name)), 0);
                    scope.depth += 1;
                }
                self.deeper(|p| p.mapped(id, &mut |p, part| p.rebind_in(part, scope)))?
            }
        };
        (scope.lambda_level, scope.current, scope.depth) = (level, current, depth);
        scope.known.insert(key, done);
        Some(done)
    }

    fn rebind_param(&mut self, id: NodeId, index: u32, scope: &Scope) -> Option<NodeId> {
        if self.in_constraint {
            return self.add(Node::ParamLabel(index));
        }
        if scope.lambda_level > 0 {
            let is_auto = matches!(self.ast[id], Node::LambdaAuto(_));
            return if is_auto { Some(id) } else { self.add(Node::LambdaAuto(index)) };
        }
        let Current::Template(template) = scope.current else { return None };
        if let Some(template) = template {
            self.ast.argument(index, template)?;
        }
        self.add(Node::Param { index, template })
    }

    /// A node with parts that `change` makes of its parts; itself if none changes.
    pub(super) fn mapped(&mut self, id: NodeId, change: &mut dyn FnMut(&mut Self, NodeId) -> Option<NodeId>) -> Option<NodeId> {
        let mut node = self.ast[id];
        let mut has_changed = false;
        let mut is_ok = Some(());
        let mut one = |p: &mut Self, part: NodeId| {
            let new = if is_ok.is_some() { change(p, part) } else { None };
            is_ok = is_ok.and(new.map(|_| ()));
            has_changed |= new.is_some_and(|new| new != part);
            new.unwrap_or(part)
        };
        node.slots(&mut |slot| match slot {
            Slot::One(part) => *part = one(self, *part),
            Slot::Many(list) => {
                let before = self.ast.items(*list).to_vec();
                let after: Vec<NodeId> = before.iter().map(|&part| one(self, part)).collect();
                if before != after {
                    // An empty list when fuel ends, but then nothing can be added, either.
                    *list = self.ast.list(&after).unwrap_or_default();
                }
            }
        });
        is_ok?;
        if has_changed { self.add(node) } else { Some(id) }
    }

    /// `base...`
    pub(super) fn expansion(&mut self, base: NodeId) -> Option<NodeId> {
        let packs = self.packs_in(base)?;
        let packs = self.ast.list(&packs)?;
        self.add(Node::Expansion { base, packs })
    }

    /// The packs that parameters in `base` represent and that expand with it: all have as
    /// many items as the first one.
    pub(super) fn packs_in(&mut self, base: NodeId) -> Option<Vec<NodeId>> {
        let mut packs = Vec::new();
        let mut len = None;
        self.ast.visit(base, &mut |ast, id| match ast[id] {
            Node::Param { index, template: Some(template) } => {
                if let Some(arg) = ast.argument(index, template)
                    && let Node::Pack(items) = ast[arg]
                    && *len.get_or_insert(items.len()) == items.len()
                    && packs.len() < MAX_PACKS
                    && !packs.contains(&arg)
                {
                    packs.push(arg);
                }
                Some(false)
            }
            // Their contents are independent of it.
            Node::Expansion { .. } | Node::Lambda { .. } | Node::Tagged { .. } | Node::Fixed { .. } | Node::DefaultArg { .. } => {
                Some(false)
            }
            _ => Some(true),
        })?;
        Some(packs)
    }
}

/// The template that parameters in a copy belong to.
#[derive(Clone, Copy)]
enum Current {
    Nothing,
    /// `None`: of a conversion operator, whose arguments come later.
    Template(Option<NodeId>),
}

/// Position of a copy.
struct Scope {
    current: Current,
    lambda_level: usize,
    depth: usize,
    /// By node, lambda level and depth.
    known: HashMap<(NodeId, usize, usize), NodeId>,
}
