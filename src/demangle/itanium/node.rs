//! Nodes of the syntax tree.

use super::id::{List, NodeId};
use super::operators::Operator;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suffix {
    Pointer,
    Reference,
    RvalueReference,
    Complex,
    Imaginary,
    /// After the concept that constrains it.
    Auto,
    DecltypeAuto,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Node<'a> {
    // Names.
    Name(&'a str),
    Qualified {
        scope: NodeId,
        name: NodeId,
        is_local: bool,
    },
    Template {
        name: NodeId,
        args: List,
    },
    /// `base`: class of an inherited constructor.
    Constructor {
        name: NodeId,
        base: Option<NodeId>,
    },
    Destructor(NodeId),
    Tagged {
        name: NodeId,
        tag: NodeId,
    },
    Module {
        parent: Option<NodeId>,
        name: NodeId,
        is_partition: bool,
    },
    Operator(&'static Operator),
    VendorOperator(&'a str),
    /// `operator int`, and in expressions `(int)`.
    Conversion(NodeId),
    Bindings(List),
    Lambda {
        params: List,
        params_need: Option<NodeId>,
        args: List,
        needs: Option<NodeId>,
        number: u32,
    },
    Unnamed(u32),
    DefaultArg {
        number: u32,
        name: NodeId,
    },
    Requires {
        what: NodeId,
        needs: NodeId,
    },
    EnableIf {
        what: NodeId,
        args: List,
    },
    /// Text around a node, and between two.
    Wrapped {
        before: &'static str,
        what: NodeId,
        after: &'static str,
    },
    Pair {
        before: &'static str,
        first: NodeId,
        between: &'static str,
        second: NodeId,
        after: &'static str,
    },

    // Template parameters and arguments.
    /// `template` is missing in a conversion operator until its arguments are known.
    Param {
        index: u32,
        template: Option<NodeId>,
    },
    /// In constraints parameters are not looked up.
    ParamLabel(u32),
    LambdaAuto(u32),
    DeclaredArg {
        param: NodeId,
        arg: NodeId,
    },
    Pack(List),
    /// `packs`: what the parameters in `base` represent that go on in step.
    Expansion {
        base: NodeId,
        packs: List,
    },
    ParamName {
        prefix: &'static str,
        index: u32,
    },
    TypeParam(NodeId),
    ValueParam {
        name: NodeId,
        ty: NodeId,
    },
    TemplateParam {
        name: NodeId,
        params: List,
        needs: Option<NodeId>,
    },
    ConceptParam {
        name: NodeId,
        concept: NodeId,
    },
    ParamPack(NodeId),

    // Types.
    Builtin(&'static str),
    /// A function with its name. `ty` is a `Function`, perhaps in a `Method`.
    Typed {
        name: NodeId,
        ty: NodeId,
    },
    /// `encloses`: something local is named after it.
    Function {
        ret: Option<NodeId>,
        args: List,
        encloses: bool,
    },
    Qualifiers(List),
    Qualifier {
        word: &'static str,
        exprs: List,
    },
    Cv {
        base: NodeId,
        qualifiers: NodeId,
    },
    Method {
        base: NodeId,
        qualifiers: Option<NodeId>,
        reference: &'static str,
    },
    Suffixed {
        base: NodeId,
        suffix: Suffix,
    },
    VendorQualified {
        qualifier: NodeId,
        base: NodeId,
    },
    Array {
        dimension: NodeId,
        element: NodeId,
    },
    Vector {
        dimension: NodeId,
        element: NodeId,
    },
    Member {
        class: NodeId,
        member: NodeId,
    },
    Fixed {
        base: NodeId,
        is_accum: bool,
        is_sat: bool,
    },
    Float {
        bits: i32,
        suffix: &'static str,
    },
    Elaborated {
        kind: &'static str,
        ty: NodeId,
    },

    // Expressions.
    Number(usize),
    FunctionParam(u32),
    ArgsSize(List),
    Exprs(List),
    Nullary(NodeId),
    Unary {
        op: NodeId,
        expr: NodeId,
        is_suffix: bool,
        is_type: bool,
    },
    Binary {
        op: NodeId,
        left: NodeId,
        right: NodeId,
    },
    Ternary {
        op: NodeId,
        first: NodeId,
        second: NodeId,
        third: NodeId,
    },
    Fold {
        op: NodeId,
        is_left: bool,
        first: NodeId,
        second: Option<NodeId>,
    },
    Subobject {
        expr: NodeId,
        ty: NodeId,
        offset: i32,
    },
    New {
        place: Option<NodeId>,
        ty: NodeId,
        init: Option<NodeId>,
    },
    Literal {
        ty: NodeId,
        value: &'a str,
        is_negative: bool,
    },
    LambdaExpr(NodeId),
    Init {
        ty: Option<NodeId>,
        exprs: NodeId,
    },
    RequiresExpr {
        params: List,
        requirements: List,
    },
    ExprRequirement {
        expr: NodeId,
        is_noexcept: bool,
        ty: Option<NodeId>,
    },
}

/// A place in a node that holds others.
pub(super) enum Slot<'s> {
    One(&'s mut NodeId),
    Many(&'s mut List),
}

impl Node<'_> {
    /// Calls `see` for every child, in printing order. The template of a parameter and the packs of an expansion are no children.
    pub(super) fn slots(&mut self, see: &mut dyn FnMut(Slot<'_>)) {
        use Slot::{Many, One};
        match self {
            Node::Name(_)
            | Node::Operator(_)
            | Node::VendorOperator(_)
            | Node::Unnamed(_)
            | Node::Param { .. }
            | Node::ParamLabel(_)
            | Node::LambdaAuto(_)
            | Node::ParamName { .. }
            | Node::Builtin(_)
            | Node::Float { .. }
            | Node::Number(_)
            | Node::FunctionParam(_) => {}
            Node::Destructor(what)
            | Node::Conversion(what)
            | Node::DefaultArg { name: what, .. }
            | Node::Wrapped { what, .. }
            | Node::Expansion { base: what, .. }
            | Node::TypeParam(what)
            | Node::ParamPack(what)
            | Node::Suffixed { base: what, .. }
            | Node::Fixed { base: what, .. }
            | Node::Elaborated { ty: what, .. }
            | Node::Nullary(what)
            | Node::Literal { ty: what, .. }
            | Node::LambdaExpr(what) => see(One(what)),
            Node::Qualified { scope: first, name: second, .. }
            | Node::Tagged { name: first, tag: second }
            | Node::Requires { what: first, needs: second }
            | Node::Pair { first, second, .. }
            | Node::DeclaredArg { param: first, arg: second }
            | Node::ValueParam { name: first, ty: second }
            | Node::ConceptParam { name: first, concept: second }
            | Node::Typed { name: first, ty: second }
            | Node::Cv { base: first, qualifiers: second }
            | Node::VendorQualified { qualifier: first, base: second }
            | Node::Array { dimension: first, element: second }
            | Node::Vector { dimension: first, element: second }
            | Node::Member { class: first, member: second }
            | Node::Unary { op: first, expr: second, .. }
            | Node::Subobject { expr: first, ty: second, .. } => {
                see(One(first));
                see(One(second));
            }
            Node::Binary { op, left, right } => {
                see(One(op));
                see(One(left));
                see(One(right));
            }
            Node::Ternary { op, first, second, third } => {
                see(One(op));
                see(One(first));
                see(One(second));
                see(One(third));
            }
            Node::Bindings(list) | Node::Pack(list) | Node::Qualifiers(list) | Node::Qualifier { exprs: list, .. } => see(Many(list)),
            Node::ArgsSize(list) | Node::Exprs(list) => see(Many(list)),
            Node::Template { name: what, args } | Node::EnableIf { what, args } => {
                see(One(what));
                see(Many(args));
            }
            Node::Lambda { params, params_need, args, needs, .. } => {
                see(Many(params));
                params_need.iter_mut().for_each(|what| see(One(what)));
                see(Many(args));
                needs.iter_mut().for_each(|what| see(One(what)));
            }
            Node::TemplateParam { name, params, needs } => {
                see(One(name));
                see(Many(params));
                needs.iter_mut().for_each(|what| see(One(what)));
            }
            Node::Module { parent: first, name: second, .. }
            | Node::Constructor { name: second, base: first }
            | Node::Method { base: second, qualifiers: first, .. }
            | Node::Init { ty: first, exprs: second }
            | Node::ExprRequirement { expr: second, ty: first, .. } => {
                first.iter_mut().for_each(|what| see(One(what)));
                see(One(second));
            }
            Node::Function { ret, args, .. } => {
                ret.iter_mut().for_each(|what| see(One(what)));
                see(Many(args));
            }
            Node::Fold { op, first, second, .. } => {
                see(One(op));
                see(One(first));
                second.iter_mut().for_each(|what| see(One(what)));
            }
            Node::New { place, ty, init } => {
                place.iter_mut().for_each(|what| see(One(what)));
                see(One(ty));
                init.iter_mut().for_each(|what| see(One(what)));
            }
            Node::RequiresExpr { params, requirements } => {
                see(Many(params));
                see(Many(requirements));
            }
        }
    }
}
