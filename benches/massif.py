#!/usr/bin/env python3
"""Runs ms_print and heapview on a large output of massif, turn by turn, and compares wall time and totals.

    benches/massif.py [MASSIF_OUT...]          by default a generated one of 100 MB, kept in BENCH_DIR

  --heapview FILE    default target/release/heapview
  --megabytes N      of the generated file (100)
  --runs N           of each (3); the best counts

Both open the file: ms_print to print it, heapview for its summary (`open`) and to print it like ms_print (`massif`). Needs Debian's
valgrind. Exit status 1 if the two disagree about the peak, or if an aim is missed: a fifth of the time for both.
"""

import argparse
import json
import os
import random
import re
import sys

from side_by_side import HEAPVIEW, generated, run

FASTER = 5


def tree(rng, nodes, depth):
    """Children of each node, and their frames: stacks of a program, which are the same in all snapshots."""
    children, levels = [[]], [0]
    names = ["work::step_%d<std::vector<int, std::allocator<int> > >(int) (step_%d.cpp:%d)" % (n, n % 99, n) for n in range(4000)]
    details = ["(heap allocation functions) malloc/new/new[], --alloc-fns, etc."]
    while len(children) < nodes:
        caller = rng.randrange(max(0, len(children) - 300), len(children))
        if levels[caller] >= depth:
            caller = rng.randrange(min(len(children), 300))
        children[caller].append(len(children))
        children.append([])
        levels.append(levels[caller] + 1)
        n = rng.randrange(len(names))
        details.append("0x%X: %s" % (0x401000 + 16 * n, names[n]))
    return children, details


def tree_lines(rng, children, details, size):
    """Lines of a tree of about this many bytes, in preorder, and its bytes."""
    sums = [0] * len(children)
    parents = {child: node for node, of_node in enumerate(children) for child in of_node}
    for node in range(len(children) - 1, -1, -1):
        if not children[node]:
            sums[node] += rng.randrange(2 * size // len(children) + 1)
        if node:
            sums[parents[node]] += sums[node]
    lines, todo = [], [(0, 0)]
    while todo:
        level, node = todo.pop()
        lines.append("%sn%d: %d %s\n" % (" " * level, len(children[node]), sums[node], details[node]))
        todo.extend((level + 1, child) for child in sorted(children[node], key=lambda child: sums[child]))
    return lines, sums[0]


def write(path, megabytes):
    rng = random.Random(1)
    # massif writes 100 snapshots at most; with --threshold=0 and --detailed-freq=1 all have all stacks.
    children, details = tree(rng, 90 * megabytes, 24)
    with open(path, "w", encoding="ascii") as out:
        out.write("desc: --threshold=0 --detailed-freq=1\ncmd: ./generated\ntime_unit: i\n")
        for n in range(100):
            lines, size = tree_lines(rng, children, details, 10_000_000 + 400_000 * n)
            out.write("#-----------\nsnapshot=%d\n#-----------\ntime=%d\nmem_heap_B=%d\nmem_heap_extra_B=%d\nmem_stacks_B=0\n" % (n, n * 100_000, size, n))
            out.write("heap_tree=detailed\n")
            out.writelines(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--heapview", default=HEAPVIEW)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    row = "{:<24} {:>10} {:>10} {:>8} {:>10} {:>8}"
    print(row.format("", "ms_print", "open", "faster", "massif", "faster"))
    is_well = True

    def make(path):
        write(path, options.megabytes)

    for file in options.files or [generated("massif-%d.out" % options.megabytes, make)]:
        commands = [["ms_print", file], [options.heapview, "summary", "-json", "-config=none", file], [options.heapview, "massif", file]]
        runs = [[run(words) for words in commands] for _ in range(options.runs)]
        theirs, opened, printed = (min(each[i][0] for each in runs) for i in range(3))
        print(row.format(os.path.basename(file), "%.2f s" % theirs, "%.3f s" % opened, "%.1f x" % (theirs / opened), "%.3f s" % printed,
                         "%.1f x" % (theirs / printed)))
        peak = json.loads(runs[0][1][2])["run"][0]["peak_bytes"]
        heaps = [int(line.split()[3].replace(",", "")) for line in runs[0][0][2].splitlines() if re.match(r"^ *\d+ +[\d,]+ +[\d,]+ +[\d,]+ ", line)]
        if peak not in heaps:
            print("the two disagree: heapview's peak %d is in no snapshot of ms_print" % peak)
            is_well = False
        is_well &= theirs / opened >= FASTER and theirs / printed >= FASTER
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
