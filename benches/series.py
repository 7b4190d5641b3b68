#!/usr/bin/env python3
"""Measures how a series of dumps opens, beside its dumps read one after another, and how long growth takes.

    series.py --heapview PATH --small DIR --large DIR [--runs 3]

One after another: the sum over the dumps of `heapview comments DUMP`, which reads a dump and prints nothing, each less
what `heapview comments` takes for a dump of one stack: that is what starting the program costs. The series: `heapview
-top -nodecount=1` of the folder, less the same start. Nothing is symbolized. Two threads read a series ahead, so the
processor's time is shown beside the wall's. Growth: `heapview growth` of the folder, less its -top.
Exit status 1 when an aim is missed, 2 when the program fails.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RATIO, GROWTH = 3, 1.0  # aims: that many times the dumps one after another; seconds
ONE_STACK = "heap profile:      1:       16 [     1:       16] @ heapprofile\n     1:       16 [     1:       16] @ 0x401234\n"


def run(*words):
    """(wall seconds, processor seconds, peak resident bytes)."""
    with tempfile.TemporaryFile() as err:
        started = time.monotonic()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            err.seek(0)
            sys.stderr.write(err.read().decode(errors="replace"))
            print(f"{' '.join(map(str, words))} failed (exit status {process.returncode})", file=sys.stderr)
            sys.exit(2)
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def best(runs, *words):
    """The lowest of each."""
    return tuple(map(min, zip(*(run(*words) for _ in range(runs)))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heapview", required=True)
    parser.add_argument("--small", required=True, metavar="DIR", help="dumps of 1 MB")
    parser.add_argument("--large", required=True, metavar="DIR", help="dumps of 100,000 stacks")
    parser.add_argument("--runs", type=int, default=3, metavar="N")
    options = parser.parse_args()
    program, runs = options.heapview, options.runs

    def read(dump):
        return best(runs, program, "comments", "-symbolize=none", dump)

    def top(folder):
        return best(runs, program, "-top", "-nodecount=1", "-symbolize=none", folder)

    def growth(folder):
        return best(runs, program, "growth", "-symbolize=none", folder)

    with tempfile.TemporaryDirectory() as folder:
        one = Path(folder) / "one.heap"
        one.write_text(ONE_STACK)
        start, start_cpu, _ = best(10 * runs, program, "comments", "-symbolize=none", one)
    dumps = sorted(Path(options.small).iterdir())
    alone = [read(dump) for dump in dumps]
    wall = sum(max(0.0, dump[0] - start) for dump in alone)
    cpu = sum(max(0.0, dump[1] - start_cpu) for dump in alone)
    peak = max(dump[2] for dump in alone)
    opened, opened_cpu, opened_peak = top(options.small)
    opened, opened_cpu = opened - start, opened_cpu - start_cpu
    ratio = opened / wall if wall else float("inf")
    n_bytes = sum(dump.stat().st_size for dump in dumps)

    row = "{:<44} {:>9} {:>11} {:>10}   {}"
    mib = lambda n: f"{n / 2**20:.0f} MiB"  # noqa: E731
    print(f"{len(dumps)} dumps, {n_bytes / 1e6:.0f} MB in all; starting the program takes {start * 1000:.1f} ms, taken off")
    print(row.format("", "wall", "processor", "peak", ""))
    print(row.format("one after another", f"{wall:.3f} s", f"{cpu:.3f} s", mib(peak), "(peak of one)"))
    times = f"{ratio:.2f} x the wall, {opened_cpu / cpu if cpu else float('inf'):.2f} x the processor; aim {RATIO} x"
    print(row.format("as a series", f"{opened:.3f} s", f"{opened_cpu:.3f} s", mib(opened_peak), times))

    missed = ratio > RATIO
    for name, folder, aim in (("the same", options.small, None), ("the large one", options.large, GROWTH)):
        shown, grown = top(folder), growth(folder)
        seconds = grown[0] - shown[0]
        missed |= aim is not None and seconds > aim
        print(row.format(f"{name}: opened, with -top", f"{shown[0]:.3f} s", f"{shown[1]:.3f} s", mib(shown[2]), ""))
        note = f"growth alone {max(0.0, seconds):.3f} s" + (f"; aim {aim:g} s" if aim else "")
        print(row.format(f"{name}: opened, with growth", f"{grown[0]:.3f} s", f"{grown[1]:.3f} s", mib(grown[2]), note))
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
