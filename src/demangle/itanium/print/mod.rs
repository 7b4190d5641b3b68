//! Prints names like pprof does.
//!
//! C++ declarators nest inside out: `int (*f(char))[3]`. The inner parts of a declarator are kept in `inner` until the type
//! reaches their place.

mod expr;
mod lambda;
mod types;

use super::ast::{Ast, List, Node, NodeId};

/// Parts inside of each other.
const MAX_DEPTH: u32 = 512;
/// Bytes of a name, and parts printed: a few references can expand without end.
const MAX_OUTPUT: usize = 1 << 18;
const MAX_STEPS: usize = 1 << 19;

/// `None` when it becomes too long or too deep, or takes more than `work`.
pub(super) fn print(ast: &Ast<'_>, id: NodeId, style: Style, work: &mut u64) -> Option<String> {
    let given = usize::try_from(*work).unwrap_or(MAX_STEPS).min(MAX_STEPS);
    let mut printer = Printer {
        ast,
        style,
        out: String::new(),
        inner: Vec::new(),
        active: vec![0; ast.len()],
        in_param_list: false,
        depth: 0,
        steps: given,
    };
    let is_done = printer.print(id);
    *work -= (given - printer.steps) as u64;
    is_done.map(|()| printer.out)
}

/// Parts of a name to print.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) has_template_args: bool,
    /// The parameters of functions that enclose something local.
    pub(super) has_enclosing_params: bool,
}

struct Printer<'a> {
    ast: &'a Ast<'a>,
    style: Style,
    out: String,
    /// Inner parts of the declarator being printed, the innermost last.
    inner: Vec<NodeId>,
    /// Number of times each node is being printed now.
    active: Vec<u8>,
    /// Template parameters of template parameters have no names.
    in_param_list: bool,
    depth: u32,
    /// Parts and bytes that may still be printed.
    steps: usize,
}

type Done = Option<()>;

impl<'a> Printer<'a> {
    fn put(&mut self, text: &str) -> Done {
        if self.out.len() + text.len() > MAX_OUTPUT {
            return None;
        }
        self.step(text.len())?;
        self.out.push_str(text);
        Some(())
    }

    fn put_number(&mut self, number: impl std::fmt::Display) -> Done {
        self.put(&number.to_string())
    }

    fn ends_with(&self, end: &[char]) -> bool {
        self.out.ends_with(end)
    }

    fn step(&mut self, parts: usize) -> Done {
        let left = self.steps.checked_sub(parts);
        self.steps = left.unwrap_or(0);
        left.map(drop)
    }

    fn print(&mut self, id: NodeId) -> Done {
        self.step(1)?;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        // A type may contain itself once, when a function returns and takes the same.
        if self.active[id.index()] < 2 {
            self.active[id.index()] += 1;
            self.print_node(id, self.ast[id])?;
            self.active[id.index()] -= 1;
        }
        self.depth -= 1;
        Some(())
    }

