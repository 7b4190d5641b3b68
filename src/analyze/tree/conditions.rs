//! Filter on the numbers of stacks (`-where`).

use super::chosen::Chosen;
use crate::base::id::Id;
use crate::base::units;
use crate::profile::Profile;
use crate::query::{Condition, Conditions, Quantity, QueryError, WeightSpec};

/// Row → the conditions hold for its stack; `None`: there are none. Numbers are those of all samples with this stack, in the
/// dumps that are shown and in those that are subtracted; for a moment of a recording those of the whole recording.
/// O(rows × conditions).
pub(super) fn meet_conditions(profile: &Profile, spec: &WeightSpec, warnings: &mut Vec<String>) -> Result<Option<Vec<bool>>, QueryError> {
    let Some(conditions) = &spec.conditions else { return Ok(None) };
    let stack = &profile.samples().stack;
    let dumps = Chosen::new(profile, spec)?.whole(profile);
    let mut sums = Sums { profile, dumps, known: Vec::new() };
    let mut kept = vec![true; profile.stacks().len()];
    for any in conditions.all() {
        let mut holds = vec![false; kept.len()];
        for condition in any {
            let number = scaled(profile, condition)?;
            let of = sums.index(&condition.of)?;
            let by = condition.by.as_ref().map(|by| sums.index(by)).transpose()?;
            let [of, by] = [Some(of), by].map(|index| index.map(|index| &sums.known[index].1));
            for (stack, holds) in holds.iter_mut().enumerate() {
                let sum = |values: &Vec<i64>| values[stack] as f64;
                let value = match (of.map(sum), by.map(sum)) {
                    (Some(of), None) => of,
                    (Some(of), Some(by)) if by != 0.0 => of / by,
                    _ => 0.0,
                };
                *holds |= condition.holds(value, number);
            }
        }
        kept.iter_mut().zip(holds).for_each(|(kept, holds)| *kept &= holds);
    }
    let kept: Vec<bool> = stack.iter().map(|stack| kept[stack.index()]).collect();
    if !kept.contains(&true) {
        warnings.push("Where expression matched no samples".into());
    }
    Ok(Some(kept))
}

/// Sums of value types by stack.
struct Sums<'a> {
    profile: &'a Profile,
    dumps: Vec<usize>,
    /// Value type, and stack → sum of its samples.
    known: Vec<(usize, Vec<i64>)>,
}

impl Sums<'_> {
    /// Index of a quantity in `known`.
    fn index(&mut self, quantity: &Quantity) -> Result<usize, QueryError> {
        let value_type = value_type(self.profile, quantity)?;
        if let Some(index) = self.known.iter().position(|(known, _)| *known == value_type) {
            return Ok(index);
        }
        let (profile, mut sums) = (self.profile, vec![0i64; self.profile.stacks().len()]);
        for dump in &self.dumps {
            let column = &profile.columns()[dump * profile.value_types().len() + value_type];
            for (row, value) in column.nonzero() {
                let sum = &mut sums[profile.samples().stack[row].index()];
                *sum = sum.saturating_add(value);
            }
        }
        self.known.push((value_type, sums));
        Ok(self.known.len() - 1)
    }
}

fn value_type(profile: &Profile, quantity: &Quantity) -> Result<usize, QueryError> {
    let types = profile.value_types();
    let found = quantity.kinds.iter().find_map(|kind| types.iter().position(|of| of.kind == *kind));
    found.ok_or_else(|| {
        let has = |kinds: &[&str]| kinds.is_empty() || kinds.iter().any(|kind| types.iter().any(|of| of.kind == *kind));
        let names = Conditions::names().filter(|(_, kinds)| kinds.iter().all(|kinds| has(kinds))).map(|(name, _)| name);
        let names: Vec<&str> = names.collect();
        QueryError::NoQuantity { value: quantity.name.clone(), has: [names.join(", "), profile.type_list()].join(", ") }
    })
}

/// The number of a condition in the unit of the profile's values.
fn scaled(profile: &Profile, condition: &Condition) -> Result<f64, QueryError> {
    if condition.unit.is_empty() {
        return Ok(condition.number);
    }
    let unit = &profile.value_types()[value_type(profile, &condition.of)?].unit;
    let has = || QueryError::Value {
        field: "where",
        value: condition.unit.clone(),
        expected: format!("a unit of {}, which the profile counts in {unit}", condition.of.name),
    };
    units::factor(&condition.unit, unit).map(|factor| condition.number * factor).ok_or_else(has)
}
