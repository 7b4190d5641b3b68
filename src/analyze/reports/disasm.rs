//! Flat and cumulative values by code address. Instructions and functions come from the binaries, which this module does not
//! read.

use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::sums::Sums;
use crate::base::id::{FrameId, Id};
use crate::base::pair::net;
use crate::report::{DisasmReport, SampledAddress};

/// Every address that holds something and is in a module. O(nodes + frames).
pub(crate) fn disasm(context: &ReportContext) -> DisasmReport {
    let ReportContext { profile, tree, .. } = context;
    let sums = Sums::new(context);
    let code = profile.code();
    let mut frame_of: Vec<Option<FrameId>> = vec![None; tree.keys.len()];
    for frame in code.frames.ids() {
        frame_of[tree.keys.of_frame[frame.index()] as usize].get_or_insert(frame);
    }
    let sampled = |&key: &u32| {
        let frame = frame_of[key as usize]?;
        let (mapping, _) = profile.mapping_of(code.frames[frame].location)?;
        let function = profile.function_of(frame).map(|(_, f)| f);
        let row = tree.keys.row(key);
        let by = sums.divisor();
        let divisor = |of: fn(&Sums) -> &Vec<[i64; 2]>| by.map_or(0, |by| net(of(by)[key as usize]));
        Some(SampledAddress {
            mapping: mapping.index(),
            address: code.locations[code.frames[frame].location].address,
            label: row.name.clone(),
            function: function.map_or(String::new(), |f| profile.text(f.name).to_owned()),
            file: row.file.clone(),
            line: code.frames[frame].line,
            flat: sums.flat[key as usize],
            cum: sums.cum[key as usize],
            divisor: [divisor(|s| &s.flat), divisor(|s| &s.cum)],
        })
    };
    let sampled: Vec<SampledAddress> = sums.alive().iter().filter_map(sampled).collect();
    DisasmReport { header: context.header(), routine: Vec::new(), sampled }
}
