//! Label values attached to nodes of the graph: object sizes, threads.
//!
//! Of numeric labels only `bytes` is shown, like in pprof; the text labels of a sample form one value, and its numbers are
//! attached to that value.

use std::sync::Arc;

use crate::analyze::reports::context::ReportContext;
use crate::base::cancel;
use crate::base::hash::HashMap;
use crate::base::id::{Id, LabelSetId, StrId};
use crate::base::pair::{net, plus, quotient};
use crate::base::units;
use crate::profile::{LabelValue, Profile};
use crate::query::View;
use crate::report::GraphTag;

/// Most values shown at a node, of texts and of numbers.
const MOST: usize = 4;

/// A value of a label set.
#[derive(Clone, Debug, Default)]
struct Value {
    name: Arc<str>,
    /// Set for numbers: value in bytes.
    number: Option<i64>,
    /// The texts of the set, by number; of a number those that it hangs at, [`NO_TEXT`] for none.
    text: u32,
}

/// Identity of a label value: equal if printed equal. For a number, together with the text labels beside it.
#[derive(PartialEq, Eq, Hash)]
enum Reading {
    Text(u32),
    Number(u32, Arc<str>),
}

/// Number of no text.
const NO_TEXT: u32 = 0;

/// Texts of label sets, joined, each once: many sets may have one long text.
struct JoinedTexts<'a> {
    profile: &'a Profile,
    /// Keys and texts of a set → number.
    of_labels: HashMap<Vec<(StrId, StrId)>, u32>,
    number: HashMap<Arc<str>, u32>,
    text: Vec<Arc<str>>,
}

impl<'a> JoinedTexts<'a> {
    fn new(profile: &'a Profile) -> Self {
        JoinedTexts { profile, of_labels: HashMap::default(), number: HashMap::default(), text: vec!["".into()] }
    }

    /// The number of these labels, joined.
    fn number(&mut self, labels: Vec<(StrId, StrId)>) -> u32 {
        if labels.is_empty() {
            return NO_TEXT;
        }
        let JoinedTexts { profile, of_labels, number, text } = self;
        *of_labels.entry(labels).or_insert_with_key(|labels| {
            let mut texts: Vec<String> =
                labels.iter().map(|(key, text)| format!("{}:{}", profile.text(*key), profile.text(*text))).collect();
            texts.sort_unstable();
            let joined: Arc<str> = texts.join("\n").into();
            *number.entry(joined.clone()).or_insert_with(|| {
                text.push(joined);
                text.len() as u32 - 1
            })
        })
    }
}

/// Sums of the rows of one value at one key, with their divisors.
#[derive(Default)]
struct Totals {
    flat: [i64; 2],
    cum: [i64; 2],
    /// The number of the first row: others may read the same.
    number: Option<i64>,
}

#[derive(Clone, Debug, Default)]
struct Nodelet {
    value: Value,
    flat: i64,
    cum: i64,
    /// Divisors of flat and cum; 0: none.
    divisor: [i64; 2],
}

/// Label values by key.
#[derive(Default)]
pub(crate) struct Nodelets {
    of_key: HashMap<u32, OfKey>,
}

/// Label values of a key.
struct OfKey {
    /// Number of values with a flat of their own, at most [`MOST`].
    n_flat: usize,
    /// Inside of the graph, and at its leaves.
    tags: [Vec<GraphTag>; 2],
}

/// Limits on pairs of key and value, at once and in all: every value of a label may occur at every key of its stacks, which is
/// many times the profile. Keys beyond the limit have no values in the graph.
const PAIRS_AT_ONCE: usize = 1 << 19;
const MOST_PAIRS: usize = 1 << 21;

/// The label sets of a profile as numbers of values.
struct Sets {
    /// Distinct values.
    list: Vec<Value>,
    /// `LabelSetId` → its values: number in `list`, and the number that is there.
    of_set: Vec<Vec<(u32, Option<i64>)>>,
}

