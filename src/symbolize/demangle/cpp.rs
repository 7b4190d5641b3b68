//! C++ names (Itanium ABI), read by `cpp_demangle` and printed in pprof's words.

use std::fmt;

use cpp_demangle::{BorrowedSymbol, DemangleNodeType, DemangleOptions, DemangleWrite, ParseOptions};

use super::Demangle;

/// Bytes of a name; a few references can ask for endless output.
const MAX_OUTPUT: usize = 1 << 16;
/// Parts inside of each other.
const MAX_DEPTH: u32 = 192;

/// The name of a C++ symbol; `None` when it is none.
pub(super) fn demangle(symbol: &str, mode: Demangle) -> Option<String> {
    if let Some((what, inner)) = special(symbol) {
        // pprof shows the parameters of these in every mode.
        return Some(format!("{what}{}", print(&inner, mode == Demangle::Default, DemangleOptions::new().no_return_type())?));
    }
    if mode == Demangle::Full {
        // `cpp_demangle` takes the first parameter of unified constructors for what they return.
        let name = print(&symbol.replace("EC4I", "EC1I"), false, DemangleOptions::new())?;
        let bare = name.find(" [clone ").map_or(name.as_str(), |at| &name[..at]);
        return Some(literals(bare));
    }
    let name = print(symbol, mode == Demangle::Default, DemangleOptions::new().no_params().no_return_type())?;
    let mut bare = name.as_str();
    while let Some(less) = [" const", " volatile", " &&", " &"].iter().find_map(|end| bare.strip_suffix(end)) {
        bare = less;
    }
    let name = abbreviated(symbol, without_enclosing_params(bare), mode);
    Some(if mode == Demangle::Default { name } else { literals(&name) })
}

/// Prints `symbol`, or what can be read of it: g++ has return types that nobody can
/// read, and they are not needed.
fn print(symbol: &str, erases: bool, options: DemangleOptions) -> Option<String> {
    let (parsed, _) = BorrowedSymbol::with_tail_and_options(symbol.as_bytes(), &ParseOptions::default().recursion_limit(MAX_DEPTH)).ok()?;
    let mut out = Writer { text: String::new(), erases, nodes: Vec::new(), erased: 0, closes: false };
    parsed.structured_demangle(&mut out, &options.recursion_limit(MAX_DEPTH)).ok()?;
    Some(out.text)
}

/// Functions made of others: what they are, and the symbol of the other one.
fn special(symbol: &str) -> Option<(&'static str, String)> {
    let offset =
        |text: &'_ str| Some(text.trim_start_matches('n').trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('_')?.to_string());
    let either = |text: &str| match text.split_at_checked(1)? {
        ("h", rest) => offset(rest),
        ("v", rest) => offset(&offset(rest)?),
        _ => None,
    };
    let (what, inner) = if let Some(rest) = symbol.strip_prefix("_ZGT") {
        ("transaction clone for ", rest.get(1..)?.to_string())
    } else if let Some(rest) = symbol.strip_prefix("_ZTh") {
        ("non-virtual thunk to ", offset(rest)?)
    } else if let Some(rest) = symbol.strip_prefix("_ZTv") {
        ("virtual thunk to ", offset(&offset(rest)?)?)
    } else if let Some(rest) = symbol.strip_prefix("_ZTc") {
        ("covariant return thunk to ", either(&either(rest)?)?)
    } else {
        return None;
    };
    Some((what, format!("_Z{inner}")))
}

