//! C++ names (Itanium ABI).
use super::Demangle;
pub(super) fn demangle(symbol: &str, mode: Demangle) -> Option<String> {
    let parsed = cpp_demangle::Symbol::new(symbol).ok()?;
    let mut o = cpp_demangle::DemangleOptions::new();
    if mode != Demangle::Full { o = o.no_params().no_return_type(); }
    let s = parsed.demangle_with_options(&o).ok()?;
    Some(if mode == Demangle::Default { super::without(&s, '<', '>') } else { s })
}
