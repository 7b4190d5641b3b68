#!/usr/bin/env python3
"""Writes the dumps of a process, one after another in its life; the same ones every time.

    gen_series.py DIR                                     100 dumps of about 1 MB each, gperftools text
    gen_series.py DIR --stacks 100000 --depth 10 --gzip   100 dumps of 100,000 stacks

The dumps have nearly all stacks in common, as those of a process have: of a hundred stacks one is new in each dump and
one is gone. One stack of fifty grows from dump to dump, the others go up and down. The last line on stdout is JSON.
"""

import argparse
import gzip
import json
import os
import random
from pathlib import Path

from gen_profile import CallGraph, map_lines, stacks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", metavar="DIR")
    parser.add_argument("--dumps", type=int, default=100, metavar="N", help="default 100")
    parser.add_argument("--stacks", type=int, default=1650, metavar="N", help="in each dump, default 1650")
    parser.add_argument("--depth", type=int, default=40, metavar="N", help="mean frames of a stack, default 40")
    parser.add_argument("--pcs", type=int, default=30_000, metavar="N", help="different addresses, default 30000")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--gzip", action="store_true", help="for dumps that would take gigabytes")
    options = parser.parse_args()

    graph = CallGraph(options.pcs, random.Random(options.seed))  # the same that stacks() makes from this seed
    maps = map_lines(graph)
    turnover = max(1, options.stacks // 100)
    n_per_dump, options.stacks = options.stacks, options.stacks + turnover * (options.dumps - 1)
    rows = []
    for stack, in_use, size, _ in stacks(options):
        rows.append((" ".join(f"{graph.address(pc):#x}" for pc in reversed(stack)), in_use + 1, size))

    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    rand, n_bytes = random.Random(options.seed + 1).random, 0
    for dump in range(options.dumps):
        lines, objects, space = [], 0, 0
        first = dump * turnover
        for number in range(first, first + n_per_dump):
            at, in_use, size = rows[number]
            n = in_use + dump if number % 50 == 0 else 1 + int(in_use * (0.5 + rand()))
            objects += n
            space += n * size
            lines.append(f"{n:6}: {n * size:8} [{n:6}: {n * size:8}] @ {at}\n")
        header = f"heap profile: {objects:6}: {space:8} [{objects:6}: {space:8}] @ heapprofile\n"
        content = (header + "".join(lines) + maps).encode()
        n_bytes += len(content)
        path = folder / f"server.{dump + 1:04}.heap"
        if options.gzip:
            path = path.with_name(path.name + ".gz")
            content = gzip.compress(content, 1, mtime=0)
        path.write_bytes(content)
    print(json.dumps({"dumps": options.dumps, "stacks": n_per_dump, "bytes": n_bytes, "distinct": len(rows)}))


if __name__ == "__main__":
    main()
