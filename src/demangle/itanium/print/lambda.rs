//! Lambdas and the template parameters they declare.

use super::{Done, Printer};
use crate::demangle::itanium::ast::{List, Node, NodeId};

impl Printer<'_> {
    /// `<typename $T0>(int) requires …`
    pub(super) fn print_lambda_types(&mut self, id: NodeId) -> Done {
        let Node::Lambda { params, params_need, args, needs, .. } = self.ast[id] else { return None };
        if !params.is_empty() {
            self.put("<")?;
            self.print_list(params)?;
            self.put(">")?;
        }
        if let Some(needs) = params_need {
            self.put(" requires ")?;
            self.print(needs)?;
            self.put(" ")?;
        }
        self.put("(")?;
        self.print_list(args)?;
        self.put(")")?;
        if let Some(needs) = needs {
            self.put(" requires ")?;
            self.print(needs)?;
        }
        Some(())
    }

    pub(super) fn print_param(&mut self, id: NodeId) -> Done {
        match self.ast[id] {
            Node::TypeParam(name) => {
                self.put("typename")?;
                self.print_inner()?;
                self.print_param_name(name)
            }
            Node::ValueParam { name, ty } => {
                self.inner.push(id);
                self.print(ty)?;
                if self.inner.pop().is_some() { self.print_param_name(name) } else { Some(()) }
            }
            Node::ConceptParam { name, concept } => {
                self.inner.push(id);
                self.print(concept)?;
                if self.inner.pop().is_some() {
                    self.put(" ")?;
                    self.print(name)?;
                }
                Some(())
            }
            Node::TemplateParam { name, params, needs } => self.print_template_param(name, params, needs),
            Node::ParamPack(param) => self.print_param_pack(id, param),
            _ => None,
        }
    }

    fn print_param_name(&mut self, name: NodeId) -> Done {
        if self.in_param_list {
            return Some(());
        }
        self.put(" ")?;
        self.print(name)
    }

    fn print_template_param(&mut self, name: NodeId, params: List, needs: Option<NodeId>) -> Done {
        let was_in_list = std::mem::replace(&mut self.in_param_list, true);
        let inner = std::mem::take(&mut self.inner);
        self.put("template<")?;
        self.print_list(params)?;
        self.put("> class")?;
        self.in_param_list = was_in_list;
        self.inner = inner;
        self.print_inner()?;
        self.print_param_name(name)?;
        if let Some(needs) = needs {
            self.put(" requires ")?;
            self.print(needs)?;
        }
        Some(())
    }

    /// `typename... $T0`
    fn print_param_pack(&mut self, id: NodeId, param: NodeId) -> Done {
        let before = std::mem::replace(&mut self.inner, vec![id]);
        let value = match self.ast[param] {
            Node::ValueParam { name, ty } => Some((name, ty)),
            _ => None,
        };
        self.print(value.map_or(param, |(_, ty)| ty))?;
        if !self.inner.is_empty() {
            self.put("...")?;
            if let Some((name, _)) = value {
                self.print_param_name(name)?;
            }
        }
        self.inner = before;
        Some(())
    }
}
