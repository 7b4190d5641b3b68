//! Legacy Rust mangling: `_ZN4core3fmt5write17h0123456789abcdefE`.
//!
//! Keeps the generic parameters of `impl` blocks (as `$LT$T$GT$`) but none of functions, so nothing has to be erased.

/// The path of a legacy Rust symbol, without its hash; `None` when it is something
/// else. (pprof loses one underscore at the start of each part.)
pub(super) fn demangle(symbol: &str) -> Option<String> {
    let mut parts = path(symbol)?;
    let mut out = String::with_capacity(parts.len());
    while !parts.is_empty() {
        let digits = parts.bytes().take_while(u8::is_ascii_digit).count();
        let len: usize = parts[..digits].parse().ok().filter(|&len| len < 1 << 27)?;
        let (part, rest) = parts[digits..].split_at_checked(len)?;
        parts = rest;
        if !out.is_empty() {
            out.push_str("::");
        }
        unescape(part, &mut out);
    }
    Some(out)
}

/// Returns whether a symbol looks like one of these.
pub(super) fn is_mangled(symbol: &str) -> bool {
    path(symbol).is_some()
}

/// Path segments, each preceded by its length.
fn path(symbol: &str) -> Option<&str> {
    let symbol = match symbol.rfind("E.") {
        Some(end) if end > 0 => &symbol[..end + 1], // `.llvm.123` and the like
        _ => symbol,
    };
    let body = symbol.strip_prefix("_ZN")?.strip_suffix('E')?;
    let at = body.len().checked_sub(19).filter(|&at| at > 0 && body.is_char_boundary(at))?;
    let (parts, hash) = body.split_at(at);
    is_hash(hash).then_some(parts)
}

/// `17h` and sixteen digits, that are not all the same few.
fn is_hash(hash: &str) -> bool {
    let Some(digits) = hash.strip_prefix("17h") else { return false };
    let mut seen = 0u16;
    for digit in digits.bytes() {
        match digit {
            b'0'..=b'9' => seen |= 1 << (digit - b'0'),
            b'a'..=b'f' => seen |= 1 << (digit - b'a' + 10),
            _ => return false,
        }
    }
    digits.len() == 16 && seen.count_ones() >= 5
}

/// Undoes what rustc did to characters that linkers do not take.
fn unescape(part: &str, out: &mut String) {
    let mut rest = if part.starts_with("_$") { &part[1..] } else { part };
    while let Some(c) = rest.chars().next() {
        let (text, len) = if let Some(tail) = rest.strip_prefix('$') {
            let escape = tail.find('$').and_then(|end| Some((escaped(&tail[..end])?, end + 2)));
            let Some(escape) = escape else {
                out.push_str(rest);
                return;
            };
            escape
        } else if rest.starts_with("..") {
            out.push_str("::");
            rest = &rest[2..];
            continue;
        } else {
            (c, c.len_utf8())
        };
        out.push(text);
        rest = &rest[len..];
    }
}

fn escaped(code: &str) -> Option<char> {
    Some(match code {
        "C" => ',',
        "SP" => '@',
        "BP" => '*',
        "RF" => '&',
        "LT" => '<',
        "GT" => '>',
        "LP" => '(',
        "RP" => ')',
        _ => {
            let digits = code.strip_prefix('u').filter(|digits| digits.len() == 2 && !digits.contains('+'))?;
            let byte = u8::from_str_radix(digits, 16).ok().filter(|byte| (0x20..0x80).contains(byte))?;
            char::from(byte)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::demangle;

    #[test]
    fn hash_goes_and_escapes_are_undone() {
        for (symbol, name) in [
            ("_ZN6ledger5cache9SeenCache8remember17hc52f0000ee1c066aE", "ledger::cache::SeenCache::remember"),
            ("_ZN4test4main28_$u7b$$u7b$closure$u7d$$u7d$17hf61d5b807fb155d6E.llvm.57374", "test::main::{{closure}}"),
            ("_ZN5alloc3vec12Vec$LT$T$GT$4push17h16818233a144e086E", "alloc::vec::Vec<T>::push"),
            ("_ZN57_$LT$test..A$LT$T$C$S$GT$$u20$as$u20$test..B$LT$T$GT$$GT$1f17h16818233a144e086E", "<test::A<T,S> as test::B<T>>::f"),
            ("_ZN4test7__start17h16818233a144e086E", "test::__start"),
            ("_ZN4test5$RF$a17h16818233a144e086E", "test::&a"),
        ] {
            assert_eq!(demangle(symbol).as_deref(), Some(name), "{symbol}");
        }
    }

    #[test]
    fn other_names_are_left_to_others() {
        for symbol in [
            "_ZN3foo3barEv",
            "_ZN3foo17h1111111111111111E",
            "_ZN3foo17h16818233a144e08zE",
            "_ZN9foo17h16818233a144e086E",
            "_ZN17h16818233a144e086E",
            "_ZN\u{e4}17h16818233a144e086E",
            "_ZN2\u{e4}17h16818233a144e0\u{e4}E",
        ] {
            assert_eq!(demangle(symbol), None, "{symbol}");
        }
    }
}
