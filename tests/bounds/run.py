#!/usr/bin/env python3
"""Proves that no profile makes heapview take long or much memory.

    run.py target/release/heapview                  all cases, each at two sizes, in all reports
    run.py --quick target/debug/heapview --slower 20
                                                    a few cases and reports at an eighth of their size: some seconds
    run.py HEAPVIEW --only comments,maps            these cases
    run.py HEAPVIEW FILE...                         these files instead of the generated ones, .xz unpacked

Every report of every file must

  * end with exit status 0, 1 or 2, not by a signal and not with a panic;
  * take at most 4 times the unpacked file plus 200 MB of memory (the peak that the kernel counted);
  * take at most 2 s of processor time where the file has at most 1 MB and 10 MB unpacked (times --slower, for
    programs that are not optimized; with --quick a quarter of it, for files of an eighth of the size);
  * take at most 2.5 times as long for a file of twice the size, where it takes long enough to be measured.

Reports run side by side, one for each processor. One line a case with its slowest and its largest report, then the
reports that broke a bound. Exit status 1 if one did.
Processor time, not wall time: a busy machine does not matter. Linux only. Uses nothing but the standard library.
"""

import argparse
import gzip
import lzma
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from profiles import CASES

MB = 1 << 20
REPORTS = [
    ["-top"],
    ["-top", "-lines", "-json"],
    ["-peek=f1$"],
    ["-tree"],
    ["-tree", "-trim=false"],
    ["-tree", "-trim=false", "-json"],
    ["-peek=.", "-trim=false"],
    ["-flame"],
    ["-flame", "-inverted"],
    ["-flame", "-json"],
    ["-traces"],
    ["-tags"],
    ["-raw"],
    ["-top", "-json"],
    ["-top", "-csv", "-nodecount=100000"],
    ["-dot"],
    ["-dot", "-trim=false", "-nodecount=100000"],
    ["-flame", "-tagroot=key"],
    ["-summary"],
    ["-sizes"],
    ["-types"],
    ["-list=f1$"],
    ["-disasm=f1$"],
    ["-flamegraph"],
    ["-callgrind"],
    ["-collapsed"],
    ["-proto_plain"],
    ["-proto"],
    ["-topproto"],
    ["-profile_json"],
    ["-symbolized"],
    ["-comments"],
    ["explain"],
    ["doctor"],
    ["export"],
    ["check", "-max-inuse=1GB"],
    ["-top", "-base=FILE"],
    ["-flamegraph", "-base=FILE"],
    ["-growth", "FILE", "FILE", "FILE", "FILE"],
    ["jeprof", "--text", "PROGRAM"],
]
QUICK_REPORTS = [["-top"], ["-tree", "-trim=false"], ["-traces"], ["-flame"], ["explain"], ["-flamegraph", "-base=FILE"], ["-collapsed"], ["-proto_plain"]]
QUICK_CASES = ["comments", "colliding-text", "overlapping-maps", "value-types", "inlined", "deep-recursion", "long-name", "threads", "mangled", "dense"]
# Of the standard size, and of the time.
QUICK_SIZE, QUICK_TIME = 8, 4

# Below this many seconds twice the time proves nothing.
MEASURABLE = 0.3


def unpacked(path):
    """Length of a file's content, bytes; its own where it is not compressed."""
    with open(path, "rb") as file:
        is_gzip = file.read(2) == b"\x1f\x8b"
    if not is_gzip:
        return os.path.getsize(path)
    n = 0
    try:
        with gzip.open(path) as file:
            while chunk := file.read(MB):
                n += len(chunk)
    except (EOFError, OSError, zlib.error):
        pass
    return n


class Run:
    """One report of one file: seconds of processor time, peak memory in bytes, how it ended."""

    def __init__(self, program, report, path, folder, options):
        words = [word.replace("FILE", path).replace("PROGRAM", program) for word in report]
        command = [program, *words, path]
        if "-output" not in report:
            command.insert(1, "-output=answer") if report[0] == "export" else None
        if report[0] not in ("jeprof", "export"):
            command.insert(2, "-no-symbol-cache")

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (options.address_space * MB, options.address_space * MB))
            resource.setrlimit(resource.RLIMIT_CPU, (options.patience, options.patience))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        # Runs side by side have a folder each.
        folder = tempfile.mkdtemp(dir=folder)
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": folder, "XDG_CACHE_HOME": folder + "/cache", "LANG": "C.UTF-8"}
        with open(folder + "/errors", "w+b") as errors, open(os.devnull, "r+b") as nothing:
            process = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=errors, env=environment, cwd=folder, preexec_fn=limit)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            self.errors = errors.read(MB).decode(errors="replace")
            self.n_errors = os.path.getsize(folder + "/errors")
        shutil.rmtree(folder)
        self.name = " ".join(report)
        self.seconds = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss * 1024
        self.status = process.returncode


