#!/usr/bin/env python3
"""Runs ms_print and heapview on a large output of massif, turn by turn, and compares wall time and totals.

    benches/massif.py [MASSIF_OUT...]          by default a generated one of 100 MB, kept in BENCH_DIR

  --heapview FILE    default target/release/heapview
  --megabytes N      of the generated file (100)
  --runs N           of each (3); the best counts

Both open the file: ms_print to print it, heapview for its summary (`open`) and to print it like ms_print (`massif`).  Needs Debian's
valgrind.  Exit status 1 if the two disagree about the peak, or if an aim is missed: a fifth of the time for both.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FASTER = 5


def run(words):
    """(seconds, standard output)"""
    with tempfile.TemporaryFile() as out:
        started = time.monotonic()
        subprocess.run(words, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, check=True)
        seconds = time.monotonic() - started
        out.seek(0)
        return seconds, out.read().decode("utf-8", "replace")


def write_tree(out, rng, functions, depth, size):
    """A tree with this many bytes in it, without recursion; returns bytes written."""
    written, todo = 0, [(0, size, "(heap allocation functions) malloc/new/new[], --alloc-fns, etc.")]
    while todo:
        level, size, detail = todo.pop()
        n = rng.randrange(1, 5) if level < depth and size > 4000 else 0
        cuts = sorted(rng.randrange(size + 1) for _ in range(n - 1))
        parts = [b - a for a, b in zip([0] + cuts, cuts + [size])] if n else []
        line = " " * level + "n%d: %d %s\n" % (n, size, detail)
        written += len(line)
        out.write(line)
        for part in sorted(parts):
            name = rng.choice(functions)
            todo.append((level + 1, part, name))
    return written


def generated(megabytes):
    folder = os.environ.get("BENCH_DIR", "/tmp/heapview-bench")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "massif-%d.out" % megabytes)
    if os.path.exists(path):
        return path
    rng = random.Random(1)
    functions = ["0x%X: work::step_%d<std::vector<int, std::allocator<int> > >(int) (step_%d.cpp:%d)" % (0x401000 + 16 * n, n, n % 99, n) for n in range(4000)]
    with open(path + ".part", "w", encoding="ascii") as out:
        out.write("desc: --threshold=0\ncmd: ./generated\ntime_unit: i\n")
        written, n = 0, 0
        while written < megabytes * 1_000_000:
            size = 10_000_000 + 40_000 * n
            is_detailed = n % 10 == 9
            out.write("#-----------\nsnapshot=%d\n#-----------\ntime=%d\nmem_heap_B=%d\nmem_heap_extra_B=%d\nmem_stacks_B=0\n" % (n, n * 100_000, size, n))
            out.write("heap_tree=%s\n" % ("detailed" if is_detailed else "empty"))
            if is_detailed:
                written += write_tree(out, rng, functions, 24, size)
            n += 1
    os.rename(path + ".part", path)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--heapview", default=os.path.join(os.path.dirname(HERE), "target/release/heapview"))
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    row = "{:<24} {:>10} {:>10} {:>8} {:>10} {:>8}"
    print(row.format("", "ms_print", "open", "faster", "massif", "faster"))
    is_well = True
    for file in options.files or [generated(options.megabytes)]:
        commands = [["ms_print", file], [options.heapview, "summary", "-json", "-config=none", file], [options.heapview, "massif", file]]
        runs = [[run(words) for words in commands] for _ in range(options.runs)]
        theirs, opened, printed = (min(each[i][0] for each in runs) for i in range(3))
        print(row.format(os.path.basename(file), "%.2f s" % theirs, "%.3f s" % opened, "%.1f x" % (theirs / opened), "%.3f s" % printed,
                         "%.1f x" % (theirs / printed)))
        peak = json.loads(runs[0][1][1])["run"][0]["peak_bytes"]
        heaps = [int(line.split()[3].replace(",", "")) for line in runs[0][0][1].splitlines() if re.match(r"^ *\d+ +[\d,]+ +[\d,]+ +[\d,]+ ", line)]
        if peak not in heaps:
            print("the two disagree: heapview's peak %d is in no snapshot of ms_print" % peak)
            is_well = False
        is_well &= theirs / opened >= FASTER and theirs / printed >= FASTER
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
