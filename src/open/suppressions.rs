//! Files with rules for blocks that are in use at the end on purpose, in LeakSanitizer's format.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::terminal::message::say;

/// Longest file, bytes.
const LONGEST: u64 = 16 << 20;

/// The rules `leak:pattern` of a file; other lines but empty ones and comments are reported.
pub(crate) fn read(path: &Path) -> Result<Vec<String>> {
    let shown = path.display();
    let meta = std::fs::metadata(path).with_context(|| format!("cannot open {shown}"))?;
    if meta.len() > LONGEST {
        bail!("{shown} has {} MiB; the limit is {} MiB", meta.len() >> 20, LONGEST >> 20);
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {shown}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (rules, others): (Vec<(usize, &str)>, Vec<_>) =
        lines.partition(|(_, line)| line.strip_prefix("leak:").is_some_and(|pattern| !pattern.is_empty()));
    if let Some((number, line)) = others.first() {
        let more = if others.len() > 1 { format!(" (and {} more)", others.len() - 1) } else { String::new() };
        say(&format!("{shown}:{number}: invalid suppression line: {line}{more}; a rule is leak:<pattern>"));
    }
    Ok(rules.into_iter().map(|(_, line)| line.to_owned()).collect())
}
