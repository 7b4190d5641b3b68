use expect_test::expect;
use proptest::prelude::*;

use super::super::testing::{check, shown, survives, survives_any_cut};
use super::super::{ParseOptions, WarningKind, parse};
use crate::base::run_clock::RunClock;
use crate::profile::{MomentKind, Profile};

pub(in crate::parse) const QUARRY: &[u8] = b"desc: --depth=5
cmd: ./quarry --days 3
time_unit: i
#-----------
snapshot=0
#-----------
time=0
mem_heap_B=0
mem_heap_extra_B=0
mem_stacks_B=0
heap_tree=empty
#-----------
snapshot=1
#-----------
time=1000000
mem_heap_B=1000
mem_heap_extra_B=24
mem_stacks_B=16
heap_tree=detailed
n2: 1000 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n1: 900 0x4010: cut (q.cpp:9)
  n0: 900 0x4010: main::{lambda(int)#1}::operator()(int) const (q.cpp:7)
 n0: 100 in 3 places, all below massif's threshold (1.00%)
#-----------
snapshot=2
#-----------
time=2000000
mem_heap_B=3000
mem_heap_extra_B=48
mem_stacks_B=16
heap_tree=peak
n3: 3000 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n2: 2900 0x4010: cut (q.cpp:9)
  n1: 1400 0x4010: main::{lambda(int)#1}::operator()(int) const (q.cpp:7)
   n0: 1300 0x5010: main (q.cpp:20)
  n0: 1500 0x4110: ??? (in /usr/lib/libq.so)
 n0: 60 in 1 place, below massif's threshold (1.00%)
 n0: 40 0x4210: blast (q.cpp:30)
#-----------
snapshot=3
#-----------
time=2500000
mem_heap_B=10
mem_heap_extra_B=8
mem_stacks_B=16
heap_tree=empty
";

fn quarry(change: impl Fn(String) -> String) -> Vec<u8> {
    change(String::from_utf8(QUARRY.to_vec()).unwrap()).into_bytes()
}

fn read(text: &[u8]) -> (Profile, Vec<WarningKind>) {
    let parsed = parse(text, &ParseOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    parsed.profile.validate().unwrap();
    (parsed.profile, parsed.warnings.into_iter().map(|warning| warning.kind).collect())
}

#[test]
fn the_peak_comes_first_and_each_node_has_its_own_bytes() {
    check(
        QUARRY,
        expect![[r#"
            massif, period 0
            inuse_space/bytes total_space/bytes
            0 48 0 0 0 24 0 48 @ [heap overhead]
            0 16 0 0 0 16 0 16 @ [stacks]
            100 100 0 0 900 900 100 100 @ cut:9[i] main::{lambda(int)#1}::operator()(int) const:7
            60 60 0 0 100 100 60 60 @ [below threshold]
            1300 1300 0 0 0 0 1300 1300 @ cut:9[i] main::{lambda(int)#1}::operator()(int) const:7 main:20
            1500 1500 0 0 0 0 1500 1500 @ cut:9 4110
            40 40 0 0 0 0 40 40 @ blast:30
        "#]],
    );
}

#[test]
fn snapshots_with_stacks_are_moments_and_all_are_the_curve() {
    let (profile, warnings) = read(QUARRY);
    assert_eq!(warnings, []);
    let run = &profile.meta().runs[0];
    assert_eq!((run.command.as_str(), run.recorder.as_str()), ("./quarry --days 3", "massif"));
    assert_eq!((run.clock, run.duration, run.peak_at, run.shows_peak), (RunClock::Instructions, 2_500_000, 2_000_000, true));
    assert_eq!((run.peak.bytes, run.end.bytes), (3000, 10));
    let curve: Vec<_> = run.curve.iter().map(|point| (point.at, point.live.bytes, point.extra, point.stacks)).collect();
    assert_eq!(curve, [(0, 0, 0, 0), (1_000_000, 1000, 24, 16), (2_000_000, 3000, 48, 16), (2_500_000, 10, 8, 16)]);
    let moments: Vec<_> = profile.dumps().iter().filter_map(|dump| dump.moment).map(|moment| (moment.at, moment.kind)).collect();
    assert_eq!(moments, [(0, MomentKind::Sampled), (1_000_000, MomentKind::Sampled), (2_000_000, MomentKind::Peak)]);
    let main = profile.code().mappings.iter().next().map(|mapping| profile.text(mapping.file));
    assert_eq!(main, Some("./quarry"));
    assert!(profile.code().mappings.iter().all(|mapping| mapping.has_functions));
}

#[test]
fn the_last_snapshot_is_the_end_if_its_stacks_are_known() {
    let empty = quarry(|text| text.replace("mem_heap_B=10\n", "mem_heap_B=0\n"));
    let kinds = |text: &[u8]| read(text).0.dumps().iter().filter_map(|dump| dump.moment).map(|moment| moment.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&empty), [MomentKind::Sampled, MomentKind::Sampled, MomentKind::Peak, MomentKind::End]);
    let at_peak = quarry(|text| text.split("#-----------\nsnapshot=3").next().unwrap().to_owned());
    let (profile, _) = read(&at_peak);
    let moments: Vec<_> = profile.dumps().iter().filter_map(|dump| dump.moment).map(|moment| (moment.at, moment.kind)).collect();
    assert_eq!(moments[2..], [(2_000_000, MomentKind::Peak), (2_000_001, MomentKind::End)]);
}

#[test]
fn units_of_time_are_read_and_unknown_ones_are_numbers() {
    for (unit, time, clock, duration) in [
        ("ms", "2500000", RunClock::Time, 2_500_000_000_000),
        ("s", "2.5004", RunClock::Time, 2_500_400_000),
        ("s", "99999999999999999999", RunClock::Time, i64::MAX),
        ("B", "2500000", RunClock::AllocatedBytes, 2_500_000),
        ("ticks", "2500000", RunClock::Units, 2_500_000),
    ] {
        let text =
            quarry(|text| text.replace("time_unit: i", &format!("time_unit: {unit}")).replace("time=2500000", &format!("time={time}")));
        let text = if unit == "s" { String::from_utf8(text).unwrap().replace("000000\n", "\n").into_bytes() } else { text };
        let (profile, warnings) = read(&text);
        let run = &profile.meta().runs[0];
        assert_eq!((run.clock, run.duration), (clock, duration), "{unit}");
        let is_odd = unit == "ticks";
        assert_eq!(!warnings.is_empty(), is_odd, "{warnings:?}");
        assert!(!is_odd || warnings == [WarningKind::TimeUnit { found: "ticks".into() }]);
    }
}

#[test]
fn pages_are_mapped_space() {
    let text = quarry(|text| {
        text.replace("(heap allocation functions) malloc/new/new[], --alloc-fns", "(page allocation syscalls) mmap/mremap/brk, --alloc-fns")
    });
    let (profile, _) = read(&text);
    assert_eq!(profile.value_types().iter().map(|t| t.kind.as_str()).collect::<Vec<_>>(), ["mapped_space"]);
    assert_eq!(profile.columns()[0].total(), 3000);
}

#[test]
fn execution_trees_are_values_of_one_moment() {
    let metric = |n: i32, title: &str, a: i64, b: i64| {
        let sum = a + b;
        format!(
            "#-----------\nsnapshot={n}\n#-----------\ntime=5\nmem_heap_B={sum}\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=detailed\n\
             n2: {sum} {title}\n n1: {a} 0x10: f (a.c:1)\n  n0: {a} 0x20: main (a.c:9)\n n0: {b} 0x30: g (a.c:2)\n"
        )
    };
    let text = ["desc: xtree.produce_report\ncmd: ./a\ntime_unit: ms\n"].map(str::to_owned).into_iter().chain([
        metric(0, "curB : currently allocated Bytes", 70, 5),
        metric(1, "curBk : currently allocated Blocks", 2, 1),
        metric(2, "totFdBk : total Freed Blocks", 0, 0),
        metric(3, "PB : Possibly lost Bytes", 4, 0),
        metric(4, "x : what", 0, 1),
        metric(5, "x : what", 0, 1),
    ]);
    check(
        text.collect::<String>(),
        expect![[r#"
            massif, period 0
            inuse_space/bytes inuse_objects/count freed_objects/count possibly_lost_space/bytes x/count x_5/count
            70 2 0 4 0 0 @ f:1 main:9
            5 1 0 0 1 1 @ g:2
        "#]],
    );
}

#[test]
fn damage_is_counted_and_the_rest_is_read() {
    let without_peak = |text: String| text.replace("heap_tree=peak", "heap_tree=empty");
    for (text, warning) in [
        // More below a node than it has, and more in a tree than in all.
        (
            quarry(|text| text.replace("n2: 2900", "n2: 2000")),
            "nodes have less memory than the nodes below them, or the snapshot's total; numbers may be wrong: ",
        ),
        (
            quarry(|text| text.replace("mem_heap_B=3000", "mem_heap_B=2999")),
            "nodes have less memory than the nodes below them, or the snapshot's total; numbers may be wrong: ",
        ),
        (quarry(|text| text.replace("   n0: 1300", "    n0: 1300")), "trees are damaged; their rest is in the frame `[stack unknown]`: 1"),
        (quarry(|text| text.replace("n2: 1000 ", "n1: 1000 ")), "trees are damaged; their rest is in the frame `[stack unknown]`: 1"),
        (quarry(|text| text.replace("mem_heap_B=1000\n", "")), "snapshots that lack lines were left out: 1"),
        (
            quarry(|text| text.replace("mem_heap_B=1000\n", "mem_heap_B=-4\n")),
            "numbers that are none, or too large, were read as 0 or as the largest number: 1",
        ),
        (quarry(|text| text + "nonsense\n"), "lines that belong to no snapshot were skipped: 1"),
        (quarry(without_peak), "lines that belong to no snapshot were skipped: 7"),
    ] {
        let shown = shown(&text);
        assert!(shown.contains(warning), "{warning}: {shown}");
    }
    let shown = shown(&quarry(|text| text.replace("n2: 2900", "n3: 2900")));
    assert!(shown.contains("[stack unknown]"), "{shown}");
}

#[test]
fn a_larger_snapshot_without_stacks_is_named() {
    let (profile, warnings) = read(&quarry(|text| text.replace("mem_heap_B=10\n", "mem_heap_B=9000\n")));
    let kind = WarningKind::PeakWithoutStacks { shown: 3064, whole: 9024, at: "2.50 M instructions".into() };
    assert_eq!(warnings, [kind]);
    assert_eq!((profile.meta().runs[0].peak.bytes, profile.columns()[0].total()), (3000, 3000));
    // Nothing has stacks.
    let bare: String = String::from_utf8(QUARRY.to_vec())
        .unwrap()
        .lines()
        .filter(|line| !line.contains(':') || line.contains("_") || line.starts_with("cmd"))
        .map(|line| line.replace("detailed", "empty").replace("peak", "empty") + "\n")
        .collect();
    let (profile, warnings) = read(bare.as_bytes());
    assert_eq!((warnings, profile.columns()[0].total()), (vec![], 3000));
}

#[test]
fn cut_files_keep_what_is_complete() {
    survives_any_cut(QUARRY);
    let whole = read(QUARRY).0;
    let text = std::str::from_utf8(QUARRY).unwrap();
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    // Behind the first snapshot.
    for end in ends.into_iter().filter(|end| *end > text.find("snapshot=1").unwrap()) {
        let (profile, warnings) = read(&QUARRY[..end]);
        let rest = &text[end..];
        let is_complete =
            rest.is_empty() || rest.starts_with("#-----------\nsnapshot") || !rest.contains("snapshot=3") && rest.starts_with("snapshot");
        let is_in_head = rest.starts_with("snapshot=");
        assert!(is_complete || is_in_head || !warnings.is_empty(), "{rest}");
        assert!(profile.columns()[0].total() <= whole.columns()[0].total());
    }
}

#[test]
fn trees_of_any_depth_are_read() {
    const DEPTH: usize = 10_000;
    let mut text =
        b"desc: x\ncmd: x\ntime_unit: i\n#-\nsnapshot=0\n#-\ntime=1\nmem_heap_B=8\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=peak\n"
            .to_vec();
    for depth in 0..=DEPTH {
        text.extend(std::iter::repeat_n(b' ', depth));
        text.extend(format!("n{}: 8 0x{depth:X}: f{} (a.c:1)\n", i32::from(depth < DEPTH), depth % 10).into_bytes());
    }
    let (profile, warnings) = read(&text);
    assert_eq!(warnings, []);
    assert_eq!((profile.stacks().len(), profile.columns()[0].total()), (DEPTH + 1, 8));
    // Without indentation a small file could ask for a lot of memory: such trees are damaged.
    let flat: Vec<u8> = text.split(|byte| *byte == b'\n').flat_map(|line| [line.trim_ascii(), b"\n"].concat()).collect();
    assert!(matches!(read(&flat).1[..], [WarningKind::Lines { .. }]));
}

#[test]
fn many_moments_are_thinned() {
    let mut text = "cmd: x\ntime_unit: ms\n".to_owned();
    for n in 0..3000 {
        let bytes = if n == 1234 { 9999 } else { 100 + n };
        text += &format!(
            "#-\nsnapshot={n}\n#-\ntime={n}\nmem_heap_B={bytes}\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=detailed\nn1: {bytes} x\n n0: {bytes} f\n"
        );
    }
    let (profile, _) = read(text.as_bytes());
    let moments: Vec<_> = profile.dumps().iter().filter_map(|dump| dump.moment).collect();
    assert!((300..=512).contains(&moments.len()), "{}", moments.len());
    assert!(moments.iter().any(|moment| moment.kind == MomentKind::Peak && moment.at == 1_234_000_000));
    assert_eq!(moments.last().map(|moment| moment.kind), Some(MomentKind::End));
    assert_eq!((profile.meta().runs[0].curve.len(), profile.columns()[0].total()), (3000, 9999));
}

/// A tree: bytes of its own, and children.
#[derive(Clone, Debug)]
struct Tree(i64, Vec<Tree>);

fn tree() -> impl Strategy<Value = Tree> {
    (0..50i64).prop_map(|own| Tree(own, Vec::new())).prop_recursive(6, 60, 4, |inner| {
        (0..50i64, proptest::collection::vec(inner, 0..4)).prop_map(|(own, children)| Tree(own, children))
    })
}

impl Tree {
    fn bytes(&self) -> i64 {
        self.0 + self.1.iter().map(Tree::bytes).sum::<i64>()
    }

    fn write(&self, depth: usize, name: &str, out: &mut String) {
        let blanks = " ".repeat(depth);
        *out += &format!("{blanks}n{}: {} {name}\n", self.1.len(), self.bytes());
        self.1.iter().enumerate().for_each(|(n, child)| child.write(depth + 1, &format!("0x{n:X}F: f{n} (a.c:{depth})"), out));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn own_bytes_add_up(trees in proptest::collection::vec(tree(), 1..6)) {
        let mut text = "cmd: x\ntime_unit: B\n".to_owned();
        for (n, tree) in trees.iter().enumerate() {
            let bytes = tree.bytes();
            text += &format!("#-\nsnapshot={n}\n#-\ntime={n}\nmem_heap_B={bytes}\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=detailed\n");
            tree.write(0, "(heap allocation functions) malloc", &mut text);
        }
        let (profile, warnings) = read(text.as_bytes());
        prop_assert_eq!(warnings, vec![]);
        let most = trees.iter().map(Tree::bytes).max().unwrap();
        prop_assert_eq!(profile.columns()[0].total(), most);
        // Each has a dump behind the first, in order; the peak or the end may have two.
        let totals: Vec<i64> = profile.columns()[2..].iter().step_by(2).map(|column| column.total()).collect();
        let mut wanted: Vec<i64> = trees.iter().map(Tree::bytes).collect();
        if totals.len() > wanted.len() {
            wanted.push(*wanted.last().unwrap());
        }
        prop_assert_eq!(totals, wanted);
        survives(text.as_bytes());
    }
}
