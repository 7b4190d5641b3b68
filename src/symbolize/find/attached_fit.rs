//! Mappings of a profile that an attached file fits.

use std::sync::Arc;

use super::attached::fit;
use super::fit::{CallSites, Evidence};
use super::locate::Wanted;
use super::mapping_groups::groups;
use crate::profile::Profile;
use crate::symbolize::options::Options;
use crate::symbolize::read::attached_file::AttachedFile;

impl AttachedFile {
    /// The modules of `profile` that this is, or is the debug file of, by path; `the program` when the profile has no
    /// mappings at all. O(stacks).
    pub fn fits(&self, profile: &Profile) -> Vec<String> {
        if profile.code().mappings.is_empty() {
            return vec!["the program".into()];
        }
        let options = Options { attached: vec![Arc::new(self.clone())], ..Options::default() };
        let (groups, _) = groups(profile, &options, true);
        let sites = CallSites::new(profile);
        let is_it = |wanted: Wanted<'_>| self.image(wanted.build_id).ok().is_some_and(|image| fit(&image, wanted).is_some());
        let fitting = groups.iter().filter(|group| {
            let evidence = Evidence { sites: &sites, mappings: &group.mappings };
            is_it(Wanted { path: group.path(profile).0, build_id: group.build_id, evidence: &evidence })
        });
        fitting.map(|group| if group.name.is_empty() { "the program" } else { group.name }.to_owned()).collect()
    }
}
