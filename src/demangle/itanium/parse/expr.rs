//! Expressions in template arguments, array sizes, `decltype` and constraints.

use super::Parser;
use crate::demangle::itanium::ast::{Node, NodeId, Suffix};
use crate::demangle::itanium::operators::{CALL, GLOBAL, Operator};

impl<'a> Parser<'a> {
    pub(super) fn expression(&mut self) -> Option<NodeId> {
        self.deeper(Self::expression_here)
    }

    fn expression_here(&mut self) -> Option<NodeId> {
        match (self.peek()?, self.peek_at(1)) {
            (b'L', _) => self.primary(),
            (b'T', _) => self.template_param(),
            (b's', Some(b'r')) => self.unresolved_name(),
            (b'0'..=b'9', _) => self.plain_name(),
            (b'o', Some(b'n')) => {
                self.at += 2;
                self.plain_name()
            }
            (b's', Some(b'o')) => self.subobject(),
            (b's', Some(b'p')) => {
                self.at += 2;
                let base = self.expression()?;
                self.expansion(base)
            }
            (b's', Some(b'Z')) => {
                self.at += 2;
                let expr = self.expression()?;
                let pack = *self.packs_in(expr)?.first()?;
                let Node::Pack(items) = self.ast[pack] else { return None };
                self.add(Node::Number(items.len()))
            }
            (b's', Some(b'P')) => {
                self.at += 2;
                let args = self.args_until_end()?;
                self.add(Node::ArgsSize(args))
            }
            (b's', Some(b't')) => {
                let (op, _) = self.operator_name(true)?;
                let expr = self.ty()?;
                self.add(Node::Unary { op, expr, is_suffix: false, is_type: true })
            }
            (b'f', Some(b'p')) => self.function_param(),
            (b'f', Some(b'L')) if self.peek_at(2).is_some_and(|byte| byte.is_ascii_digit()) => self.function_param(),
            (b'm', Some(b'c')) => self.member_conversion(),
            (b'i', Some(b'l')) => {
                self.at += 2;
                self.initializer(None)
            }
            (b't', Some(b'l')) => {
                self.at += 2;
                let ty = self.ty()?;
                self.initializer(Some(ty))
            }
            (b'u', _) => self.vendor_expression(),
            (b'r', Some(b'q' | b'Q')) => self.requires_expression(),
            (b'n', Some(b'w' | b'a')) => self.new_expression(),
            (b'f', Some(b'l' | b'r' | b'L' | b'R')) => self.fold(),
            _ => self.operation(),
        }
    }

    fn plain_name(&mut self) -> Option<NodeId> {
        let (name, _) = self.unqualified_name(None)?;
        if self.peek() == Some(b'I') { self.template(name) } else { Some(name) }
    }

    fn operation(&mut self) -> Option<NodeId> {
        let from = self.at;
        let (op, operands) = self.operator_name(true)?;
        let code = self.text.as_bytes().get(from..from + 2)?;
        match operands {
            0 => self.add(Node::Nullary(op)),
            1 => {
                let is_suffix = matches!(code, b"pp" | b"mm") && !self.eat(b'_');
                let is_list = matches!(self.ast[op], Node::Conversion(_)) && self.eat(b'_');
                let expr = if is_list { self.expressions(b'E')? } else { self.expression()? };
                self.add(Node::Unary { op, expr, is_suffix, is_type: false })
            }
            2 => {
                let left = match code {
                    b"sc" | b"dc" | b"cc" | b"rc" => self.ty()?,
                    b"di" => self.unqualified_name(None)?.0,
                    _ => self.expression()?,
                };
                let right = match code {
                    b"cl" | b"cp" => self.expressions(b'E')?,
                    b"dt" | b"pt" if self.peek() == Some(b'L') => self.primary()?,
                    b"dt" | b"pt" => {
                        let name = self.unresolved_name()?;
                        if self.peek() == Some(b'I') { self.template(name)? } else { name }
                    }
                    _ => self.expression()?,
                };
                self.add(Node::Binary { op, left, right })
            }
            3 => {
                let first = self.expression()?;
                let second = self.expression()?;
                let third = self.expression()?;
                self.add(Node::Ternary { op, first, second, third })
            }
            _ => None,
        }
    }

