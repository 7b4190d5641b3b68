#!/usr/bin/env python3
"""Runs heaptrack_print and heapview on the same recordings, turn by turn, and compares wall time, peak memory and totals.

    benches/heaptrack.py [RECORDING...]        by default a generated one of 200 million events, kept in BENCH_DIR

  --heapview FILE    default target/release/heapview
  --events N         of the generated recording (200000000)
  --runs N           of both (3); the best counts

Needs Debian's heaptrack and zstd. Exit status 1 if the two disagree about the peak or the allocations, or if an aim is missed: 8 times as
fast, at most the same memory.
"""

import argparse
import json
import os
import re
import sys

from side_by_side import HEAPVIEW, generated, generator, run

FASTER = 8


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recordings", nargs="*")
    parser.add_argument("--heapview", default=HEAPVIEW)
    parser.add_argument("--events", type=int, default=200_000_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    row = "{:<34} {:>10} {:>10} {:>8}   {:>10} {:>10}"
    print(row.format("", "heaptrack", "heapview", "faster", "heaptrack", "heapview"))
    is_well = True
    make = generator("gen_heaptrack.py", "--events", str(options.events))
    for recording in options.recordings or [generated("heaptrack-%d.zst" % options.events, make)]:
        theirs, ours = [], []
        for _ in range(options.runs):
            theirs.append(run(["heaptrack_print", "-f", recording]))
            ours.append(run([options.heapview, "summary", "-json", "-symbolize=none", "-config=none", recording]))
        (time_a, time_b), (most_a, most_b) = ([min(r[i] for r in runs) for runs in (theirs, ours)] for i in (0, 1))
        faster = time_a / time_b
        print(row.format(os.path.basename(recording), "%.2f s" % time_a, "%.3f s" % time_b, "%.1f x" % faster,
                         "%d MiB" % (most_a >> 20), "%d MiB" % (most_b >> 20)))
        facts = json.loads(ours[0][2])["run"][0]
        calls = int(re.search(r"^calls to allocation functions: (\d+)", theirs[0][2], re.M)[1])
        peak = re.search(r"^peak heap memory consumption: ([\d.]+)([BKMGT])", theirs[0][2], re.M)
        unit = 1000 ** "BKMGT".index(peak[2])
        if calls != facts["allocations"] or abs(float(peak[1]) * unit - facts["peak_bytes"]) > 0.006 * unit:
            print("the two disagree: %d and %d calls, peak %s%s and %d" % (calls, facts["allocations"], peak[1], peak[2], facts["peak_bytes"]))
            is_well = False
        is_well &= faster >= FASTER and most_b <= most_a
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