impl Sets {
    /// Values are numbered over all sets, and are the same when they read the same.
    fn new(profile: &Profile, view: &View) -> Self {
        let mut ids: HashMap<Reading, u32> = HashMap::default();
        let mut list: Vec<Value> = Vec::new();
        let mut texts = JoinedTexts::new(profile);
        let mut known = |value: Value| {
            let number = value.number;
            let key = number.map_or(Reading::Text(value.text), |_| Reading::Number(value.text, value.name.clone()));
            let id = *ids.entry(key).or_insert(list.len() as u32);
            if id == list.len() as u32 {
                list.push(value);
            }
            (id, number)
        };
        let of_set = (0..profile.labels().len())
            .map(|set| values(profile, LabelSetId::new(set), view, &mut texts).into_iter().map(&mut known).collect());
        Sets { of_set: of_set.collect(), list }
    }
}

impl Nodelets {
    /// Collects the values at `keys` that hold at least `cutoff`. O(rows × depth).
    pub(crate) fn new(context: &ReportContext, keys: &[u32], cutoff: i64) -> Self {
        let sets = Sets::new(context.profile, context.view);
        let mut nodelets = Nodelets::default();
        if sets.list.is_empty() {
            return nodelets;
        }
        let n_pairs = pairs_by_key(context, &sets);
        let mut rest = keys;
        let mut left = MOST_PAIRS;
        while !rest.is_empty() && left > 0 {
            let mut n = 0;
            let most = PAIRS_AT_ONCE.min(left);
            let fits = rest.iter().take_while(|key| {
                n += n_pairs[**key as usize];
                n <= most
            });
            let (part, after) = rest.split_at(fits.count().max(1));
            nodelets.add(context, &sets, part, cutoff);
            left = left.saturating_sub(part.iter().map(|key| n_pairs[*key as usize]).sum());
            rest = after;
        }
        nodelets
    }

    /// Collects the values at these keys.
    fn add(&mut self, context: &ReportContext, sets: &Sets, keys: &[u32], cutoff: i64) {
        let mut sums: HashMap<(u32, u32), Totals> = HashMap::default();
        at_nodes(context, sets, keys, |key, [is_leaf, is_outermost], ids, value| {
            for &(id, number) in ids {
                let sum = sums.entry((key, id)).or_insert_with(|| {
                    cancel::charge(size_of::<((u32, u32), Totals)>());
                    Totals { number, ..Totals::default() }
                });
                if is_leaf {
                    sum.flat = plus(sum.flat, value);
                }
                if is_outermost {
                    sum.cum = plus(sum.cum, value);
                }
            }
        });
        sums.retain(|_, Totals { flat, cum, .. }| flat[0].saturating_abs() >= cutoff || cum[0].saturating_abs() >= cutoff);
        let mut sums: Vec<((u32, u32), Totals)> = sums.into_iter().collect();
        sums.sort_unstable_by_key(|(place, _)| *place);
        for of_key in sums.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
            let Some(((key, _), _)) = of_key.first() else { continue };
            let nodelet = |((_, id), sum): &((u32, u32), Totals)| {
                let value = Value { number: sum.number, ..sets.list[*id as usize].clone() };
                Nodelet { value, flat: sum.flat[0], cum: sum.cum[0], divisor: [sum.flat[1], sum.cum[1]] }
            };
            let all: Vec<Nodelet> = of_key.iter().map(nodelet).collect();
            let n_flat = all.iter().filter(|t| t.flat != 0).count().min(MOST);
            self.of_key.insert(*key, OfKey { n_flat, tags: [false, true].map(|leaf| tags(&all, leaf)) });
        }
    }

    /// Number of `keys` that fit when values count as nodes too.
    pub(crate) fn fit(&self, keys: &[u32], most: usize) -> usize {
        let mut count = 0;
        for (i, key) in keys.iter().enumerate() {
            count += self.of_key.get(key).map_or(0, |of_key| of_key.n_flat) + 1;
            if count >= most {
                return i + 1;
            }
        }
        most
    }

    /// Values to show at `key`, for inner nodes of the graph or for leaves.
    pub(crate) fn of(&mut self, key: u32, leaf: bool) -> Vec<GraphTag> {
        self.of_key.get_mut(&key).map_or(Vec::new(), |of_key| std::mem::take(&mut of_key.tags[usize::from(leaf)]))
    }
}

