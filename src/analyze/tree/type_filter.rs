//! Filter on the container type of a row.

use crate::attribution::Attribution;
use crate::profile::Profile;
use crate::query::WeightSpec;

/// Row → its type is one that the filter keeps; `None`: it keeps all. O(types + rows).
pub(crate) fn of_type(profile: &Profile, packages: &Attribution, spec: &WeightSpec, warnings: &mut Vec<String>) -> Option<Vec<bool>> {
    let pattern = spec.of_type.as_ref()?;
    let types = packages.types(profile);
    warnings.extend(types.warning.clone());
    let kept: Vec<bool> = types.name.iter().map(|of| pattern.is_match(&of.name) || pattern.is_match(&of.full_name)).collect();
    let kept: Vec<bool> = types.of_row.iter().map(|of| kept[*of as usize]).collect();
    if !kept.contains(&true) {
        warnings.push("Type expression matched no samples".into());
    }
    Some(kept)
}
