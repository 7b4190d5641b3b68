//! DHAT's files, version 2: of valgrind 3.17 and later (modes heap, copy and ad-hoc) and of the crate dhat (rust-heap and
//! rust-ad-hoc).
//!
//! ```text
//! {"dhatFileVersion":2
//! ,"mode":"heap","verb":"Allocated"
//! ,"bklt":true,"bkacc":true                    lifetimes and accesses of blocks are known
//! ,"tu":"instrs","Mtu":"Minstr","tuth":500     times are instructions; up to 500 are short
//! ,"cmd":"./t 300","pid":11725
//! ,"te":416277,"tg":400374                     time of the end and of the peak
//! ,"pps":[{"tb":300000,"tbk":300               bytes and blocks in total
//!   ,"tl":66722444                             sum of lifetimes
//!   ,"mb":300000,"mbk":300                     at the most
//!   ,"gb":300000,"gbk":300                     at the peak of the program
//!   ,"eb":200000,"ebk":200                     at the end
//!   ,"rb":0,"wb":300000                        bytes read and written
//!   ,"acc":[-1000,300]                         accesses of each byte: 1,000 times 300
//!   ,"fs":[1,2]}]                              frames, leaf first
//! ,"ftbl":["[root]","0x48417B4: malloc (in /usr/libexec/…)","0x1091DA: main (t.c:8)"]}
//! ```
//!
//! JSON is read value by value into columns; the table of frames comes last, so that program points keep numbers. A file that ends
//! early is shown as far as it goes, without names if the table is missing.

mod document;
mod kind;
mod points;
mod problems;
mod profile;
mod rows;
#[cfg(test)]
pub(super) mod tests;
mod values;

pub(super) use problems::NAME;

use serde::de::DeserializeSeed;

use super::error::{ErrorKind, ParseError, Position, Warning, WarningKind};
use super::input::Input;
use super::lines::find;
use super::parsed::Parsed;
use document::{Document, DocumentSeed, VERSION};

/// Returns whether the first bytes have the keys of the format.
pub(super) fn sniff(head: &[u8]) -> bool {
    let has = |key: &[u8]| find(head, key, 1).is_some();
    head.trim_ascii_start().starts_with(b"{") && (has(b"\"dhatFileVersion\"") || has(b"\"pps\"") && has(b"\"tbk\""))
}

/// Reads a file.
pub(super) fn parse(input: Input<'_>) -> Result<Parsed, ParseError> {
    let fail = |kind, at| ParseError { format: NAME, kind, at };
    let mut document = Document::default();
    let mut json = serde_json::Deserializer::from_slice(input.text);
    let read = DocumentSeed(&mut document).deserialize(&mut json);
    match document.version {
        Some(version) if version < VERSION => {
            let hint = "valgrind 3.15 or 3.16 wrote it; record again with valgrind 3.17 or later, or with the crate dhat";
            let kind = ErrorKind::OlderVersion { found: version.to_string(), oldest: VERSION.to_string(), hint };
            return Err(fail(kind, None));
        }
        Some(version) if version > VERSION => {
            let what = "a newer valgrind or crate dhat".to_owned();
            let kind = ErrorKind::NewerVersion { what, found: version.to_string(), newest: VERSION.to_string() };
            return Err(fail(kind, None));
        }
        _ => {}
    }
    document.points.drop_rest();
    let mut warnings: Vec<Warning> = input.warning(NAME).into_iter().collect();
    if let Err(error) = &read {
        let at = Some(Position::Line(error.line().max(1)));
        let is_cut = error.is_eof();
        let reason = if is_cut { String::new() } else { reason(error) };
        if !document.points.is_begun || document.points.len() == 0 && !is_cut {
            return Err(fail(ErrorKind::Json { is_cut, reason }, at));
        }
        if !document.frames.is_complete {
            return Err(fail(ErrorKind::NoFrames { reason }, at));
        }
        let kind = WarningKind::CutJson { reason, n_points: document.points.len(), is_complete: document.points.is_complete };
        warnings.push(Warning { format: NAME, kind, at });
    }
    let (mut profile, more) = profile::into_profile(document, input.text.len(), read.is_err());
    warnings.extend(more);
    profile.multiply(input.parts);
    if profile.samples().is_empty() && warnings.is_empty() {
        warnings.push(Warning { format: NAME, kind: WarningKind::NoEvents, at: None });
    }
    Ok(Parsed { profile, format: NAME, warnings })
}

/// The reader's message without its place.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason).to_owned()
}
