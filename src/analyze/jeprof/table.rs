//! Nodes with their flat and cumulative values.

use super::selection::{Selection, address, file_line, name};
use crate::base::hash::HashMap;
use crate::base::id::{FrameId, Id};
use crate::query::JeprofGranularity;
use crate::report::{JeprofRow, JeprofText};

/// `--text`: sorted by flat or cum, largest first (a base's surplus comes last).
pub fn text(selection: &Selection<'_>) -> JeprofText {
    let mut row = Nodes::new(selection).row;
    let by_cum = selection.view.by_cum;
    let key = |r: &JeprofRow| if by_cum { r.cum } else { r.flat };
    row.sort_by(|a, b| key(b).cmp(&key(a)).then_with(|| a.name.cmp(&b.name)));
    row.retain(|r| r.flat != 0 || r.cum != 0);
    JeprofText { header: selection.header, row }
}

/// Node of each frame at a granularity.
pub(super) struct Nodes {
    pub(super) row: Vec<JeprofRow>,
    /// `FrameId` → row.
    of_frame: Vec<Option<usize>>,
}

impl Nodes {
    /// `ReduceProfile`, `FlatProfile` and `CumulativeProfile`: a node counts once a stack.
    pub(super) fn new(selection: &Selection<'_>) -> Self {
        let mut nodes = Nodes { row: Vec::new(), of_frame: vec![None; selection.profile.code().frames.len()] };
        let mut by_name: HashMap<String, usize> = HashMap::default();
        // Node → the last stack that counted.
        let mut seen: Vec<usize> = Vec::new();
        for (number, path) in selection.stacks.iter().enumerate() {
            let mut is_leaf = true;
            for frame in selection.frames(path) {
                let node = match nodes.of_frame[frame.index()] {
                    Some(node) => node,
                    None => {
                        let name = label(selection, frame);
                        let node = *by_name.entry(name).or_insert_with_key(|name| {
                            nodes.row.push(JeprofRow { name: name.clone(), flat: 0, cum: 0 });
                            seen.push(usize::MAX);
                            nodes.row.len() - 1
                        });
                        nodes.of_frame[frame.index()] = Some(node);
                        node
                    }
                };
                let row = &mut nodes.row[node];
                if std::mem::take(&mut is_leaf) {
                    row.flat = row.flat.saturating_add(path.value);
                }
                if std::mem::replace(&mut seen[node], number) != number {
                    row.cum = row.cum.saturating_add(path.value);
                }
            }
        }
        nodes
    }

    /// The node of a frame that is in a selected stack.
    pub(super) fn of(&self, frame: FrameId) -> Option<usize> {
        self.of_frame[frame.index()]
    }
}

/// `TranslateStack`.
fn label(selection: &Selection<'_>, frame: FrameId) -> String {
    let Selection { profile, view, .. } = *selection;
    let f = &profile.code().frames[frame];
    let inline = if f.inlined { " (inline)" } else { "" };
    let name = || name(profile, frame) + inline;
    let address_suffix = || if view.show_addresses { format!(" ({})", address(profile, frame)) } else { String::new() };
    match view.granularity {
        _ if f.function.is_none() => address(profile, frame),
        JeprofGranularity::Functions => name() + &address_suffix(),
        JeprofGranularity::Lines => format!("{} {}{}", name(), file_line(profile, frame), address_suffix()),
        JeprofGranularity::Addresses => format!("{} {} {}", address(profile, frame), name(), file_line(profile, frame)),
        JeprofGranularity::Files => {
            let place = file_line(profile, frame);
            match place.rsplit_once(':') {
                Some((file, _)) if file != "??" => file.to_owned(),
                _ => place,
            }
        }
    }
}
