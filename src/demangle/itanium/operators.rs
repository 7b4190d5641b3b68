//! Operators: mangled codes, spelling, and number of operands.

#[derive(Debug)]
pub(super) struct Operator {
    code: [u8; 2],
    /// Spelling between operands. A blank at the end is not part of the operator's name.
    pub(super) text: &'static str,
    pub(super) operands: u8,
}

/// The operator that two letters represent. `cv`, a conversion, is none of these.
pub(super) fn operator(code: [u8; 2]) -> Option<&'static Operator> {
    OPERATORS.binary_search_by(|op| op.code.cmp(&code)).ok().map(|at| &OPERATORS[at])
}

/// A function call.
pub(super) const CALL: &Operator = &op(b"cl", "()", 2);
/// Prefix of the global scope.
pub(super) const GLOBAL: &Operator = &op(b"gs", "::", 1);

const fn op(code: &[u8; 2], text: &'static str, operands: u8) -> Operator {
    Operator { code: *code, text, operands }
}

/// Sorted by code.
static OPERATORS: [Operator; 76] = [
    op(b"aN", "&=", 2),
    op(b"aS", "=", 2),
    op(b"aa", "&&", 2),
    op(b"ad", "&", 1),
    op(b"an", "&", 2),
    op(b"at", "alignof ", 1),
    op(b"aw", "co_await ", 1),
    op(b"az", "alignof ", 1),
    op(b"cc", "const_cast", 2),
    op(b"cl", "()", 2),
    op(b"cm", ",", 2),
    op(b"co", "~", 1),
    op(b"cp", "() ", 2), // clang: a call whose function is in brackets
    op(b"dV", "/=", 2),
    op(b"dX", "[...]=", 3),
    op(b"da", "delete[] ", 1),
    op(b"dc", "dynamic_cast", 2),
    op(b"de", "*", 1),
    op(b"di", "=", 2),
    op(b"dl", "delete ", 1),
    op(b"ds", ".*", 2),
    op(b"dt", ".", 2),
    op(b"dv", "/", 2),
    op(b"dx", "]=", 2),
    op(b"eO", "^=", 2),
    op(b"eo", "^", 2),
    op(b"eq", "==", 2),
    op(b"fL", "...", 3),
    op(b"fR", "...", 3),
    op(b"fl", "...", 2),
    op(b"fr", "...", 2),
    op(b"ge", ">=", 2),
    op(b"gs", "::", 1),
    op(b"gt", ">", 2),
    op(b"ix", "[]", 2),
    op(b"lS", "<<=", 2),
    op(b"le", "<=", 2),
    op(b"li", "operator\"\" ", 1),
    op(b"ls", "<<", 2),
    op(b"lt", "<", 2),
    op(b"mI", "-=", 2),
    op(b"mL", "*=", 2),
    op(b"mi", "-", 2),
    op(b"ml", "*", 2),
    op(b"mm", "--", 1),
    op(b"na", "new[]", 3),
    op(b"ne", "!=", 2),
    op(b"ng", "-", 1),
    op(b"nt", "!", 1),
    op(b"nw", "new", 3),
    op(b"nx", "noexcept", 1),
    op(b"oR", "|=", 2),
    op(b"oo", "||", 2),
    op(b"or", "|", 2),
    op(b"pL", "+=", 2),
    op(b"pl", "+", 2),
    op(b"pm", "->*", 2),
    op(b"pp", "++", 1),
    op(b"ps", "+", 1),
    op(b"pt", "->", 2),
    op(b"qu", "?", 3),
    op(b"rM", "%=", 2),
    op(b"rS", ">>=", 2),
    op(b"rc", "reinterpret_cast", 2),
    op(b"rm", "%", 2),
    op(b"rs", ">>", 2),
    op(b"sP", "sizeof...", 1),
    op(b"sZ", "sizeof...", 1),
    op(b"sc", "static_cast", 2),
    op(b"ss", "<=>", 2),
    op(b"st", "sizeof ", 1),
    op(b"sz", "sizeof ", 1),
    op(b"te", "typeid ", 1),
    op(b"ti", "typeid ", 1),
    op(b"tr", "throw", 0),
    op(b"tw", "throw ", 1),
];

#[cfg(test)]
mod tests {
    use super::{OPERATORS, operator};

    #[test]
    fn every_operator_is_found() {
        for op in &OPERATORS {
            assert_eq!(operator(op.code).map(|found| found.text), Some(op.text));
        }
        assert!(operator(*b"cv").is_none());
    }
}
