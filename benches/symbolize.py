#!/usr/bin/env python3
"""The work of symbolize.sh.

    symbolize.py convert JEMALLOC-DUMP GPERFTOOLS-DUMP    the same stacks, as text that every program here reads
    symbolize.py measure --heapview … --pprof … --loop … --small BINARY FOLDER...

Each FOLDER holds bin/wasmtime; its dump lies beside it, FOLDER.heap. Exit status 1 if pprof and heapview disagree
about the total or an aim of the memory is missed, 2 if a program fails.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOTAL = re.compile(r"^Showing nodes accounting for .* of (\S+) total$", re.M)
PPROF, JEPROF, LOOP, AGAIN = 8, 50, 1 / 0.7, 5  # what heapview aims at: that many times faster
MEMORY = 400e6  # most bytes


def convert(source, target):
    """jemalloc's dump, unsampled, as gperftools writes it: in use and allocated, then the memory map."""
    text = Path(source).read_text()
    stacks, maps = text.split("\nMAPPED_LIBRARIES:\n")
    rows = re.findall(r"^@ (.*)\n  t\*: (\d+): (\d+) \[(\d+): (\d+)\]", stacks, re.M)
    sums = [sum(int(row[i]) for row in rows) for i in range(1, 5)]
    with open(target + ".part", "w") as file:
        file.write("heap profile: %d: %d [%d: %d] @ heapprofile\n" % tuple(sums))
        file.writelines(f"{n}: {size} [{total}: {sizes}] @ {stack}\n" for stack, n, size, total, sizes in rows)
        file.write(f"\nMAPPED_LIBRARIES:\n{maps}")
    os.rename(target + ".part", target)


class Dump:
    """A gperftools dump of one program."""

    def __init__(self, path, binary):
        self.header, *self.rows = Path(path).read_text().split("\n\nMAPPED_LIBRARIES:\n")[0].splitlines()
        self.maps = Path(path).read_text().split("\n\nMAPPED_LIBRARIES:\n")[1]
        ranges = [line.split() for line in self.maps.splitlines() if line.endswith(os.path.basename(binary))]
        self.start = min(int(fields[0].split("-")[0], 16) for fields in ranges)
        self.end = max(int(fields[0].split("-")[1], 16) for fields in ranges)

    def stack(self, row):
        return [int(word, 16) for word in row.split(" @ ")[1].split()]

    def addresses(self):
        """Calls in the program's own file: return addresses less one; the innermost one of a stack is no less exact."""
        mine = {at for row in self.rows for at in self.stack(row) if self.start <= at < self.end}
        return sorted(at - self.start - 1 for at in mine)

    def cut(self, n_addresses, path):
        """Writes the first stacks, up to that many addresses."""
        known, kept = set(), []
        for row in self.rows:
            known.update(self.stack(row))
            if len(known) > n_addresses:
                break
            kept.append(row)
        Path(path).write_text("\n".join([self.header, *kept]) + f"\n\nMAPPED_LIBRARIES:\n{self.maps}")
        return path


