//! Expressions and literals.

use super::{Done, Printer};
use crate::demangle::itanium::ast::{List, Node, NodeId};

impl<'a> Printer<'a> {
    pub(super) fn print_expression(&mut self, id: NodeId) -> Done {
        match self.ast[id] {
            Node::Number(number) => self.put_number(number),
            Node::FunctionParam(0) => self.put("this"),
            Node::FunctionParam(number) => {
                self.put("{parm#")?;
                self.put_number(number)?;
                self.put("}")
            }
            Node::ArgsSize(args) => {
                self.step(args.len())?;
                self.put_number(self.count(args))
            }
            Node::Nullary(op) => self.print_operator(op),
            Node::Unary { op, expr, is_suffix, is_type } => self.print_unary(op, expr, is_suffix, is_type),
            Node::Binary { op, left, right } => self.print_binary(id, op, left, right),
            Node::Ternary { first, second, third, .. } => self.print_ternary(id, [first, second, third]),
            Node::Fold { op, is_left, first, second } => self.print_fold(op, is_left, first, second),
            Node::Subobject { expr, ty, offset } => {
                self.print(expr)?;
                self.put(".<")?;
                self.print(ty)?;
                self.put(" at offset ")?;
                self.put_number(offset)?;
                self.put(">")
            }
            Node::New { place, ty, init } => {
                self.put("new ")?;
                if let Some(place) = place {
                    self.print_in_brackets(place)?;
                    self.put(" ")?;
                }
                self.print(ty)?;
                if let Some(init) = init { self.print_in_brackets(init) } else { Some(()) }
            }
            Node::Literal { ty, value, is_negative } => self.print_literal(ty, value, is_negative),
            Node::LambdaExpr(lambda) => {
                self.put("[]")?;
                self.print_lambda_types(lambda)?;
                self.put("{...}")
            }
            Node::Init { ty, exprs } => self.print_init(ty, exprs),
            Node::RequiresExpr { params, requirements } => {
                self.put("requires ")?;
                if !params.is_empty() {
                    self.put("(")?;
                    self.print_list(params)?;
                    self.put(") ")?;
                }
                self.put("{")?;
                for &requirement in self.ast.items(requirements) {
                    self.print(requirement)?;
                }
                self.put(" }")
            }
            Node::ExprRequirement { expr, is_noexcept, ty } => {
                let is_compound = is_noexcept || ty.is_some();
                self.put(if is_compound { " {" } else { " " })?;
                self.print(expr)?;
                self.put(if is_compound { "}" } else { "" })?;
                self.put(if is_noexcept { " noexcept" } else { "" })?;
                if let Some(ty) = ty {
                    self.put(" -> ")?;
                    self.print(ty)?;
                }
                self.put(";")
            }
            _ => None,
        }
    }

    /// Items of packs, and others.
    fn count(&self, args: List) -> usize {
        let items = self.ast.items(args).iter();
        items.map(|&arg| if let Node::Pack(items) | Node::Exprs(items) = self.ast[arg] { items.len() } else { 1 }).sum()
    }

    /// In brackets unless it is a single word.
    pub(super) fn print_in_brackets(&mut self, id: NodeId) -> Done {
        let is_word = matches!(
            self.ast[id],
            Node::Name(_) | Node::ParamLabel(_) | Node::Init { .. } | Node::FunctionParam(_) | Node::Qualified { is_local: false, .. }
        );
        if is_word {
            return self.print(id);
        }
        self.put("(")?;
        self.print(id)?;
        self.put(")")
    }