    fn expressions(&mut self, stop: u8) -> Option<NodeId> {
        let exprs = self.list_until(stop, Self::expression)?;
        self.add(Node::Exprs(exprs))
    }

    fn initializer(&mut self, ty: Option<NodeId>) -> Option<NodeId> {
        let exprs = self.expressions(b'E')?;
        self.add(Node::Init { ty, exprs })
    }

    fn fold(&mut self) -> Option<NodeId> {
        self.need(b'f')?;
        let kind = self.next()?;
        let (op, _) = self.operator_name(true)?;
        let first = self.expression()?;
        let second = if kind.is_ascii_uppercase() { Some(self.expression()?) } else { None };
        self.add(Node::Fold { op, is_left: matches!(kind, b'l' | b'L'), first, second })
    }

    fn new_expression(&mut self) -> Option<NodeId> {
        self.operator_name(true)?;
        let place = self.list_until(b'_', Self::expression)?;
        let place = if place.is_empty() { None } else { Some(self.add(Node::Exprs(place))?) };
        let ty = self.ty()?;
        let init = match (self.peek()?, self.peek_at(1)) {
            (b'E', _) => {
                self.at += 1;
                None
            }
            (b'p', Some(b'i')) => {
                self.at += 2;
                Some(self.expressions(b'E')?)
            }
            (b'i', Some(b'l')) => Some(self.expression()?),
            _ => return None,
        };
        self.add(Node::New { place, ty, init })
    }

    /// `fpT`, `fp_`, `fp0_`, `fL0p_` …: `this` and the parameters of the function around.
    fn function_param(&mut self) -> Option<NodeId> {
        self.need(b'f')?;
        if self.eat(b'L') {
            self.number()?; // functions between
        }
        self.need(b'p')?;
        if self.eat(b'T') {
            return self.add(Node::FunctionParam(0));
        }
        self.cv_qualifiers()?;
        let number = self.compact_number()?.checked_add(1)?;
        self.add(Node::FunctionParam(number))
    }

    fn offset(&mut self) -> Option<i32> {
        if self.is_digit() || self.peek() == Some(b'n') { self.number() } else { Some(0) }
    }

    fn member_conversion(&mut self) -> Option<NodeId> {
        self.at += 2;
        let ty = self.ty()?;
        let expr = self.expression()?;
        self.offset()?;
        self.need(b'E')?;
        self.add(Node::Pair { before: "(", first: ty, between: ")(", second: expr, after: ")" })
    }

    fn subobject(&mut self) -> Option<NodeId> {
        self.at += 2;
        let ty = self.ty()?;
        let expr = self.expression()?;
        let offset = self.offset()?;
        while self.eat(b'_') {
            self.offset()?; // members of unions
        }
        self.eat(b'p'); // past the end
        self.need(b'E')?;
        self.add(Node::Subobject { expr, ty, offset })
    }

    fn vendor_expression(&mut self) -> Option<NodeId> {
        self.need(b'u')?;
        let name = self.source_name()?;
        let args = match (self.ast[name], self.peek()?) {
            (Node::Name("__uuidof"), b't') => {
                self.at += 1;
                let ty = self.ty()?;
                self.ast.list(&[ty])?
            }
            (Node::Name("__uuidof"), b'z') => {
                self.at += 1;
                let expr = self.expression()?;
                self.ast.list(&[expr])?
            }
            _ => self.args_until_end()?,
        };
        let right = self.add(Node::Exprs(args))?;
        let op = self.operator(CALL)?;
        self.add(Node::Binary { op, left: name, right })
    }

    fn operator(&mut self, op: &'static Operator) -> Option<NodeId> {
        self.add(Node::Operator(op))
    }