def measured(program, report, path, folder, options, bound):
    """A run; one that is too slow is tried again, because processor time is not the same every time."""
    run = Run(program, report, path, folder, options)
    if bound is not None and bound < run.seconds < 3 * bound:
        again = Run(program, report, path, folder, options)
        run = min(run, again, key=lambda r: r.seconds)
    return run


def broken(run, memory, seconds):
    """What bounds a run broke."""
    if run.status < 0:
        yield f"ended by signal {-run.status} after {run.seconds:.1f} s and {run.peak // MB} MB"
    elif run.status not in (0, 1, 2) or "panicked at" in run.errors:
        yield f"exit status {run.status}: {run.errors[:200]!r}"
    if run.peak > memory:
        yield f"{run.peak // MB} MB, at most {memory // MB}"
    if seconds is not None and run.seconds > seconds:
        yield f"{run.seconds:.2f} s, at most {seconds:.2f}"
    if run.n_errors > MB:
        yield f"{run.n_errors // MB} MB of messages"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heapview")
    parser.add_argument("file", nargs="*", help="files to try instead of generated ones")
    parser.add_argument("--quick", action="store_true", help="fewer cases and reports, one small size: some seconds")
    parser.add_argument("--only", help="cases, divided by commas", metavar="CASES")
    parser.add_argument("--slower", type=float, default=1.0, metavar="FACTOR", help="of the program because it is not optimized, default 1")
    parser.add_argument("--address-space", type=int, default=8000, metavar="MB", help="given to each run, default 8000")
    parser.add_argument("--patience", type=int, default=60, metavar="S", help="processor time after which a run is ended, default 60")
    options = parser.parse_intermixed_args()
    program = str(Path(options.heapview).resolve())
    folder = tempfile.mkdtemp(prefix="heapview-bounds-")
    failed = False
    try:
        for name, paths in cases(options, folder):
            failed |= not holds(program, name, paths, folder, options)
    finally:
        shutil.rmtree(folder)
    sys.exit(1 if failed else 0)


def cases(options, folder):
    """Name and files of each case: one, or two of which the second has twice the size."""
    if options.file:
        for path in map(Path, options.file):
            plain = path
            if path.suffix == ".xz":
                plain = Path(folder) / path.stem
                plain.write_bytes(lzma.decompress(path.read_bytes()))
            yield path.name, [str(plain.resolve())]
        return
    chosen = options.only.split(",") if options.only else QUICK_CASES if options.quick else list(CASES)
    for name in chosen:
        make, size = CASES[name]
        paths = []
        for n in [size // QUICK_SIZE] if options.quick else [size // 2, size]:
            path = Path(folder) / f"{name}-{n}"
            path.write_bytes(make(n))
            paths.append(str(path))
        yield name, paths
        for path in paths:
            os.unlink(path)


def holds(program, name, paths, folder, options):
    """Runs a case and prints its line."""
    sizes = [(os.path.getsize(path), unpacked(path)) for path in paths]

    def runs_of(report):
        """The runs of a report, one for each file, and what bounds they broke."""
        runs, complaints = [], []
        for path, (packed_size, size) in zip(paths, sizes):
            # Reports of two or more files have so many times the input.
            times = 1 + sum("FILE" in word for word in report)
            is_small = packed_size <= MB and size <= 10 * MB
            seconds = 2.0 * options.slower * times / (QUICK_TIME if options.quick else 1) if is_small else None
            run = measured(program, report, path, folder, options, seconds)
            complaints += [f"{run.name} on {Path(path).name}: {what}" for what in broken(run, times * 4 * size + 200 * MB, seconds)]
            runs.append(run)
        if len(runs) == 2 and runs[0].seconds >= MEASURABLE * options.slower and runs[1].seconds > 2.5 * runs[0].seconds:
            complaints.append(f"{runs[0].name}: twice the input takes {runs[1].seconds / runs[0].seconds:.1f} times as long ({runs[1].seconds:.2f} s)")
        return runs, complaints

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = list(pool.map(runs_of, QUICK_REPORTS if options.quick else REPORTS))
    runs = [run for of_report, _ in results for run in of_report]
    complaints = [complaint for _, of_report in results for complaint in of_report]
    slowest, largest = max(runs, key=lambda run: run.seconds), max(runs, key=lambda run: run.peak)
    packed_size, size = sizes[-1]
    print(
        f"{'FAILED' if complaints else 'ok':6} {name:24} {packed_size / 1e6:6.2f} MB ({size / 1e6:6.2f} unpacked)  "
        f"{slowest.seconds:6.2f} s {slowest.name:28} {largest.peak // MB:5} MB {largest.name}",
        flush=True,
    )
    for complaint in complaints:
        print(f"       {complaint}", flush=True)
    return not complaints


if __name__ == "__main__":
    main()
