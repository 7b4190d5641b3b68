//! Messages about missing names, for all files of a profile.

use std::path::Path;

use super::system::is_of_system;
use crate::base::plain::base_name;
use crate::symbolize::{Advice, Note, NoteKind};

/// Messages for the user from `notes`. `main` is the program's mapping, `binary` the file given for it; for several builds
/// `programs` are the mappings.
pub fn messages(notes: &[Note], main: &str, programs: &[String], binary: Option<&Path>, advice: Advice) -> Vec<String> {
    let is_program = |n: &Note| n.mapping == main || programs.contains(&n.mapping);
    // That libraries have no debug information is the rule, and that those of the system have no names.
    let is_usual = |n: &Note| match n.kind {
        NoteKind::NoDebugInfo { .. } => !is_program(n),
        NoteKind::NoNames { .. } => !is_program(n) && is_of_system(&n.mapping),
        _ => false,
    };
    let matters = |n: &&Note| n.is_problem() && !is_usual(n);
    let is_library = |n: &&Note| matches!(n.kind, NoteKind::NotFound { .. }) && !is_program(n);
    let mut messages: Vec<String> = notes.iter().filter(matters).filter(|n| !is_library(n)).map(|n| n.message(advice)).collect();
    if !messages.is_empty() && advice == Advice::CommandLine {
        messages.push("run `heapview doctor` with the same files to see why and how to fix it".into());
    }
    let (systems, missing): (Vec<&Note>, Vec<&Note>) = notes.iter().filter(is_library).partition(|n| is_of_system(&n.mapping));
    let names = |notes: Vec<&Note>| notes.iter().map(|n| base_name(&n.mapping).to_owned()).collect::<Vec<String>>();
    let (systems, missing) = (names(systems), names(missing));
    if !missing.is_empty() {
        messages.push(missing_libraries(&missing, advice));
    }
    if !systems.is_empty() {
        let systems = systems.join(", ");
        messages.push(match advice {
            Advice::CommandLine => format!("not found: {systems}; set PPROF_BINARY_PATH to the directories that contain them"),
            Advice::Page | Advice::Store => advice.reworded(&format!("not found: {systems}; drop them on the page to see their functions")),
        });
    }
    if let Some(given) = binary.map(|b| b.to_string_lossy()).filter(|b| !main.is_empty() && base_name(b) != base_name(main)) {
        messages.push(format!(
            "the profile belongs to {}; its names are taken from {}, as requested, and are wrong if that is another program",
            base_name(main),
            base_name(&given)
        ));
    }
    messages
}

/// Libraries that were not found, and what to do. `names` has at least one.
fn missing_libraries(names: &[String], advice: Advice) -> String {
    const NAMED: usize = 5;
    let more = if names.len() > NAMED { format!(" and {} more", names.len() - NAMED) } else { String::new() };
    let (their, them) = if names.len() == 1 { ("its", "it") } else { ("their", "them") };
    let way = match advice {
        Advice::CommandLine => format!(
            "put {them} beside the binary, name {them} after the binary (heapview BINARY {} DUMP), or set PPROF_BINARY_PATH to the \
             directories that contain {them}",
            names[0]
        ),
        Advice::Page | Advice::Store => advice.reworded(&format!("drop {them} on the page")),
    };
    format!("not found: {}{more}; {their} functions have no names: {way}", names[..names.len().min(NAMED)].join(", "))
}