def spread(binary, n_addresses, path):
    """Writes a dump of single calls, spread evenly over the functions of a position-independent program."""
    table = subprocess.run(["readelf", "-sW", binary], capture_output=True, text=True, check=True).stdout
    starts = sorted({int(row[1], 16) for row in map(str.split, table.splitlines()) if len(row) > 7 and row[3] == "FUNC" and int(row[1], 16)})
    base, step = 0x555500000000, max(1, len(starts) // n_addresses)
    rows = [f"1: 8 [1: 8] @ {base + start + 1:#x}" for start in starts[::step][:n_addresses]]
    headers = subprocess.run(["readelf", "-lW", binary], capture_output=True, text=True, check=True).stdout
    maps = []
    for fields in map(str.split, headers.splitlines()):
        if fields[:1] == ["LOAD"]:
            offset, address, size = (int(fields[i], 16) for i in (1, 2, 4))
            low, high = address & ~4095, (address + size + 4095) & ~4095
            rights = "r-xp" if "E" in fields[6:-1] else "r--p"
            maps.append(f"{base + low:x}-{base + high:x} {rights} {offset & ~4095:08x} 00:00 1 {os.path.realpath(binary)}")
    n = len(rows)
    Path(path).write_text("\n".join([f"heap profile: {n}: {8 * n} [{n}: {8 * n}] @ heapprofile", *rows]) + "\n\nMAPPED_LIBRARIES:\n" + "\n".join(maps) + "\n")
    return path


def run(*command, cache=None):
    """(seconds, peak resident bytes, standard output). The peak is what the kernel counted for that process."""
    environment = {**os.environ, "DEBUGINFOD_URLS": "", "PPROF_BINARY_PATH": ""}
    if cache:
        environment["XDG_CACHE_HOME"] = cache
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode != 0:
            print(err.read().decode(errors="replace"), end="", file=sys.stderr)
            print(f"{command[0]} failed (exit status {process.returncode})", file=sys.stderr)
            sys.exit(2)
        return seconds, usage.ru_maxrss * 1024, out.read().decode(errors="replace")


def best(runs):
    return min(runs, key=lambda run: run[0])


def compare(options, folder, work):
    """One table of all programs; whether nothing is wrong."""
    binary, dump_path = f"{folder}/bin/wasmtime", f"{folder}.heap"
    dump = Dump(dump_path, binary)
    addresses = dump.addresses()
    listed = f"{work}/addresses"
    Path(listed).write_text("".join(f"{at:#x}\n" for at in addresses))
    parts = sum(f.stat().st_size for f in Path(folder).rglob("*.dwo"))
    print(f"\n{os.path.basename(folder)}: {os.path.getsize(binary) / 1e6:.0f} MB" + (f" and {parts / 1e6:.0f} MB of .dwo files" if parts else ""), end="")
    print(f", {len(dump.rows)} stacks, {len(addresses)} addresses")
    top = ["-top", "-unit=B", "-nodecount=20", binary, dump_path]
    cache = f"{work}/cache-{os.path.basename(folder)}"
    run(options.heapview, *top, cache=cache)
    turns = {"heapview": [], "again": [], "loop": [], "pprof": [], "jeprof": []}
    for turn in range(options.runs):
        turns["heapview"].append(run(options.heapview, "--no-symbol-cache", *top))
        turns["again"].append(run(options.heapview, *top, cache=cache))
        turns["loop"].append(run(options.loop, binary, listed))
        if turn < options.pprof_runs:
            turns["pprof"].append(run(options.pprof, *top))
        if turn < options.jeprof_runs:
            turns["jeprof"].append(run("jeprof", "--text", binary, dump_path))
    first, peak, text = best(turns["heapview"])
    print(f"  {'':<34} {'time':>9} {'heapview':>11} {'aim':>7} {'memory':>9}")
    print(f"  {'heapview, first run':<34} {first:8.3f}s {'':>11} {'':>7} {peak / 1e6:6.0f} MB")
    for name, said, aim in [("again", "heapview, from its cache", AGAIN), ("loop", "loop over addr2line, one thread", LOOP), ("pprof", "pprof -top", PPROF), ("jeprof", "jeprof --text", JEPROF)]:
        seconds, memory, _ = best(turns[name])
        ratio = first / seconds if name == "again" else seconds / first
        told = f"{ratio:.1f} x" + (" faster" if name == "again" else "")
        print(f"  {said:<34} {seconds:8.3f}s {told:>11} {aim:5.1f} x {memory / 1e6:6.0f} MB{'' if ratio >= aim else '   MISSED'}")
    print(f"  addr2line: {best(turns['loop'])[2].strip()}")
    totals = TOTAL.search(text), TOTAL.search(best(turns["pprof"])[2])
    if not all(totals) or totals[0][1] != totals[1][1]:
        print(f"  totals differ: {totals}")
        return False
    return peak <= MEMORY


def curves(options, folder, work):
    binary, dump = f"{folder}/bin/wasmtime", Dump(f"{folder}.heap", f"{folder}/bin/wasmtime")
    row = "  {:<34} {:>9} {:>9}"
    measure = lambda binary, path: best([run(options.heapview, "--no-symbol-cache", "-top", binary, path) for _ in range(options.runs)])
    print("\nthe same program, more and more addresses\n" + row.format("", "time", "memory"))
    for n in (50, 200, 1000, 3000, 10**9):
        path = dump.cut(n, f"{work}/cut.heap")
        seconds, memory, _ = measure(binary, path)
        print(row.format(f"{len(Dump(path, binary).addresses())} addresses", f"{seconds:.3f}s", f"{memory / 1e6:.0f} MB"))
    print("\n200 addresses, spread over larger and larger programs\n" + row.format("", "time", "memory"))
    for other in [*options.small, options.heapview, options.loop, binary]:
        seconds, memory, _ = measure(other, spread(other, 200, f"{work}/spread.heap"))
        print(row.format(f"{os.path.basename(other)[:20]}, {os.path.getsize(other) / 1e6:.0f} MB", f"{seconds:.3f}s", f"{memory / 1e6:.0f} MB"))


def main():
    if sys.argv[1:2] == ["convert"]:
        return convert(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("word", choices=["measure"])
    for name in ("--heapview", "--pprof", "--loop"):
        parser.add_argument(name, required=True)
    parser.add_argument("--small", action="append", default=[], help="a smaller program for the curve")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--pprof-runs", type=int, default=3)
    parser.add_argument("--jeprof-runs", type=int, default=1, help="it takes half a minute")
    parser.add_argument("folder", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        fine = [compare(options, folder, work) for folder in options.folder]
        curves(options, options.folder[0], work)
    sys.exit(0 if all(fine) else 1)


main()