/// Key → how many values there are at most. O(rows + nodes).
fn pairs_by_key(context: &ReportContext, sets: &Sets) -> Vec<usize> {
    let tree = context.tree;
    let mut values_by_node = vec![0usize; tree.len()];
    for (row, &leaf) in tree.node_of_row.iter().enumerate() {
        if let Some(n) = values_by_node.get_mut(leaf as usize) {
            *n += sets.of_set[context.profile.samples().labels[row].index()].len();
        }
    }
    let mut values_by_key = vec![0usize; tree.keys.len()];
    for node in (1..tree.len()).rev() {
        let n = values_by_node[node];
        values_by_node[tree.parent[node] as usize] += n;
        let values_by_key = &mut values_by_key[tree.key[node] as usize];
        *values_by_key = (*values_by_key + n).min(sets.list.len());
    }
    values_by_key
}

/// Calls `act` with each node of these keys above a row with labels and a value: its key, whether the row ends there and
/// whether it is the outermost node of its key, the values of the labels, and value and divisor of the row.
fn at_nodes(context: &ReportContext, sets: &Sets, keys: &[u32], mut act: impl FnMut(u32, [bool; 2], &[(u32, Option<i64>)], [i64; 2])) {
    let ReportContext { profile, tree, totals, .. } = context;
    let mut is_wanted = vec![false; tree.keys.len()];
    keys.iter().for_each(|&key| is_wanted[key as usize] = true);
    // Node → itself or the nearest ancestor whose key is wanted; 0: none.
    let mut wanted = vec![0u32; tree.len()];
    for node in 1..tree.len() {
        wanted[node] = if is_wanted[tree.key[node] as usize] { node as u32 } else { wanted[tree.parent[node] as usize] };
    }
    for (row, value) in totals.row.iter().enumerate() {
        let ids = &sets.of_set[profile.samples().labels[row].index()];
        let value = [net(value), totals.divisor.as_ref().map_or(0, |divisor| net(divisor.row.at(row)))];
        if value == [0; 2] || ids.is_empty() {
            continue;
        }
        let leaf = tree.node_of_row[row];
        let mut node = wanted.get(leaf as usize).copied().unwrap_or(0);
        while node != 0 {
            cancel::check();
            act(tree.key[node as usize], [node == leaf, tree.outermost[node as usize]], ids, value);
            node = wanted[tree.parent[node as usize] as usize];
        }
    }
}

/// Values to show for a key: its own, or at a leaf of the graph those of everything that passes through; numbers beyond the
/// fourth join the nearest one as a range.
fn tags(all: &[Nodelet], leaf: bool) -> Vec<GraphTag> {
    let (mut texts, numbers): (Vec<Nodelet>, Vec<Nodelet>) = all.iter().cloned().partition(|t| t.value.number.is_none());
    sort(&mut texts, leaf);
    texts.truncate(MOST);
    texts.retain(|t| t.weight(leaf) != 0);
    let mut tags: Vec<GraphTag> = Vec::new();
    let numbers_of = |text: u32, under: Option<usize>, tags: &mut Vec<GraphTag>| {
        let with_text: Vec<Nodelet> = numbers.iter().filter(|t| t.value.text == text).cloned().collect();
        tags.extend(collapse(with_text, leaf).into_iter().filter(|t| t.weight(leaf) != 0).map(|t| t.tag(under)));
    };
    for text in texts {
        let at = tags.len();
        let number = text.value.text;
        tags.push(text.tag(None));
        numbers_of(number, Some(at), &mut tags);
    }
    numbers_of(NO_TEXT, None, &mut tags);
    tags
}