    fn print_node(&mut self, id: NodeId, node: Node<'a>) -> Done {
        match node {
            Node::Name(name) => self.put(name),
            Node::Builtin(name) => self.put(name),
            Node::Qualified { scope, name, .. } => {
                self.print(scope)?;
                self.put("::")?;
                self.print(name)
            }
            Node::Template { name, args } => self.print_template(name, args),
            Node::Constructor { name, .. } => self.print(name),
            Node::Destructor(name) => {
                self.put("~")?;
                self.print(name)
            }
            Node::Tagged { name, tag } => {
                self.print(name)?;
                self.put("[abi:")?;
                self.print(tag)?;
                self.put("]")
            }
            Node::Module { parent, name, is_partition } => {
                if let Some(parent) = parent {
                    self.print(parent)?;
                }
                self.put(if is_partition { ":" } else { parent.map_or("", |_| ".") })?;
                self.print(name)
            }
            Node::Operator(op) => {
                self.put(if op.text.starts_with(|c: char| c.is_ascii_lowercase()) { "operator " } else { "operator" })?;
                self.put(op.text.trim_end_matches(' '))
            }
            Node::VendorOperator(name) => {
                self.put(if name.starts_with(|c: char| c.is_ascii_lowercase()) { "operator " } else { "operator" })?;
                self.put(name)
            }
            Node::Conversion(to) => {
                self.put("operator ")?;
                self.print(to)
            }
            Node::Bindings(names) => {
                self.put("[")?;
                self.print_list(names)?;
                self.put("]")
            }
            Node::Lambda { number, .. } => {
                self.put("{lambda")?;
                self.print_lambda_types(id)?;
                self.put("#")?;
                self.put_number(u64::from(number) + 1)?;
                self.put("}")
            }
            Node::Unnamed(number) => {
                self.put("{unnamed type#")?;
                self.put_number(u64::from(number) + 1)?;
                self.put("}")
            }
            Node::DefaultArg { number, name } => {
                self.put("{default arg#")?;
                self.put_number(u64::from(number) + 1)?;
                self.put("}::")?;
                self.print(name)
            }
            Node::Requires { what, needs } => {
                self.print(what)?;
                self.put(" requires ")?;
                self.print(needs)
            }
            Node::EnableIf { what, args } => {
                self.print(what)?;
                self.put(" [enable_if:")?;
                self.print_list(args)?;
                self.put("]")
            }
            Node::Wrapped { before, what, after } => {
                self.put(before)?;
                self.print(what)?;
                self.put(after)
            }
            Node::Pair { before, first, between, second, after } => {
                self.put(before)?;
                self.print(first)?;
                self.put(between)?;
                self.print(second)?;
                self.put(after)
            }
            Node::Param { index, template } => self.print(self.ast.argument(index, template?)?),
            Node::ParamLabel(index) => {
                self.put("T")?;
                self.put_number(index)
            }
            Node::LambdaAuto(index) => {
                self.put("auto:")?;
                self.put_number(u64::from(index) + 1)
            }
            Node::DeclaredArg { arg, .. } => self.print(arg),
            Node::Pack(items) | Node::Exprs(items) => self.print_list(items),
            Node::Expansion { base, packs } if packs.is_empty() => {
                self.print_in_brackets(base)?;
                self.put("...")
            }
            Node::Expansion { base, .. } => self.print(base),
            Node::ParamName { prefix, index } => {
                self.put(prefix)?;
                self.put_number(index)
            }
            Node::TypeParam(_) | Node::ValueParam { .. } | Node::TemplateParam { .. } | Node::ConceptParam { .. } | Node::ParamPack(_) => {
                self.print_param(id)
            }
            Node::Typed { .. }
            | Node::Function { .. }
            | Node::Qualifiers(_)
            | Node::Qualifier { .. }
            | Node::Cv { .. }
            | Node::Method { .. }
            | Node::Suffixed { .. }
            | Node::VendorQualified { .. }
            | Node::Array { .. }
            | Node::Vector { .. }
            | Node::Member { .. }
            | Node::Fixed { .. }
            | Node::Float { .. }
            | Node::Elaborated { .. } => self.print_type(id),
            _ => self.print_expression(id),
        }
    }

    fn print_template(&mut self, name: NodeId, args: List) -> Done {
        // Pending inner parts belong to the whole.
        let inner = std::mem::take(&mut self.inner);
        self.print(name)?;
        if self.style.has_template_args {
            self.put(if self.ends_with(&['<']) { " <" } else { "<" })?;
            self.print_nonempty(args)?;
            self.put(if self.ends_with(&['>']) { " >" } else { ">" })?;
        }
        self.inner = inner;
        Some(())
    }

    fn print_list(&mut self, list: List) -> Done {
        for (at, &item) in self.ast.items(list).iter().enumerate() {
            if at > 0 {
                self.put(", ")?;
            }
            self.print(item)?;
        }
        Some(())
    }

    /// Like `print_list`, without empty packs.
    fn print_nonempty(&mut self, list: List) -> Done {
        let mut is_first = true;
        for &item in self.ast.items(list) {
            if self.is_empty(item, 0)? {
                continue;
            }
            if !std::mem::take(&mut is_first) {
                self.put(", ")?;
            }
            self.print(item)?;
        }
        Some(())
    }

    fn is_empty(&mut self, id: NodeId, depth: u32) -> Option<bool> {
        self.step(1)?;
        match self.ast[id] {
            Node::Pack(items) if depth < MAX_DEPTH => {
                for &item in self.ast.items(items) {
                    if !self.is_empty(item, depth + 1)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Node::Exprs(items) => Some(items.is_empty()),
            Node::Expansion { base, packs } if depth < MAX_DEPTH && !packs.is_empty() => self.is_empty(base, depth + 1),
            _ => Some(false),
        }
    }
}
