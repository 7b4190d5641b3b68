use std::collections::BTreeMap;

use expect_test::expect;
use proptest::prelude::*;

use super::writer::{Block, KINDS, Packing, Thread, Trace, Zone, ledger, pack};
use crate::parse::error::{ErrorKind, WarningKind};
use crate::parse::testing::{check, rows, survives};
use crate::parse::{ParseOptions, Parsed, parse};
use crate::profile::{LabelValue, MomentKind, Profile, RunCount};

const S: i64 = 1_000_000_000;

fn read(file: &[u8]) -> Parsed {
    let parsed = parse(file, &ParseOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    parsed.profile.validate().unwrap();
    assert_eq!(parsed.format, "Tracy");
    parsed
}

fn profile(trace: &Trace) -> Profile {
    let Parsed { profile, warnings, .. } = read(&trace.file(Packing::Lz4, 1));
    assert_eq!(warnings, []);
    profile
}

/// A small one, in one block.
fn small() -> Trace {
    Trace { n_messages: 3, ..ledger([0, 14, 0]) }
}

fn file(text: &[u8]) -> Vec<u8> {
    pack(text, Packing::Lz4, 1, false)
}

fn warnings(file: &[u8]) -> String {
    read(file).warnings.iter().map(|warning| format!("{warning}\n")).collect()
}

fn error(file: &[u8]) -> ErrorKind {
    parse(file, &ParseOptions::default()).unwrap_err().kind
}

/// Label → sums of a value type.
fn by_label(profile: &Profile, key: &str, value_type: &str) -> BTreeMap<String, i64> {
    let column = profile.value_types().iter().position(|t| t.kind == value_type).unwrap();
    let mut sums = BTreeMap::new();
    for (row, set) in profile.samples().labels.iter().enumerate() {
        let label = profile.labels().get(*set).iter().find(|label| profile.text(label.key) == key);
        let name = match label.map(|label| label.value) {
            Some(LabelValue::Text(text)) => profile.text(text).to_owned(),
            _ => String::new(),
        };
        *sums.entry(name).or_insert(0) += profile.columns()[column].get(row);
    }
    sums.retain(|_, sum| *sum != 0);
    sums
}

fn sums<const N: usize>(list: [(&str, i64); N]) -> BTreeMap<String, i64> {
    list.into_iter().map(|(name, sum)| (name.to_owned(), sum)).collect()
}

#[test]
fn stacks_have_names_and_rows_have_labels() {
    let small = Trace {
        pools: small().pools.into_iter().map(|(name, blocks)| (name, blocks.into_iter().rev().take(2).rev().collect())).collect(),
        ..small()
    };
    check(
        small.file(Packing::Lz4, 1),
        expect![[r#"
        Tracy, period 0
        alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes peak_objects/count peak_space/bytes temp_objects/count temp_space/bytes lifetime/microseconds
        0 0 0 0 0 0 1 10 0 1 10 1 10 1 10 0 0 0 1 10 0 0 0 0 1 10 0 1 10 0 0 0 0 1 10 0 1 10 0 0 0 0 1 10 0 1 10 0 0 0 0 1 10 0 1 10 0 0 0 0 1 10 0 1 10 0 0 0 0 1 10 0 bytes=10bytes pool="default" thread="main" zone="setup" @ operator new(unsigned long):6 _RNvCs1234_2it5short:4 main:2
        1 10 0 0 0 0 0 0 100 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 bytes=10bytes lifetime="100us to 1ms" pool="default" thread="main" zone="setup" @ operator new(unsigned long):6 _RNvCs1234_2it5short:4 main:2
        0 0 0 0 1 5000 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 5000 1 5000 1 5000 0 0 0 1 5000 1 5000 1 5000 0 0 0 1 5000 1 5000 1 5000 0 0 0 1 5000 1 5000 1 5000 0 0 0 1 5000 0 0 0 0 0 0 0 bytes=5000bytes pool="default" thread="thread 7002" @ _ZN2it23_$LT$impl$u20$it..A$GT$4load17h0123456789abcdefE:3 script:1 4001
        1 5000 0 0 0 0 0 0 2000000 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 bytes=5000bytes lifetime="1s to 10s" pool="default" thread="thread 7002" @ _ZN2it23_$LT$impl$u20$it..A$GT$4load17h0123456789abcdefE:3 script:1 4001
        0 0 2 8192 2 8192 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 4096 1 4096 1 4096 0 0 0 2 8192 2 8192 2 8192 0 0 0 2 8192 2 8192 2 8192 0 0 0 2 8192 2 8192 2 8192 0 0 0 bytes=4096bytes pool="gpu" thread="main" zone="draw" @ [pool gpu] [zone draw]:30
        2 8192 0 0 0 0 0 0 7999999 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 bytes=4096bytes lifetime="never freed" pool="gpu" thread="main" zone="draw" @ [pool gpu] [zone draw]:30
    "#]],
    );
}

#[test]
fn all_versions_packings_and_streams_have_the_same_books() {
    let mut texts = Vec::new();
    for (version, packing, n_streams) in KINDS {
        let file = ledger(version).file(packing, n_streams);
        let Parsed { profile, warnings, .. } = read(&file);
        assert_eq!(warnings, [], "{version:?}");
        let run = &profile.meta().runs[0];
        assert_eq!(run.recorder, format!("Tracy {}.{}.{}", version[0], version[1], version[2]));
        assert_eq!((run.command.as_str(), run.is_temporary_exact), ("ledger", true));
        assert_eq!((run.duration, run.peak_at), (8 * S, 4 * S + 2));
        let count = |objects, bytes| RunCount { objects, bytes };
        assert_eq!((run.allocated, run.freed), (count(105, 1000 + 1000 + 5000 + 3 * 4096), count(102, 1000 + 5000 + 4096)));
        assert_eq!((run.temporary, run.peak, run.end), (count(100, 1000), count(5, 18_288), count(3, 9192)));
        assert_eq!(run.sizes, [(10, 100), (1000, 1), (4096, 3), (5000, 1)]);
        assert_eq!(profile.dumps()[0].time_nanos, (1_700_000_000 + 8) * S);
        texts.push(rows(&profile));
    }
    assert!(texts.windows(2).all(|pair| pair[0] == pair[1]), "{texts:#?}");
}

#[test]
fn memory_is_divided_by_pool_thread_and_zone() {
    let profile = profile(&ledger([0, 14, 0]));
    let of = |key, value_type| by_label(&profile, key, value_type);
    assert_eq!(of("pool", "alloc_space"), sums([("default", 7000), ("gpu", 12_288)]));
    assert_eq!(of("pool", "inuse_space"), sums([("default", 1000), ("gpu", 8192)]));
    assert_eq!(of("thread", "alloc_space"), sums([("main", 14_288), ("thread 7002", 5000)]));
    assert_eq!(of("zone", "alloc_objects"), sums([("", 1), ("draw", 3), ("load", 1), ("setup", 100)]));
    assert_eq!(of("zone", "peak_space"), sums([("", 5000), ("draw", 12_288), ("load", 1000)]));
    assert_eq!(of("lifetime", "alloc_objects"), sums([("never freed", 3), ("100us to 1ms", 100), ("1s to 10s", 2)]));
    let moments: Vec<_> = profile.dumps().iter().filter_map(|dump| dump.moment).collect();
    let at = |kind| moments.iter().find(|moment| moment.kind == kind).map(|moment| moment.at);
    // Of two moments at one time the second one comes a nanosecond later.
    assert_eq!((at(MomentKind::Peak), at(MomentKind::End)), (Some(4 * S + 3), Some(8 * S)));
}

#[test]
fn pools_without_stacks_are_shown_by_zone() {
    let trace = Trace { stacks: Vec::new(), ..small() };
    let trace = Trace {
        pools: trace
            .pools
            .into_iter()
            .map(|(name, blocks)| (name, blocks.into_iter().map(|b| Block { stack: 0, ..b }).collect()))
            .collect(),
        ..trace
    };
    let profile = profile(&trace);
    let shown = rows(&profile);
    for stack in ["@ [pool default] [zone load]:20 [zone setup]:10\n", "@ [pool gpu] [zone draw]:30\n", "@ [pool default]\n"] {
        assert!(shown.contains(stack), "{shown}");
    }
}

#[test]
fn files_of_other_versions_are_named_with_both_numbers() {
    let of = |version| Trace { version, ..small() }.file(Packing::Zstd, 2);
    for version in [[0, 14, 9], [0, 9, 0]] {
        assert_eq!(read(&of(version)).warnings, []);
    }
    let newer = warnings(&of([0, 15, 0]));
    assert!(newer.contains("the file has version 0.15.0") && newer.contains("up to 0.14;"), "{newer}");
    // Other sections than those that are known.
    let mut text = Trace { version: [1, 0, 0], ..small() }.text();
    text.splice(8 + 16..8 + 16, [1; 8]);
    let ErrorKind::NewerVersion { found, newest, .. } = error(&file(&text)) else { panic!("{:?}", error(&file(&text))) };
    assert_eq!((found.as_str(), newest.as_str()), ("1.0.0", "0.14"));
    let ErrorKind::OlderVersion { found, oldest, .. } = error(&of([0, 8, 2])) else { panic!("not too old") };
    assert_eq!((found.as_str(), oldest.as_str()), ("0.8.2", "0.9.0"));
    assert!(matches!(error(b"tr\xfdP\x02\x01abc"), ErrorKind::Compression { .. }));
    assert!(matches!(error(&file(b"traces begin otherwise")), ErrorKind::Compression { .. }));
}

#[test]
fn cut_files_are_read_as_far_as_they_go() {
    let trace = small();
    let text = trace.text();
    let whole = rows(&read(&file(&text)).profile);
    let mut seen = BTreeMap::new();
    for n in (0..text.len()).step_by(5) {
        let Ok(parsed) = parse(&pack(&text[..n], Packing::Zstd, 1, false), &ParseOptions::default()) else {
            assert!(n < 8, "{n}");
            continue;
        };
        parsed.profile.validate().unwrap();
        let run = &parsed.profile.meta().runs[0];
        match parsed.warnings.first().map(|warning| &warning.kind) {
            None => assert_eq!(rows(&parsed.profile), whole),
            Some(kind) => {
                assert!(kind.is_cut(), "{kind}");
                if let WarningKind::CutRecording { at_millis, .. } = kind {
                    assert!(*at_millis * 1_000_000 <= run.duration && run.duration <= 4 * S + 2);
                }
            }
        }
        *seen.entry((run.allocated.objects, run.end.bytes)).or_insert(0) += 1;
    }
    // Nothing, the first block, those of the pool and those of the other one; frees after the last allocation are yet to come.
    assert_eq!((seen.contains_key(&(0, 0)), seen.contains_key(&(1, 1000))), (true, true));
    assert!(seen.contains_key(&(102, 6000)) && seen.contains_key(&(104, 14_192)) && seen.contains_key(&(105, 9192)), "{seen:?}");
}

#[test]
fn files_cut_in_a_block_are_read_up_to_it() {
    let trace = ledger([0, 14, 0]);
    for (packing, n_streams) in [(Packing::Lz4, 3), (Packing::Zstd, 3)] {
        let bytes = trace.file(packing, n_streams);
        let mut n_cut = 0;
        for n in (0..bytes.len()).step_by(bytes.len() / 40) {
            if let Ok(parsed) = parse(&bytes[..n], &ParseOptions::default()) {
                parsed.profile.validate().unwrap();
                assert!(parsed.warnings[0].kind.is_cut());
                n_cut += 1;
            }
        }
        assert!(n_cut > 10, "{n_cut}");
    }
    // The last block has all memory events.
    let mut damaged = trace.file(Packing::Lz4, 1);
    let length = damaged.len();
    damaged[length - 3000..].fill(0);
    let shown = warnings(&damaged);
    assert!(shown.contains("the LZ4 data is damaged"), "{shown}");
}

#[test]
fn wrong_numbers_are_counted_and_the_rest_is_read() {
    let mut trace = small();
    let heap = &mut trace.pools[0].1;
    heap[0].thread = 9;
    heap[1].stack = 4000;
    heap[2].size = 1 << 60;
    heap[3].freed_at = Some(99 * S);
    heap[4].at = S / 2;
    trace.frames[3].0 = 0x77;
    let file = trace.file(Packing::Zstd, 1);
    let shown = warnings(&file);
    for what in [
        "entries that do not exist: 2",
        "sizes that no machine has, clamped to 256 TiB: 1",
        "times outside of the recording",
        "times that run backward",
    ] {
        assert!(shown.contains(what), "{what}: {shown}");
    }
    assert!(shown.lines().all(|line| line.starts_with("Tracy, byte ")), "{shown}");
    assert_eq!(read(&file).profile.meta().runs[0].allocated.objects, 105);
}

#[test]
fn sums_that_are_wrong_are_reported() {
    let mut text = small().text();
    // The number of blocks that the first pool says are in use: 1 of 102.
    let header = [2u64, 105, 0, 102, 1, 101].map(u64::to_le_bytes).concat();
    let at = text.windows(header.len()).position(|window| window == header).unwrap();
    text[at + 32] = 7;
    assert!(warnings(&file(&text)).contains("whose sums are not those of their events: the trace is damaged: 1"));
    let newer = Trace { version: [0, 15, 0], ..small() };
    let mut text = newer.text();
    text[at + 32] = 7;
    assert!(matches!(error(&file(&text)), ErrorKind::NewerVersion { .. }));
}

#[test]
fn counts_are_not_trusted() {
    let text = small().text();
    for at in (0..text.len() - 8).step_by(29) {
        for count in [1u64 << 60, u64::MAX] {
            let mut text = text.clone();
            text[at..at + 8].copy_from_slice(&count.to_le_bytes());
            if let Ok(parsed) = parse(&pack(&text, Packing::Zstd, 1, false), &ParseOptions::default()) {
                parsed.profile.validate().unwrap();
            }
        }
    }
}

#[test]
fn zones_may_be_nested_deep() {
    let nested = |depth: usize| {
        // The ends of all zones: nothing is known of them.
        let mut trace = small();
        trace.threads[0].zones.clear();
        let mut text = trace.text();
        let plain = Trace { threads: vec![Thread { zones: vec![], ..trace.threads[0].clone() }], ..trace.clone() }.text();
        assert!(plain.len() < text.len());
        let key = [2u64.to_le_bytes(), 7001u64.to_le_bytes()].concat();
        let at = text.windows(16).rposition(|window| window == key).unwrap() + 16 + 17 + 4;
        let zone = |n_inside: u32| [&0i16.to_le_bytes()[..], &1i64.to_le_bytes(), &[0; 4], &n_inside.to_le_bytes()].concat();
        let mut zones: Vec<u8> = (0..depth).flat_map(|_| zone(1)).collect();
        zones.extend(zone(0));
        zones.extend((0..=depth).flat_map(|_| (10 * S).to_le_bytes()));
        text.splice(at..at + 4, [&1u32.to_le_bytes()[..], &zones].concat());
        file(&text)
    };
    let Parsed { profile, warnings, .. } = read(&nested(1_000_000));
    assert_eq!(warnings, []);
    assert_eq!(by_label(&profile, "zone", "alloc_objects"), sums([("", 1), ("setup", 104)]));
    assert!(self::warnings(&nested(1_100_000)).contains("nested too deep"));
}

#[test]
fn damaged_blocks_end_a_trace() {
    let block = |bytes: &[u8]| [&b"tr\xfdP\x00\x01"[..], &(bytes.len() as u32).to_le_bytes(), bytes].concat();
    // A copy from nowhere, a copy from before the beginning, and a block that is longer than any.
    for bytes in [&[0x10, b'a', 0, 0, 0][..], &[0x10, b'a', 9, 0, 0], &[&[0x1f, b'a', 1, 0][..], &[255; 300], &[0]].concat()] {
        assert!(matches!(error(&block(bytes)), ErrorKind::Compression { container: "LZ4", .. }));
    }
    // A window of several gigabytes.
    let frame = [0x28, 0xb5, 0x2f, 0xfd, 0, 0xff, 1, 0, 0];
    let zstd = [&b"tr\xfdP\x01\xff"[..], &(frame.len() as u32).to_le_bytes(), &frame].concat();
    assert!(matches!(error(&zstd), ErrorKind::Compression { container: "zstd", .. }));
    for n in 0..zstd.len() {
        survives(&zstd[..n]);
    }
}

#[test]
fn patch_versions_that_are_unknown_are_read_unless_they_are_nonsense() {
    let newer = Trace { version: [0, 14, 3], ..small() };
    assert_eq!(read(&file(&newer.text())).warnings, []);
    let mut text = newer.text();
    text.splice(8 + 16..8 + 16, [1; 8]);
    assert!(matches!(error(&file(&text)), ErrorKind::NewerVersion { .. }));
}

#[test]
fn blocks_that_are_short_end_a_trace() {
    let text = ledger([0, 14, 0]).text();
    let [first, second] = [&text[..1 << 16], &text[1 << 16..]].map(|text| pack(text, Packing::Lz4, 1, false));
    let short = pack(&text[..5000], Packing::Lz4, 1, false);
    // Blocks of 65,536 bytes follow each other; one of 5,000 does not have what stands before the next.
    assert!(warnings(&[&first[..], &short[6..], &second[6..]].concat()).contains("the LZ4 data is damaged"));
}

#[test]
fn frames_that_come_twice_count_once() {
    let mut trace = small();
    let first = trace.frames[2].clone();
    trace.frames.push((first.0, "", vec![("other", "other.rs", 1)]));
    let shown = rows(&profile(&trace));
    assert!(shown.contains("_ZN2it4leak") && !shown.contains("other:"));
}

/// Zones of a thread, nested.
fn zones() -> impl Strategy<Value = Vec<Zone>> {
    // Times are put in order later.
    let leaf = (-1..3i16).prop_map(|place| Zone { place, ..Zone::default() });
    let zone = leaf.prop_recursive(4, 16, 4, |inside| {
        (-1..3i16, prop::collection::vec(inside, 0..4)).prop_map(|(place, inside)| Zone { place, inside, ..Zone::default() })
    });
    prop::collection::vec(zone, 0..4)
}

/// Gives zones times, in order; every step takes some.
fn with_times(zones: &mut [Zone], now: &mut i64, steps: &mut impl Iterator<Item = i64>) {
    for zone in zones {
        *now += steps.next().unwrap_or(1);
        zone.start = *now;
        with_times(&mut zone.inside, now, steps);
        *now += steps.next().unwrap_or(1);
        zone.end = *now;
    }
}

/// Place of the innermost zone.
fn innermost(zones: &[Zone], at: i64) -> Option<i16> {
    let zone = zones.iter().find(|zone| zone.start <= at && at < zone.end)?;
    innermost(&zone.inside, at).or(Some(zone.place))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn books_are_those_of_brute_force(
        mut lists in prop::collection::vec(zones(), 1..4),
        steps in prop::collection::vec(0..9i64, 1..40),
        events in prop::collection::vec((0..3usize, 0..200i64, 0..300i64, 0..5000u64, 0..4u32, any::<bool>()), 0..120),
        kind in 0..KINDS.len(),
    ) {
        let mut steps = steps.into_iter().cycle();
        for zones in &mut lists {
            with_times(zones, &mut 0, &mut steps);
        }
        let n_threads = lists.len();
        let mut pools = vec![("", Vec::new()), ("gpu", Vec::new()), ("arena", Vec::new())];
        for (pool, at, lived, size, stack, is_freed) in events {
            let thread = (size % n_threads as u64) as u16;
            // An odd time, so that no two events of different kinds have the same: their order is not defined.
            let block = Block { size, stack, at: 2 * at, freed_at: is_freed.then_some(2 * at + 2 * lived + 1), thread };
            pools[pool].1.push(block);
        }
        pools.iter_mut().for_each(|(_, blocks)| blocks.sort_by_key(|block| block.at));
        let threads = (0..).zip(&lists).map(|(n, zones)| Thread { id: 100 + n, name: "", zones: zones.clone() }).collect();
        let (version, packing, n_streams) = KINDS[kind];
        let trace = Trace { version, last_time: 2000, threads, pools, n_messages: 5, ..ledger(version) };
        let trace = Trace { places: [vec![(Some("a"), "f", "f.rs", 1), (Some("b"), "f", "f.rs", 2), (Some("c"), "f", "f.rs", 3)], vec![(Some("d"), "f", "f.rs", 4)]], ..trace };
        let Parsed { profile, warnings, .. } = read(&trace.file(packing, n_streams));
        let blocks: Vec<(&str, Block)> = trace.pools.iter().flat_map(|(name, blocks)| blocks.iter().map(move |block| (*name, *block))).collect();
        prop_assert!(blocks.is_empty() || warnings.is_empty(), "{warnings:?}");

        let mut times: Vec<i64> = blocks.iter().flat_map(|(_, block)| [block.at, block.freed_at.unwrap_or(0)]).collect();
        times.sort_unstable();
        let in_use_at = |time: i64| -> i64 {
            let blocks = blocks.iter().filter(|(_, block)| block.at <= time && block.freed_at.is_none_or(|freed_at| freed_at > time));
            blocks.map(|(_, block)| block.size as i64).sum()
        };
        let run = &profile.meta().runs[0];
        prop_assert_eq!(run.peak.bytes, times.iter().map(|time| in_use_at(*time)).max().unwrap_or(0));
        prop_assert_eq!(in_use_at(run.peak_at), run.peak.bytes);
        prop_assert_eq!((run.end.bytes, run.duration), (in_use_at(i64::MAX - 1), 2000));
        let mut of_zones: BTreeMap<String, i64> = BTreeMap::new();
        let mut of_pools: BTreeMap<String, i64> = BTreeMap::new();
        for (pool, block) in &blocks {
            let place = innermost(&lists[usize::from(block.thread)], block.at);
            let name = place.map_or("", |place| ["d", "a", "b", "c"][(place + 1) as usize]);
            *of_zones.entry(name.to_owned()).or_insert(0) += 1;
            if block.freed_at.is_none() && block.size > 0 {
                *of_pools.entry(if pool.is_empty() { "default" } else { pool }.to_owned()).or_insert(0) += block.size as i64;
            }
        }
        prop_assert_eq!(by_label(&profile, "zone", "alloc_objects"), of_zones);
        prop_assert_eq!(by_label(&profile, "pool", "inuse_space"), of_pools);
    }

    #[test]
    fn damaged_texts_are_survived(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8, any::<u8>(), 0..40usize), 1..8),
        kind in 0..KINDS.len(),
    ) {
        let (version, packing, n_streams) = KINDS[kind];
        let mut text = Trace { n_messages: 3, ..ledger(version) }.text();
        for (at, kind, byte, length) in edits {
            let at = at.index(text.len());
            let end = (at + length).min(text.len());
            match kind {
                0 => text.insert(at, byte),
                1 => drop(text.drain(at..end)),
                2 => text[at..end].fill(byte),
                _ => text[at] = byte,
            }
        }
        survives(&pack(&text, packing, n_streams, version < [0, 11, 0]));
    }

    #[test]
    fn damaged_files_are_survived(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        n in any::<prop::sample::Index>(),
        kind in 0..KINDS.len(),
    ) {
        let (version, packing, n_streams) = KINDS[kind];
        let mut file = Trace { n_messages: 3, ..ledger(version) }.file(packing, n_streams);
        for (at, byte) in edits {
            let at = at.index(file.len());
            file[at] = byte;
        }
        survives(&file);
        survives(&file[..n.index(file.len())]);
    }
}
