//! Syntax tree of a name, in an arena.
//!
//! Nodes are small and `Copy` and refer to each other by index, so that a substitution shares its node. Creating, copying and
//! visiting a node costs fuel: hostile symbols run out of it and have no name.

use std::ops::Index;

pub(super) use super::id::{List, NodeId};
pub(super) use super::node::{Node, Slot, Suffix};

#[derive(Debug)]
pub(super) struct Ast<'a> {
    nodes: Vec<Node<'a>>,
    /// Whether the node contains something that depends on its context.
    is_open: Vec<bool>,
    pool: Vec<NodeId>,
    fuel: u32,
}

impl<'a> Ast<'a> {
    pub(super) fn new(fuel: u32) -> Self {
        Ast { nodes: Vec::new(), is_open: Vec::new(), pool: Vec::new(), fuel }
    }

    /// Remaining fuel.
    pub(super) fn fuel(&self) -> u32 {
        self.fuel
    }

    /// `None` when too much was done for this symbol.
    pub(super) fn spend(&mut self, fuel: usize) -> Option<()> {
        let left = u32::try_from(fuel).ok().and_then(|fuel| self.fuel.checked_sub(fuel));
        self.fuel = left.unwrap_or(0);
        left.map(drop)
    }

    pub(super) fn add(&mut self, node: Node<'a>) -> Option<NodeId> {
        self.spend(1)?;
        let is_open = match node {
            Node::Param { .. } | Node::LambdaAuto(_) | Node::Expansion { .. } => true,
            Node::Suffixed { base, .. } => self.is_open(base) || matches!(self[base], Node::Suffixed { .. }),
            Node::Cv { base, .. } | Node::Method { base, .. } if self.is_qualified(base) => true,
            Node::Array { element, .. } if self.is_qualified(element) => true,
            _ => self.has_open_part(node),
        };
        let id = NodeId(u32::try_from(self.nodes.len()).ok()?);
        self.nodes.push(node);
        self.is_open.push(is_open);
        Some(id)
    }

    fn is_qualified(&self, id: NodeId) -> bool {
        matches!(self[id], Node::Cv { .. } | Node::Method { .. } | Node::Function { .. })
    }

    fn has_open_part(&self, mut node: Node<'a>) -> bool {
        let mut any = false;
        node.slots(&mut |slot| match slot {
            Slot::One(&mut id) => any |= self.is_open(id),
            Slot::Many(&mut list) => any |= self.items(list).iter().any(|&id| self.is_open(id)),
        });
        any
    }

    /// Returns whether `simplify` and `rebind` have something to do in it.
    pub(super) fn is_open(&self, id: NodeId) -> bool {
        self.is_open[id.index()]
    }

    pub(super) fn set(&mut self, id: NodeId, node: Node<'a>) {
        self.nodes[id.index()] = node;
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn list(&mut self, items: &[NodeId]) -> Option<List> {
        self.spend(items.len())?;
        let list = List { from: u32::try_from(self.pool.len()).ok()?, len: u32::try_from(items.len()).ok()? };
        self.pool.extend_from_slice(items);
        Some(list)
    }

    pub(super) fn items(&self, list: List) -> &[NodeId] {
        let from = list.from as usize;
        &self.pool[from..from + list.len()]
    }

    pub(super) fn item(&self, list: List, at: usize) -> Option<NodeId> {
        self.items(list).get(at).copied()
    }

    /// The arguments of a `Template`.
    pub(super) fn args_of(&self, template: NodeId) -> List {
        match self[template] {
            Node::Template { args, .. } => args,
            _ => List::default(),
        }
    }

    /// Template argument bound to a parameter.
    pub(super) fn argument(&self, index: u32, template: NodeId) -> Option<NodeId> {
        self.item(self.args_of(template), index as usize)
    }

    /// Visits a node and its parts, each once, as long as `go_in` returns true.
    pub(super) fn visit(&mut self, root: NodeId, go_in: &mut dyn FnMut(&mut Self, NodeId) -> Option<bool>) -> Option<()> {
        let mut seen = crate::base::hash::HashSet::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            self.spend(1)?;
            if !go_in(self, id)? {
                continue;
            }
            let mut node = self[id];
            let from = open.len();
            node.slots(&mut |slot| match slot {
                Slot::One(&mut part) => open.push(part),
                Slot::Many(&mut list) => open.extend_from_slice(self.items(list)),
            });
            // The first part comes first.
            open[from..].reverse();
        }
        Some(())
    }
}

impl<'a> Index<NodeId> for Ast<'a> {
    type Output = Node<'a>;

    fn index(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[id.index()]
    }
}