    /// Spelling of an operator in an expression.
    fn operator_text(&self, op: NodeId) -> Option<&'a str> {
        match self.ast[op] {
            Node::Operator(op) => Some(op.text),
            Node::VendorOperator(name) => Some(name),
            _ => None,
        }
    }

    fn print_operator(&mut self, op: NodeId) -> Done {
        match self.operator_text(op) {
            Some(text) => self.put(text),
            None => self.print(op),
        }
    }

    fn print_unary(&mut self, op: NodeId, expr: NodeId, is_suffix: bool, is_type: bool) -> Done {
        let text = self.operator_text(op);
        // The address of a function: its name is sufficient.
        let expr = match self.ast[expr] {
            Node::Typed { name, ty } if text == Some("&") && matches!(self.ast[ty], Node::Function { .. }) => name,
            _ => expr,
        };
        if is_suffix {
            self.print_in_brackets(expr)?;
            return self.print_operator(op);
        }
        if let Node::Conversion(to) = self.ast[op] {
            self.put("(")?;
            self.print(to)?;
            self.put(")")?;
        } else {
            self.print_operator(op)?;
        }
        if text == Some("::") {
            return self.print(expr);
        }
        if !is_type && text != Some("noexcept") {
            return self.print_in_brackets(expr);
        }
        self.put("(")?;
        self.print(expr)?;
        self.put(")")
    }

    /// `.field=`, `[0]=` and `[0 ... 7]=` in initializers.
    fn is_designated(&self, id: NodeId) -> bool {
        match self.ast[id] {
            Node::Binary { op, left, .. } => match self.operator_text(op) {
                Some("]=") => true,
                Some("=") => !matches!(self.ast[left], Node::Literal { .. }),
                _ => false,
            },
            Node::Ternary { op, .. } => self.operator_text(op) == Some("[...]="),
            _ => false,
        }
    }

    fn print_designated(&mut self, value: NodeId) -> Done {
        if self.is_designated(value) {
            return self.print(value);
        }
        self.put("=")?;
        self.print_in_brackets(value)
    }

    fn print_binary(&mut self, id: NodeId, op: NodeId, left: NodeId, right: NodeId) -> Done {
        let text = self.operator_text(op);
        if let Some(cast) = text.filter(|text| text.ends_with("_cast")) {
            self.put(cast)?;
            self.put("<")?;
            self.print(left)?;
            self.put(">(")?;
            self.print(right)?;
            return self.put(")");
        }
        if self.is_designated(id) {
            let is_field = text == Some("=");
            self.put(if is_field { "." } else { "[" })?;
            self.print(left)?;
            self.put(if is_field { "" } else { "]" })?;
            return self.print_designated(right);
        }
        // Otherwise it would end template arguments.
        let is_greater = matches!(text, Some(">" | ">>"));
        self.put(if is_greater { "(" } else { "" })?;
        let is_call = text.is_some_and(|text| text.starts_with("()"));
        match self.ast[left] {
            // A called function has no parameters unless its return type is given.
            Node::Typed { name, ty } if is_call => match self.ast[ty] {
                Node::Function { ret: Some(_), .. } if text == Some("()") => self.print(left)?,
                Node::Function { ret: Some(_), .. } => self.print_in_brackets(left)?,
                _ => self.print_in_brackets(name)?,
            },
            _ => self.print_in_brackets(left)?,
        }
        if text == Some("[]") {
            self.put("[")?;
            self.print(right)?;
            return self.put("]");
        }
        if !is_call {
            self.print_operator(op)?;
        }
        self.print_in_brackets(right)?;
        self.put(if is_greater { ")" } else { "" })
    }

    fn print_ternary(&mut self, id: NodeId, [first, second, third]: [NodeId; 3]) -> Done {
        if self.is_designated(id) {
            self.put("[")?;
            self.print(first)?;
            self.put(" ... ")?;
            self.print(second)?;
            self.put("]")?;
            return self.print_designated(third);
        }
        self.print_in_brackets(first)?;
        self.put("?")?;
        self.print_in_brackets(second)?;
        self.put(" : ")?;
        self.print_in_brackets(third)
    }

    fn print_fold(&mut self, op: NodeId, is_left: bool, first: NodeId, second: Option<NodeId>) -> Done {
        self.put("(")?;
        if is_left && second.is_none() {
            self.put("...")?;
            self.print_operator(op)?;
        }
        self.print_in_brackets(first)?;
        if let Some(second) = second {
            self.print_operator(op)?;
            self.put("...")?;
            self.print_operator(op)?;
            self.print_in_brackets(second)?;
        } else if !is_left {
            self.print_operator(op)?;
            self.put("...")?;
        }
        self.put(")")
    }

    fn print_literal(&mut self, ty: NodeId, value: &str, is_negative: bool) -> Done {
        let sign = if is_negative { "-" } else { "" };
        let Node::Builtin(name) = self.ast[ty] else { return self.print_typed_literal(ty, sign, value, "") };
        let suffix = match (name, value, is_negative) {
            ("int", _, _) => "",
            ("unsigned int", _, _) => "u",
            ("long", _, _) => "l",
            ("unsigned long", _, _) => "ul",
            ("long long", _, _) => "ll",
            ("unsigned long long", _, _) => "ull",
            ("bool", "0", false) => return self.put("false"),
            ("bool", "1", false) => return self.put("true"),
            ("decltype(nullptr)", "" | "0", _) => return self.put(name),
            // The bytes of floating point numbers, in hex.
            ("double" | "long double" | "float" | "__float128" | "half", _, _) => {
                return self.print_typed_literal(ty, if is_negative { "[-" } else { "[" }, value, "]");
            }
            _ => return self.print_typed_literal(ty, sign, value, ""),
        };
        self.put(sign)?;
        self.put(value)?;
        self.put(suffix)
    }

    fn print_typed_literal(&mut self, ty: NodeId, before: &str, value: &str, after: &str) -> Done {
        self.put("(")?;
        self.print(ty)?;
        self.put(")")?;
        self.put(before)?;
        self.put(value)?;
        self.put(after)
    }

    fn print_init(&mut self, ty: Option<NodeId>, exprs: NodeId) -> Done {
        if let Some(ty) = ty {
            if let Node::Array { element, .. } = self.ast[ty]
                && matches!(self.ast[element], Node::Builtin("char"))
                && let Node::Exprs(chars) = self.ast[exprs]
                && let Some(text) = self.string_of(chars)
            {
                return self.put(&text);
            }
            self.print(ty)?;
        }
        self.put("{")?;
        self.print(exprs)?;
        self.put("}")
    }

    /// An array of characters as a string literal of C++.
    fn string_of(&self, chars: List) -> Option<String> {
        let mut text = String::from("\"");
        let mut after_number = false;
        for &id in self.ast.items(chars) {
            let Node::Literal { value, is_negative: false, .. } = self.ast[id] else { return None };
            let byte: u8 = value.parse().ok()?;
            if std::mem::take(&mut after_number) && byte.is_ascii_hexdigit() {
                text.push_str("\"\""); // it would be part of the number
            }
            match byte {
                7 => text.push_str("\\a"),
                8 => text.push_str("\\b"),
                9 => text.push_str("\\t"),
                10 => text.push_str("\\n"),
                11 => text.push_str("\\v"),
                12 => text.push_str("\\f"),
                13 => text.push_str("\\r"),
                b'"' => text.push_str("\\\""),
                b'\\' => text.push_str("\\\\"),
                0..=7 => {
                    text.push_str(&format!("\\{byte}"));
                    after_number = true;
                }
                8..32 | 127.. => {
                    text.push_str(&format!("\\x{byte:X}"));
                    after_number = true;
                }
                _ => text.push(char::from(byte)),
            }
        }
        text.push('"');
        Some(text)
    }
}