    /// A name that depends on template parameters.
    fn unresolved_name(&mut self) -> Option<NodeId> {
        if self.eat_all(b"gs") {
            let expr = self.deeper(Self::unresolved_name)?;
            let op = self.operator(GLOBAL)?;
            return self.add(Node::Unary { op, expr, is_suffix: false, is_type: false });
        }
        if !self.eat_all(b"sr") {
            return self.simple_id();
        }
        if self.scopes_are_types || matches!(self.peek()?, b'T' | b'D' | b'S') {
            let scope = self.ty()?;
            let name = self.simple_id()?;
            let mut name = self.qualified(scope, name)?;
            if self.peek() == Some(b'I') {
                name = self.template(name)?;
                self.subs.push(name);
            }
            return Some(name);
        }
        let mut scope = if self.eat(b'N') { Some(self.ty()?) } else { None };
        while !self.eat(b'E') {
            if let Some(scope) = scope
                && !self.is_digit()
                && let Node::Qualified { scope: outer, .. } = self.ast[scope]
            {
                // g++ leaves out the name and the `E` when the type has it.
                if let Node::Template { name, .. } = self.ast[outer] {
                    self.subs.push(name);
                }
                self.subs.push(outer);
                return Some(scope);
            }
            let mut name = self.source_name()?;
            // Names without a type are not counted among what `S_` may represent; pprof counts them.
            if self.peek() == Some(b'I') {
                name = self.template(name)?;
            }
            scope = Some(match scope {
                Some(scope) => self.qualified(scope, name)?,
                None => name,
            });
        }
        let name = self.simple_id()?;
        self.qualified(scope?, name)
    }

    fn simple_id(&mut self) -> Option<NodeId> {
        let name = if self.eat_all(b"dn") {
            let name = if self.is_digit() { self.source_name()? } else { self.ty()? };
            self.add(Node::Destructor(name))?
        } else if self.is_digit() {
            self.source_name()?
        } else {
            self.eat_all(b"on"); // g++ leaves it out
            self.operator_name(true)?.0
        };
        if self.peek() == Some(b'I') { self.template(name) } else { Some(name) }
    }

    fn requires_expression(&mut self) -> Option<NodeId> {
        self.need(b'r')?;
        let params = if self.next()? == b'Q' { self.list_until(b'_', Self::ty)? } else { self.ast.list(&[])? };
        let requirements = self.list_until(b'E', Self::requirement)?;
        self.add(Node::RequiresExpr { params, requirements })
    }

    fn requirement(&mut self) -> Option<NodeId> {
        match self.next()? {
            b'X' => {
                let expr = self.expression()?;
                let is_noexcept = self.eat(b'N');
                let ty = if self.eat(b'R') { Some(self.name()?.0) } else { None };
                self.add(Node::ExprRequirement { expr, is_noexcept, ty })
            }
            b'T' => {
                let ty = self.ty()?;
                self.wrapped(" typename ", ty, ";")
            }
            b'Q' => {
                let expr = self.expression()?;
                self.wrapped(" requires ", expr, ";")
            }
            _ => None,
        }
    }

    /// Literals, and functions and variables by their symbol.
    pub(super) fn primary(&mut self) -> Option<NodeId> {
        self.need(b'L')?;
        // g++ left the underscore out once.
        if self.eat_all(b"_Z") || self.eat(b'Z') {
            let symbol = self.encoding(true, false)?;
            self.need(b'E')?;
            return Some(symbol);
        }
        let ty = self.ty()?;
        let is_negative = self.eat(b'n');
        let (value, _) = self.rest().split_once('E')?;
        self.at += value.len() + 1;
        if value.is_empty() {
            let of_array = match self.ast[ty] {
                Node::Cv { base, .. } => base,
                _ => ty,
            };
            match (self.ast[ty], self.ast[of_array]) {
                (Node::Builtin("decltype(nullptr)"), _) => {}
                (Node::Lambda { .. }, _) => return self.add(Node::LambdaExpr(ty)),
                (_, Node::Array { .. }) => return self.wrapped("\"<", ty, ">\""),
                _ => return None,
            }
        }
        self.add(Node::Literal { ty, value, is_negative })
    }

    /// Returns whether a suffix is a reference; for the rules of their collapse.
    pub(super) fn reference_of(&self, id: NodeId) -> Option<(Suffix, NodeId)> {
        match self.ast[id] {
            Node::Suffixed { base, suffix: suffix @ (Suffix::Reference | Suffix::RvalueReference) } => Some((suffix, base)),
            _ => None,
        }
    }
}
