//! Substitutes template arguments for parameters and simplifies the result: references collapse, qualifiers merge, packs expand.

use super::Parser;
use crate::base::hash::HashMap;
use crate::demangle::itanium::ast::{List, Node, NodeId, Suffix};

type Known = HashMap<NodeId, NodeId>;

impl Parser<'_> {
    pub(super) fn simplify(&mut self, id: NodeId) -> Option<NodeId> {
        self.simplify_in(id, &mut Known::default())
    }

    fn simplify_in(&mut self, id: NodeId, known: &mut Known) -> Option<NodeId> {
        if !self.ast.is_open(id) {
            return Some(id);
        }
        if let Some(&done) = known.get(&id) {
            return Some(done);
        }
        let done = self.deeper(|p| {
            let inner = p.mapped(id, &mut |p, part| p.simplify_in(part, known))?;
            p.simplify_one(inner)
        })?;
        known.insert(id, done);
        Some(done)
    }

    fn simplify_one(&mut self, id: NodeId) -> Option<NodeId> {
        match self.ast[id] {
            Node::Param { index, template: Some(template) } => Some(self.ast.argument(index, template).unwrap_or(id)),
            Node::Method { base, qualifiers, reference } => match self.ast[base] {
                Node::Method { base, qualifiers: inner, reference: inner_reference } => {
                    let qualifiers = self.merged_qualifiers(qualifiers, inner)?;
                    let reference = if reference == "&" || inner_reference.is_empty() { reference } else { inner_reference };
                    self.add(Node::Method { base, qualifiers, reference })
                }
                Node::Cv { base, qualifiers: inner } => {
                    let qualifiers = self.merged_qualifiers(qualifiers, Some(inner))?;
                    self.add(Node::Method { base, qualifiers, reference })
                }
                _ => Some(id),
            },
            Node::Cv { base, qualifiers } => match self.ast[base] {
                Node::Function { .. } => self.add(Node::Method { base, qualifiers: Some(qualifiers), reference: "" }),
                Node::Cv { base, qualifiers: inner } => {
                    let qualifiers = self.merged_qualifiers(Some(qualifiers), Some(inner))??;
                    self.add(Node::Cv { base, qualifiers })
                }
                Node::Method { base, qualifiers: inner, reference } => {
                    let qualifiers = self.merged_qualifiers(Some(qualifiers), inner)?;
                    self.add(Node::Method { base, qualifiers, reference })
                }
                _ => Some(id),
            },
            Node::Suffixed { base, suffix } => match (suffix, self.reference_of(base)) {
                (Suffix::Reference, Some((Suffix::RvalueReference, to))) => self.add(Node::Suffixed { base: to, suffix }),
                (Suffix::Reference | Suffix::RvalueReference, Some(_)) => Some(base),
                _ => Some(id),
            },
            Node::Array { dimension, element } if matches!(self.ast[element], Node::Cv { .. }) => self.array(dimension, element),
            Node::Expansion { base, packs } if !packs.is_empty() => self.expand(base, packs),
            _ => Some(id),
        }
    }

    /// One copy of `base` for each item of the packs.
    fn expand(&mut self, base: NodeId, packs: List) -> Option<NodeId> {
        let packs: Vec<NodeId> = self.ast.items(packs).to_vec();
        let len = packs.first().map_or(0, |&pack| self.pack(pack).len());
        let mut exprs = Vec::new();
        for at in 0..len {
            let mut known: Known = packs.iter().filter_map(|&pack| Some((pack, self.ast.item(self.pack(pack), at)?))).collect();
            let copy = self.replace(base, &mut known)?;
            exprs.push(self.simplify(copy)?);
        }
        let exprs = self.ast.list(&exprs)?;
        self.add(Node::Exprs(exprs))
    }

    fn pack(&self, id: NodeId) -> List {
        match self.ast[id] {
            Node::Pack(items) => items,
            _ => List::default(),
        }
    }

    /// A copy of `id` in which everything known is replaced.
    fn replace(&mut self, id: NodeId, known: &mut Known) -> Option<NodeId> {
        if let Some(&done) = known.get(&id) {
            return Some(done);
        }
        self.ast.spend(1)?;
        let done = match self.ast[id] {
            Node::Expansion { .. } => id,
            _ => self.deeper(|p| p.mapped(id, &mut |p, part| p.replace(part, known)))?,
        };
        known.insert(id, done);
        Some(done)
    }

    /// Each word once, in the order in which they come.
    #[expect(clippy::option_option)]
    pub(super) fn merged_qualifiers(&mut self, outer: Option<NodeId>, inner: Option<NodeId>) -> Option<Option<NodeId>> {
        let (Some(outer), Some(inner)) = (outer, inner) else { return Some(outer.or(inner)) };
        let (Node::Qualifiers(first), Node::Qualifiers(more)) = (self.ast[outer], self.ast[inner]) else { return Some(Some(outer)) };
        let mut all = self.ast.items(first).to_vec();
        for &id in self.ast.items(more) {
            let is_new = match self.ast[id] {
                Node::Qualifier { word, exprs } if exprs.is_empty() => !all
                    .iter()
                    .any(|&id| matches!(self.ast[id], Node::Qualifier { word: before, exprs } if before == word && exprs.is_empty())),
                _ => true,
            };
            if is_new {
                all.push(id);
            }
        }
        let all = self.ast.list(&all)?;
        self.add(Node::Qualifiers(all)).map(Some)
    }
}