impl Nodelet {
    /// Flat and cum as they are shown.
    fn means(&self) -> [i64; 2] {
        [quotient(self.flat, self.divisor[0]), quotient(self.cum, self.divisor[1])]
    }

    /// Displayed value, at a leaf of the graph or elsewhere.
    fn weight(&self, leaf: bool) -> i64 {
        self.means()[usize::from(leaf)]
    }

    fn tag(self, under: Option<usize>) -> GraphTag {
        let [flat, cum] = self.means();
        GraphTag { node: 0, numeric: self.value.number.is_some(), under, name: self.value.name.to_string(), flat, cum }
    }
}

fn sort(tags: &mut [Nodelet], by_cum: bool) {
    tags.sort_unstable_by(|a, b| {
        let flat = b.flat.saturating_abs().cmp(&a.flat.saturating_abs());
        let cum = if by_cum { b.cum.saturating_abs().cmp(&a.cum.saturating_abs()) } else { std::cmp::Ordering::Equal };
        cum.then(flat).then_with(|| a.value.name.cmp(&b.value.name))
    });
}

/// Sorted; numbers beyond the fourth join the nearest of the first four as a range.
fn collapse(mut numbers: Vec<Nodelet>, leaf: bool) -> Vec<Nodelet> {
    sort(&mut numbers, leaf);
    if numbers.len() <= MOST {
        return numbers;
    }
    let (first, rest) = numbers.split_at(MOST);
    let mut groups: Vec<Vec<&Nodelet>> = first.iter().map(|t| vec![t]).collect();
    let value = |t: &Nodelet| t.value.number.unwrap_or(0);
    for tag in rest {
        let far = |group: &Vec<&Nodelet>| value(tag).abs_diff(value(group[0]));
        let (mut best, mut distance) = (0, far(&groups[0]));
        for (i, group) in groups.iter().enumerate().skip(1) {
            if far(group) < distance {
                (best, distance) = (i, far(group));
            }
        }
        groups[best].push(tag);
    }
    let mut collapsed: Vec<Nodelet> = groups
        .into_iter()
        .map(|group| {
            let low = group.iter().map(|t| value(t)).min().unwrap_or(0);
            let high = group.iter().map(|t| value(t)).max().unwrap_or(0);
            let text = |v| units::label(v, "bytes", "auto");
            Nodelet {
                value: Value {
                    name: if group.len() == 1 { text(low) } else { format!("{}..{}", text(low), text(high)) }.into(),
                    number: Some(low),
                    text: group[0].value.text,
                },
                flat: group.iter().fold(0, |s: i64, t| s.saturating_add(t.flat)),
                cum: group.iter().fold(0, |s: i64, t| s.saturating_add(t.cum)),
                divisor: group.iter().fold([0; 2], |s, t| plus(s, t.divisor)),
            }
        })
        .collect();
    sort(&mut collapsed, leaf);
    collapsed
}

/// Values of a label set: its texts as one value, and each number of bytes.
fn values(profile: &Profile, set: LabelSetId, view: &View, joined: &mut JoinedTexts) -> Vec<Value> {
    let mut texts: Vec<(StrId, StrId)> = Vec::new();
    let mut values: Vec<Value> = Vec::new();
    for label in profile.labels().get(set) {
        let key = profile.text(label.key);
        if !view.cut.shows_label(key) {
            continue;
        }
        match label.value {
            LabelValue::Text(text) => texts.push((label.key, text)),
            LabelValue::Number(n, from) if key == "bytes" => {
                let from = crate::analyze::tree::label_units::unit_of(key, profile.text(from));
                let bytes = units::factor(from, "bytes").map_or(n, |f| (n as f64 * f) as i64);
                values.push(Value { name: units::label(n, from, &view.show.unit).into(), number: Some(bytes), text: NO_TEXT });
            }
            LabelValue::Number(..) => {}
        }
    }
    if !texts.is_empty() {
        let text = joined.number(texts);
        values.iter_mut().for_each(|number| number.text = text);
        values.push(Value { name: joined.text[text as usize].clone(), number: None, text });
    }
    values
}