/// `(unsigned int)4` as `4u`, and no trace of empty packs.
fn literals(name: &str) -> String {
    const TYPES: [(&str, &str); 5] =
        [("(unsigned int)", "u"), ("(long)", "l"), ("(unsigned long)", "ul"), ("(long long)", "ll"), ("(unsigned long long)", "ull")];
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find(['(', ',']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let literal = TYPES.iter().find_map(|(ty, suffix)| {
            let number = rest.strip_prefix(ty)?;
            let sign = usize::from(number.starts_with('-'));
            let digits = number[sign..].bytes().take_while(u8::is_ascii_digit).count();
            (digits > 0).then(|| (number.split_at(sign + digits), *suffix))
        });
        if let Some(((number, after), suffix)) = literal {
            out.push_str(number);
            out.push_str(suffix);
            rest = after;
        } else if let Some(after) = rest.strip_prefix(", >") {
            out.push_str(if out.ends_with('>') { " >" } else { ">" });
            rest = after;
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

/// `f(int)::{lambda(char)#1}::operator()` without the `int`: functions that enclose
/// a local name show only that they are functions.
fn without_enclosing_params(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find(['(', '{']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let end = closing(from);
        let (part, after) = from.split_at(end);
        let encloses = after.starts_with("::") || after.starts_with(" const::") || after.starts_with("[abi:");
        let is_name = part == "(anonymous namespace)" || before.ends_with("operator") || part.starts_with('{');
        out.push_str(if encloses && !is_name { "()" } else { part });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// One past the bracket that closes the first one of `text`.
fn closing(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + c.len_utf8();
        }
    }
    text.len()
}

/// The standard library's streams and strings under the names that pprof has for
/// them: `std::istream::get`, but `std::basic_istream::basic_istream`.
fn abbreviated(symbol: &str, name: String, mode: Demangle) -> String {
    let Some(tail) = symbol.strip_prefix("_ZN") else { return name };
    let tail = tail.trim_start_matches(['r', 'V', 'K', 'R', 'O']);
    let (short, long, args) = match tail.get(..2) {
        Some("Ss") => ("string", "basic_string", "<char, std::char_traits<char>, std::allocator<char> >"),
        Some("Si") => ("istream", "basic_istream", "<char, std::char_traits<char> >"),
        Some("So") => ("ostream", "basic_ostream", "<char, std::char_traits<char> >"),
        Some("Sd") => ("iostream", "basic_iostream", "<char, std::char_traits<char> >"),
        _ => return name,
    };
    let member =
        [format!("std::{short}::"), format!("std::{long}{args}::")].iter().find_map(|start| name.strip_prefix(start).map(str::to_owned));
    let Some(member) = member else { return name };
    if !matches!(tail.as_bytes().get(2), Some(b'C' | b'D')) {
        return format!("std::{short}::{member}");
    }
    let args = if mode == Demangle::Default { "" } else { args };
    let tilde = if member.starts_with('~') { "~" } else { "" };
    let rest = member.trim_start_matches('~');
    let rest = rest.strip_prefix(long).or_else(|| rest.strip_prefix(short)).unwrap_or_default();
    format!("std::{long}{args}::{tilde}{long}{rest}")
}

/// Takes a name down without its template arguments.
struct Writer {
    text: String,
    erases: bool,
    nodes: Vec<DemangleNodeType>,
    /// Open nodes that are template arguments.
    erased: usize,
    /// The closing bracket of erased arguments comes next.
    closes: bool,
}

impl DemangleWrite for Writer {
    fn push_demangle_node(&mut self, node: DemangleNodeType) {
        if self.erases && node == DemangleNodeType::TemplateArgs {
            if self.erased == 0 {
                // The brackets stand outside of the node, apart from those of `operator<`.
                let bare = self.text.strip_suffix('<').unwrap_or(&self.text);
                let bare = bare.strip_suffix(' ').filter(|bare| bare.ends_with('<')).unwrap_or(bare);
                self.text.truncate(bare.len());
            }
            self.erased += 1;
        }
        self.nodes.push(node);
    }

    fn write_string(&mut self, text: &str) -> fmt::Result {
        if self.erased > 0 || (std::mem::take(&mut self.closes) && text == ">") {
            return Ok(());
        }
        if self.text.len() + text.len() > MAX_OUTPUT {
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }

    fn pop_demangle_node(&mut self) {
        if self.nodes.pop() == Some(DemangleNodeType::TemplateArgs) && self.erases {
            self.erased = self.erased.saturating_sub(1);
            self.closes = self.erased == 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Demangle, demangle};

    #[test]
    fn arguments_and_parameters_go() {
        for (symbol, name) in [
            ("_ZNSt6vectorIiSaIiEE9push_backEOi", "std::vector::push_back"),
            ("_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector::size"),
            ("_ZN12_GLOBAL__N_15auditEm", "(anonymous namespace)::audit"),
            ("_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()"),
            ("_ZZN3foo3barEiPKcENKUlvE_clEv", "foo::bar()::{lambda()#1}::operator()"),
            ("_ZN5shelf5labelB5cxx11Em", "shelf::label[abi:cxx11]"),
            ("_ZlsIiERSoS0_RK3BoxIT_E", "operator<<"),
            ("_ZN3BoxIiEltERKS0_", "Box::operator<"),
            ("_ZN3BoxIiEptEv", "Box::operator->"),
            ("_ZNK3BoxIiEcviEv", "Box::operator int"),
            ("_ZN3foo3barEv.cold", "foo::bar"),
            ("_ZN3foo3barEv.isra.0.part.1", "foo::bar"),
            ("_ZNSsC1EPKcRKSaIcE", "std::basic_string::basic_string"),
            ("_ZNSs6appendEPKc", "std::string::append"),
            ("_ZNSi3getEv", "std::istream::get"),
            ("_ZNKR3foo3barEv", "foo::bar"),
            ("_ZThn16_N3foo3barEi", "non-virtual thunk to foo::bar(int)"),
            // g++ writes this return type in a way of its own.
            ("_ZSt11make_sharedIiJRmEESt10shared_ptrINSt9enable_ifIXntsrSt8is_arrayIT_E5valueES3_E4typeEEDpOT0_", "std::make_shared"),
        ] {
            assert_eq!(demangle(symbol, Demangle::Default).as_deref(), Some(name), "{symbol}");
        }
    }

    #[test]
    fn more_is_kept_on_request() {
        let symbol = "_ZN3FixILm64ELj2EE3putIiEEbRKT_";
        assert_eq!(demangle(symbol, Demangle::Templates).as_deref(), Some("Fix<64ul, 2u>::put<int>"));
        assert_eq!(demangle(symbol, Demangle::Full).as_deref(), Some("bool Fix<64ul, 2u>::put<int>(int const&)"));
        assert_eq!(demangle("_ZN3foo3barEi.cold", Demangle::Full).as_deref(), Some("foo::bar(int)"));
    }

    #[test]
    fn anything_may_come() {
        for symbol in ["_Z", "_ZN", "_ZTh", "_ZTc", "_ZGT", "_ZGTt", "___Z", "_GLOBAL_", "_ZTv0_n24_", "_ZN3f\u{e4}oE"] {
            let _ = demangle(symbol, Demangle::Default);
        }
        let deep = format!("_Z1f{}i", "P".repeat(200_000));
        let _ = demangle(&deep, Demangle::Full);
    }
}
