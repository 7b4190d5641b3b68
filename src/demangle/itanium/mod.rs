//! C++ names mangled by the Itanium ABI, used by all systems except Windows.
//!
//! `parse` builds a syntax tree from a symbol, `print` prints it. Both are our own: names must equal pprof's at each level, and
//! no symbol may take long, use much memory or overflow the stack.

mod ast;
mod id;
mod node;
mod operators;
mod parse;
mod print;
#[cfg(test)]
mod tests;

use self::ast::Ast;
use self::parse::Parser;
use self::print::{Style, print};
use super::level::Demangle;

/// Parts of a name that are made, copied or visited; symbols of real programs stay below 1 << 13.
const FUEL: u32 = 1 << 18;

/// The name of a C++ symbol; `None` when it is none, or one that takes more than `work`: parts that are read or
/// printed, and bytes of output.
pub(super) fn demangle(symbol: &str, mode: Demangle, work: &mut u64) -> Option<String> {
    if let Some(symbol) = symbol.strip_prefix("_Z") {
        return name_of(symbol, mode, mode == Demangle::Full, work).map(|(name, _)| name);
    }
    if let Some(symbol) = symbol.strip_prefix("___Z") {
        return block(symbol, mode, work);
    }
    let rest = symbol.strip_prefix("_GLOBAL_")?.strip_prefix(['.', '_', '$'])?;
    let (kind, key) = rest.split_once('_')?;
    let kind = match kind {
        "I" => "constructors",
        "D" => "destructors",
        _ => return None,
    };
    let key = match key.strip_prefix("_Z") {
        // pprof shows the parameters of these in every mode.
        Some(symbol) => name_of(symbol, mode, true, work).filter(|(_, rest)| rest.is_empty() || rest.starts_with('.'))?.0,
        None => symbol.strip_prefix("_GLOBAL_")?.to_string(),
    };
    Some(format!("global {kind} keyed to {key}"))
}

/// A block of clang: `___Z3foov_block_invoke_2`.
fn block(symbol: &str, mode: Demangle, work: &mut u64) -> Option<String> {
    let at = symbol.rfind("_block_invoke")?;
    let (symbol, end) = symbol.split_at(at);
    let number = end.strip_prefix("_block_invoke")?;
    let number = number.strip_prefix('_').unwrap_or(number);
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit());
    if !rest.is_empty() && !rest.starts_with('.') {
        return None;
    }
    Some(format!("invocation function for block in {}", name_of(symbol, mode, mode == Demangle::Full, work)?.0))
}

/// The name, and what comes after it in the symbol: suffixes of the compiler's clones.
fn name_of<'a>(symbol: &'a str, mode: Demangle, has_params: bool, work: &mut u64) -> Option<(String, &'a str)> {
    let style = Style { has_template_args: mode != Demangle::Default, has_enclosing_params: mode == Demangle::Full };
    // g++ and the ABI differ in what they count; c++filt knows that, pprof does not.
    let ways = if symbol.contains("sr") { &[false, true][..] } else { &[false] };
    ways.iter().find_map(|&scopes_are_types| {
        let fuel = u32::try_from(*work).unwrap_or(FUEL).min(FUEL);
        let mut parser = Parser::new(symbol, Ast::new(fuel), scopes_are_types);
        let name = parser.encoding(has_params, false);
        *work -= u64::from(fuel - parser.ast.fuel());
        Some((print(&parser.ast, name?, style, work)?, parser.rest()))
    })
}
