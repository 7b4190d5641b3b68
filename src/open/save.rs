//! Saves fetched profiles where pprof does.

use crate::query::in_one_line;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use super::atomic_file::Part;
use crate::base::plain::base_name;
use crate::profile::Profile;
use crate::query::{View, ViewKind};
use crate::terminal::message::say;
use crate::{analyze, export};

/// Saves `profile` minus its base, and prints the path. Errors are warnings.
pub(crate) fn save(profile: &Profile, base: Option<&(&'static str, String)>) {
    match try_save(profile, base) {
        Ok(path) => say(&format!("Saved profile in {}", path.display())),
        Err(error) => say(&format!("Could not save profile: {error:#}")),
    }
}

fn try_save(profile: &Profile, base: Option<&(&'static str, String)>) -> Result<PathBuf> {
    let view = View::parse(ViewKind::Top, base.iter().map(|(name, dumps)| (*name, dumps.as_str())))
        .map_err(|errors| anyhow!(in_one_line(&errors)))?;
    // Without a base it is written unchanged.
    let difference = base.map(|_| analyze::filtered(profile, &view)).transpose()?.map(|filtered| filtered.profile);
    let shown = difference.as_ref().unwrap_or(profile);
    let folder = folder()?;
    write_new(&folder, &prefix(shown), |out| export::write_pprof(shown, out)).with_context(|| format!("in {}", folder.display()))
}

/// The first of PPROF_TMPDIR, `pprof` at home and the system's folder that is there or can be made.
fn folder() -> Result<PathBuf> {
    let variable = |name| env::var_os(name).filter(|v: &OsString| !v.is_empty());
    let own = variable("PPROF_TMPDIR").map(PathBuf::from);
    let home = variable("HOME").map(|home| Path::new(&home).join("pprof"));
    for folder in own.into_iter().chain(home).chain([env::temp_dir()]) {
        match fs::create_dir_all(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) => say(&format!("Could not use temp dir {}: {error}", folder.display())),
        }
    }
    bail!("no directory for it; set PPROF_TMPDIR")
}

/// `pprof.PROGRAM.TYPE.TYPE.`; names come from the profile and are made parts of one.
fn prefix(profile: &Profile) -> String {
    let main = profile.code().mappings.iter().next().map_or("", |m| profile.text(m.file));
    let program = base_name(main);
    let names = [program].into_iter().filter(|p| !p.is_empty()).chain(profile.value_types().iter().map(|t| t.kind.as_str()));
    let mut prefix = String::from("pprof.");
    for name in names {
        prefix.extend(name.chars().map(|c| if c.is_control() || "/\\".contains(c) { '_' } else { c }).take(64));
        prefix.push('.');
    }
    // Names of files are 255 bytes at most.
    while prefix.len() > 200 {
        prefix.pop();
    }
    prefix
}

/// Creates `PREFIXnnn.pb.gz` with the first free number. The file is complete as soon as it has its name.
fn write_new(folder: &Path, prefix: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<PathBuf> {
    let (mut part, file) = Part::create(&folder.join(format!("{prefix}pb.gz")))?;
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.flush()?;
    for number in 1..10_000 {
        let path = folder.join(format!("{prefix}{number:03}.pb.gz"));
        part = match part.put_new(&path) {
            Ok(()) => return Ok(path),
            Err((error, part)) if error.kind() == io::ErrorKind::AlreadyExists => part,
            Err((error, _)) => return Err(error.into()),
        };
    }
    bail!("{prefix}001.pb.gz to {prefix}9999.pb.gz all exist; remove old ones")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Mapping, ProfileBuilder};

    #[test]
    fn names_from_a_profile_stay_in_the_folder() {
        let mut builder = ProfileBuilder::new(&[("../../etc/space\n", "bytes"), ("objects", "count")]);
        let file = builder.string("/srv/sh\u{1b}op/");
        builder.mapping(Mapping { file, ..Mapping::default() });
        assert_eq!(prefix(&builder.build()), "pprof.sh_op..._.._etc_space_.objects.");
        let long = ProfileBuilder::new(&[("ä".repeat(300).as_str(), "bytes"); 4]).build();
        assert!(prefix(&long).len() <= 200);
    }

    #[test]
    fn no_file_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let write = |text: &'static str| write_new(folder.path(), "pprof.x.", move |out| out.write_all(text.as_bytes())).unwrap();
        let (first, second) = (write("a"), write("b"));
        assert_eq!(fs::read_to_string(&first).unwrap() + &fs::read_to_string(&second).unwrap(), "ab");
        assert!(second.ends_with("pprof.x.002.pb.gz"), "{second:?}");
        assert!(write_new(folder.path(), "pprof.x.", |_| Err(io::Error::other("full"))).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "parts are left behind");
    }
}
