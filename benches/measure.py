#!/usr/bin/env python3
"""Runs two programs on the same work, turn by turn, and compares wall time, peak memory and totals.

    measure.py --pprof PATH --heapview PATH [--runs 3] [--pprof-runs 1] NAME=FILE...

Exit status 1 if the two disagree about a total, 2 if one of them fails.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

ARGUMENTS = ["-symbolize=none", "-top", "-nodecount=20", "-sample_index=inuse_space", "-unit=B"]
TOTAL = re.compile(r"^Showing nodes accounting for .* of (\S+) total$", re.M)
FASTER, SMALLER = 25, 3  # what heapview aims at: that many times


def run(program, profile):
    """(seconds, peak resident bytes, total as printed). The peak is what the kernel counted for that process."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.monotonic()
        process = subprocess.Popen([program, *ARGUMENTS, profile], stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        found = TOTAL.search(out.read().decode(errors="replace"))
        if process.returncode != 0 or not found:
            print(err.read().decode(errors="replace"), end="", file=sys.stderr)
            print(f"{program} gave no total for {profile} (exit status {process.returncode})", file=sys.stderr)
            sys.exit(2)
    return seconds, usage.ru_maxrss * 1024, found[1]


def best(runs):
    return min(seconds for seconds, _, _ in runs), min(peak for _, peak, _ in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pprof", required=True)
    parser.add_argument("--heapview", required=True)
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="of heapview, default 3")
    parser.add_argument("--pprof-runs", type=int, default=1, metavar="N", help="default 1, it is slow")
    parser.add_argument("case", nargs="+", metavar="NAME=FILE")
    options = parser.parse_args()

    row = "{:<14} {:>10} {:>10} {:>9}   {:>10} {:>10} {:>9}   {}"
    print(row.format("", "pprof", "heapview", "faster", "pprof", "heapview", "smaller", "total"))
    differ = False
    for case in options.case:
        name, _, profile = case.partition("=")
        theirs, ours = [], []
        for turn in range(max(options.runs, options.pprof_runs)):
            if turn < options.pprof_runs:
                theirs.append(run(options.pprof, profile))
            if turn < options.runs:
                ours.append(run(options.heapview, profile))
        (their_time, their_peak), (our_time, our_peak) = best(theirs), best(ours)
        totals = sorted({total for _, _, total in theirs + ours})
        differ |= len(totals) > 1
        print(
            row.format(
                name,
                f"{their_time:.2f} s",
                f"{our_time:.3f} s",
                f"{their_time / our_time:.1f}x",
                f"{their_peak / 2**20:.0f} MiB",
                f"{our_peak / 2**20:.0f} MiB",
                f"{their_peak / our_peak:.1f}x",
                totals[0] if len(totals) == 1 else "DIFFERS: " + " ".join(totals),
            ),
            flush=True,
        )
    print(row.format("aim", "", "", f"{FASTER}x", "", "", f"{SMALLER}x", "equal"))
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
