//! Mappings of a profile that an uploaded file fits.

use super::fit::{CallSites, Evidence};
use super::in_memory::fit;
use super::locate::Wanted;
use super::mapping_groups::groups;
use crate::profile::Profile;
use crate::symbolize::options::Options;
use crate::symbolize::read::in_memory_file::InMemoryFile;

impl InMemoryFile {
    /// The modules of `profile` that this is, by path; `the program` when the profile has no
    /// mappings at all. O(stacks).
    pub fn fits(&self, profile: &Profile) -> Vec<String> {
        if profile.code().mappings.is_empty() {
            return vec!["the program".into()];
        }
        let options = Options::default();
        let (groups, _) = groups(profile, &options, true);
        let sites = CallSites::new(profile);
        let is_it = |wanted: Wanted<'_>| self.image().ok().is_some_and(|image| fit(&image, wanted).is_some());
        let fitting = groups.iter().filter(|group| {
            let evidence = Evidence { sites: &sites, mappings: &group.mappings };
            is_it(Wanted { path: group.path(profile).0, build_id: group.build_id, evidence: &evidence })
        });
        fitting.map(|group| group.name.to_owned()).collect()
    }
}
