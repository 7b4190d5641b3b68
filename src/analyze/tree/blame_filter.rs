//! Filters on the owner and the culprit of a stack: `package` and `blame`.

use crate::attribution::Attribution;
use crate::attribution::classify::enclosing;
use crate::base::id::Id;
use crate::profile::{Profile, Strings};
use crate::query::WeightSpec;

/// `StackId` → its culprit is one that the filters keep; `None`: they keep all. O(nodes + frames).
pub(crate) fn blamed(profile: &Profile, packages: &Attribution, spec: &WeightSpec, warnings: &mut Vec<String>) -> Option<Vec<bool>> {
    if spec.package.is_none() && spec.blame.is_none() {
        return None;
    }
    let code = profile.code();
    let (mut n_of_package, mut n_blamed) = (0, 0);
    let kept: Vec<bool> = code
        .frames
        .ids()
        .map(|frame| {
            let name = profile.function_of(frame).map_or(Strings::EMPTY, |(_, f)| f.name);
            let matches_package = spec.package.as_ref().is_none_or(|p| p.is_match(&packages.of(profile, frame, false).name));
            let name = profile.text(name);
            let is_blamed = spec.blame.as_ref().is_none_or(|p| p.is_match(name) || enclosing(name).is_some_and(|outer| p.is_match(outer)));
            n_of_package += usize::from(matches_package);
            n_blamed += usize::from(is_blamed);
            matches_package && is_blamed
        })
        .collect();
    for (name, n) in [("Package", n_of_package), ("Blame", n_blamed)] {
        if n == 0 {
            warnings.push(format!("{name} expression matched no samples"));
        }
    }
    let culprits = packages.culprits(profile);
    // The root has no owner.
    Some(culprits.iter().map(|&node| node.index() != 0 && kept[profile.stacks().frame[node].index()]).collect())
}
