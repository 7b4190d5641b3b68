//! Several binaries on one command line: each is of the profiles behind it, up to the next one.
//!
//! ```text
//! heapview diff old/forest old.heap new/forest new.heap
//! ```
//!
//! Both programs may have run from the same path, so that nothing in the profiles tells them apart. Each profile's
//! program therefore gets the path of its binary before profiles are put together.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::inputs::{self, Input};
use crate::id::{Id, MappingId};
use crate::profile::Profile;
use crate::symbolize;

/// The binaries, when there are several.
#[derive(Debug, Default)]
pub(super) struct Builds {
    programs: Vec<Program>,
}

#[derive(Debug)]
struct Program {
    path: PathBuf,
    /// Empty when it has none.
    build_id: String,
}

impl Builds {
    /// Says of each input which binary it goes with. Profiles before the first one go with that; so do those to subtract,
    /// unless a binary stands there that no other profile follows. O(inputs).
    pub(super) fn assign(inputs: &mut [Input]) -> Result<Builds> {
        let is_binary: Vec<bool> = inputs.iter().map(|i| !i.is_base && !i.is_found && inputs::is_binary(&i.path)).collect();
        // Binary → whether a profile goes with it.
        let mut given: Vec<(PathBuf, bool)> =
            inputs.iter().zip(&is_binary).filter(|(_, is)| **is).map(|(input, _)| (input.path.clone(), false)).collect();
        if given.len() < 2 {
            return Ok(Builds::default());
        }
        let mut n_seen: usize = 0;
        for (input, is_binary) in inputs.iter_mut().zip(&is_binary).filter(|(input, _)| !input.is_base) {
            if *is_binary {
                n_seen += 1;
            } else {
                let (path, has_profile) = &mut given[n_seen.saturating_sub(1)];
                *has_profile = true;
                input.program = Some(path.clone());
            }
        }
        let mut idle = given.iter().filter(|(_, has_profile)| !has_profile).map(|(path, _)| path);
        let has_base = inputs.iter().any(|input| input.is_base);
        let of_base = match (idle.next(), idle.next()) {
            (None, _) => given[0].0.clone(),
            (Some(only), None) if has_base => only.clone(),
            (Some(lonely), _) => bail!(
                "{} binaries are given, but no profile follows {}; put each binary before its profiles: heapview diff <binary> <before> <binary> <after>",
                given.len(),
                lonely.display()
            ),
        };
        inputs.iter_mut().filter(|input| input.is_base).for_each(|input| input.program = Some(of_base.clone()));
        let mut programs: Vec<Program> = Vec::new();
        for (path, _) in given {
            if !programs.iter().any(|known| known.path == path) {
                // One that cannot be read is told of when names are looked up.
                let build_id = symbolize::build_id(&path).unwrap_or_default();
                programs.push(Program { path, build_id });
            }
        }
        Ok(Builds { programs })
    }

    /// Whether there is more than one binary.
    pub(super) fn is_several(&self) -> bool {
        !self.programs.is_empty()
    }

    /// Whether this is one of the binaries.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.programs.iter().any(|program| program.path == path)
    }

    /// Where they lie.
    pub(super) fn paths(self) -> Vec<PathBuf> {
        self.programs.into_iter().map(|program| program.path).collect()
    }

    /// Calls the program in `profile` by the path of its binary. Returns what there is to warn of. O(mappings).
    pub(super) fn name_program(&self, profile: &mut Profile, input: &Input) -> Option<String> {
        let given = input.program.as_deref().filter(|_| self.is_several())?;
        profile.map_all();
        let mappings = &profile.code().mappings;
        let main = mappings.get(MappingId::new(0))?;
        let (file, build_id) = (profile.text(main.file).to_owned(), profile.text(main.build_id));
        // What is to be subtracted stands apart from its binary.
        let of_build = self.programs.iter().find(|p| input.is_base && !build_id.is_empty() && p.build_id == build_id);
        let path = of_build.map_or(given, |program| &program.path);
        // Some writers have a mapping for each segment.
        let parts = mappings.enumerate().filter(|(_, m)| m.file == main.file && m.build_id == main.build_id);
        let names: Vec<(MappingId, String)> = parts.map(|(id, _)| (id, path.to_string_lossy().into_owned())).collect();
        let is_of_build = !build_id.is_empty() && self.programs.iter().any(|p| p.path == path && p.build_id == build_id);
        profile.rename_mappings(&names);
        let [ran, read] = [Path::new(&file), path].map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        let ran = ran.strip_suffix(" (deleted)").unwrap_or(&ran);
        (!ran.is_empty() && ran != read && !is_of_build).then(|| {
            format!("the profile belongs to {ran}; its names are taken from {read}, as requested, and are wrong if that is another program")
        })
    }
}
