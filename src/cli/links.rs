//! Links and command lines that reproduce a view.

use std::path::Path;
use std::sync::Arc;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::flags::{NOT_FLAGS, VALUE_TYPES};
use crate::fetch::Address;
use crate::profile::Dump;
use crate::query::{Granularity, Kind, LOCAL, View, field};
use crate::session::Session;
use crate::web;

/// Makes the command line with which others would reach a view of this server.
pub(super) fn sharing(args: Vec<String>, port: u16, session: Arc<Session>) -> web::ShareCommand {
    Arc::new(move |view| share_command(&args, port, view, session.snapshot().profile.dumps()))
}

/// Flags with a value that grant access or choose the address. `-no_token` has none: it may be harmless on this machine, but is
/// no advice for a public server.
const PRIVATE: [&str; 4] = ["http", "token", "token-file", "token_file"];

/// The command line with which others would reach `view`. It is shown in the page: without passwords and tokens.
fn share_command(args: &[String], port: u16, view: &View, dumps: &[Dump]) -> String {
    let bases = view.weight.base.iter().map(|of| ("base", of)).chain(view.weight.diff_base.iter().map(|of| ("diff_base", of)));
    let base_dumps: Vec<(&str, &Dump)> =
        bases.flat_map(|(flag, of)| of.0.iter().filter_map(move |&n| Some((flag, dumps.get(n)?)))).collect();
    // A base of the command line stays as it was given there.
    let is_given = base_dumps.iter().all(|(_, dump)| dump.is_base);
    let mut command = format!("heapview -http=0.0.0.0:{port}");
    let mut args = args.iter();
    while let Some(word) = args.next() {
        let flag = word.strip_prefix('-').map(|flag| flag.trim_start_matches('-'));
        let (name, has_value) = flag.map_or(("", true), |flag| flag.split_once('=').map_or((flag, false), |(name, _)| (name, true)));
        let is_base = ["base", "diff_base"].contains(&name);
        if PRIVATE.contains(&name) || (is_base && !is_given) || is_of_view(name, true) {
            if !has_value {
                args.next();
            }
        } else if name != "no_token" && !is_of_view(name, false) && !base_dumps.iter().any(|(_, dump)| !dump.is_base && dump.name == *word)
        {
            command += &format!(" {}", quoted(&without_password(word)));
        }
    }
    for (name, value) in shared_pairs(view).filter(|(name, _)| !NOT_FLAGS.contains(name)) {
        command += &format!(" {}", quoted(&format!("-{name}={value}")));
    }
    for (flag, dump) in base_dumps.iter().filter(|(_, dump)| !dump.is_base && Path::new(&dump.name).exists()) {
        command += &format!(" {}", quoted(&format!("-{flag}={}", dump.name)));
    }
    command
}

/// Returns whether a flag is an option of the view, with or without a value.
fn is_of_view(name: &str, takes_value: bool) -> bool {
    let is_word = || Granularity::NAMES.contains(&name) || ["flat", "cum"].contains(&name) || VALUE_TYPES.contains(&name);
    match field(name).filter(|field| !LOCAL.contains(&field.name) && !NOT_FLAGS.contains(&field.name)) {
        Some(field) => (field.kind != Kind::Bool) == takes_value,
        None => !takes_value && is_word(),
    }
}

/// A word of the command line as it may be shown: an address, or a flag's, without its password.
fn without_password(word: &str) -> String {
    let (flag, value) = match word.split_once('=') {
        Some((flag, value)) if flag.starts_with('-') => (Some(flag), value),
        _ => (None, word),
    };
    match Address::parse(value).filter(Address::has_password) {
        Some(address) => flag.map_or(address.to_string(), |flag| format!("{flag}={address}")),
        None => word.to_owned(),
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// The view's options without local paths.
pub(super) fn shared_pairs(view: &View) -> impl Iterator<Item = (&'static str, String)> {
    view.pairs().into_iter().filter(|(name, _)| !LOCAL.contains(name))
}

/// The view's options as a query, and the token if there is one.
pub(super) fn query(view: &View, token: Option<&str>) -> String {
    let pairs = shared_pairs(view).chain(token.map(|token| ("token", token.to_owned())));
    let text: Vec<String> = pairs.map(|(name, value)| format!("{name}={}", utf8_percent_encode(&value, &VALUE))).collect();
    if text.is_empty() { String::new() } else { format!("?{}", text.join("&")) }
}

/// Escaped in a query's value; `:` and `,` are frequent in ours, and read better as they are.
const VALUE: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b':').remove(b',');

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::ViewKind;

    fn command(args: &[&str], view: &[(&str, &str)], dumps: &[Dump]) -> String {
        let args: Vec<String> = args.iter().map(|word| (*word).to_owned()).collect();
        share_command(&args, 80, &View::parse(ViewKind::Top, view.iter().copied()).unwrap(), dumps)
    }

    #[test]
    fn share_command_has_the_arguments_without_secrets() {
        let args = ["-http", ":", "--http=localhost:1", "-no_browser", "bin/shop", "a b.heap", "-source_path=it's"];
        assert_eq!(command(&args, &[], &[]), r"heapview -http=0.0.0.0:80 -no_browser bin/shop 'a b.heap' '-source_path=it'\''s'");
        let args = ["-token", "word-of-mine-1", "--token=word-of-mine-1", "-token-file=x", "-no_token", "http://me:secret@h:1/heap"];
        let args = [&args[..], &["-base=https://me:secret@h/x", "me:secret@h:1", "h:1/heap"]].concat();
        assert_eq!(
            command(&args, &[], &[]),
            "heapview -http=0.0.0.0:80 http://me:xxxxx@h:1/heap -base=https://me:xxxxx@h/x http://me:xxxxx@h:1 h:1/heap"
        );
    }

    #[test]
    fn share_command_keeps_filters_and_base() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let name = file.path().to_str().unwrap();
        let dump = |name: &str, is_base| Dump { name: name.to_owned(), is_base, ..Dump::default() };
        let dumps = [dump(name, false), dump("b.heap", false), dump("given.heap", true)];
        let args = ["-focus=old", "-nodecount", "7", "-lines", "-cum", "-alloc_space", "shop", name, "b.heap", "-base=given.heap"];
        assert_eq!(
            command(&args, &[("f", "a b"), ("h", "x"), ("dump", "1"), ("base", "0")], &dumps),
            format!("heapview -http=0.0.0.0:80 shop b.heap '-focus=a b' -hide=x -base={name}")
        );
        assert_eq!(
            command(&args, &[("g", "lines"), ("base", "2")], &dumps),
            format!("heapview -http=0.0.0.0:80 shop {name} b.heap -base=given.heap -granularity=lines")
        );
        // A base that is no file of this machine cannot be named.
        assert_eq!(command(&["b.heap"], &[("base", "1")], &[dump(name, false), dump("h:1 #2", false)]), "heapview -http=0.0.0.0:80 b.heap");
    }
}
