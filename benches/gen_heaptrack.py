#!/usr/bin/env python3
"""Writes an interpreted recording as heaptrack makes it; the same one every time.

    gen_heaptrack.py OUT [--events 200000000] [--stacks 20000]     a recording; compressed by zstd if OUT ends in .zst

Blocks come and go in runs of 20,000 events, one of twelve at a time, with a time stamp every thousand events; that packs as well as a real
recording does. After each run a block stays for ever, so that the peak comes late. The last line on stdout is JSON: what a reader must
find.
"""

import argparse
import json
import random
import subprocess
import sys


def tables(stacks, rng):
    """Lines in front of the events, and the size of each numbered allocation."""
    lines = ["v 10400 3", "X ./generated", "I 1000 100000", "s e /bin/generated"]
    functions = max(2, stacks // 20)
    for n in range(functions):
        name = "work::step_%d" % n
        lines += ["s %x %s" % (len(name), name), "i %x 1 %x" % (0x401000 + 16 * n, n + 2)]
    depths = [1]
    lines.append("t 1 0")
    for n in range(2, stacks + 1):
        # Callers are near the beginning, so that stacks are some thirty deep.
        caller = rng.randrange(max(1, n - functions), n)
        while depths[caller - 1] >= 60:
            caller = rng.randrange(1, n)
        depths.append(depths[caller - 1] + 1)
        lines.append("t %x %x" % (rng.randrange(1, functions + 1), caller))
    sizes = []
    for n in range(stacks * 2):
        size = rng.choice([16, 24, 32, 48, 64, 100, 256, 1000, 4096])
        sizes.append(size)
        lines.append("a %x %x" % (size, n % stacks + 1))
    return lines, sizes


def cycle(events, sizes, rng):
    """Lines of a balanced run of events, a thousand at a time; bytes that are in use at most; number of allocations."""
    live, lines, parts, used, peak, n = [], [], [], 0, 0, 0
    weights = [1 / (1 + i % 997) for i in range(len(sizes))]
    picks = iter(rng.choices(range(len(sizes)), weights, k=events))
    for at in range(events):
        left = events - at
        if left > len(live) and (not live or rng.random() < 0.52):
            pick = next(picks)
            live.append(pick)
            used += sizes[pick]
            n += 1
            lines.append("+ %x" % pick)
        else:
            at_end = rng.random() < 0.7
            pick = live.pop() if at_end else live.pop(rng.randrange(len(live)))
            used -= sizes[pick]
            lines.append("- %x" % pick)
        peak = max(peak, used)
        if len(lines) == 1000:
            parts.append(("\n".join(lines) + "\n").encode())
            lines = []
    parts.append(("\n".join(lines + [""])).encode())
    return parts, peak, n


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", metavar="OUT")
    parser.add_argument("--events", type=int, default=200_000_000, metavar="N", help="default 200000000")
    parser.add_argument("--stacks", type=int, default=20_000, metavar="N", help="default 20000")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    lines, sizes = tables(options.stacks, rng)
    length = min(options.events, 20_000)
    runs = [cycle(length, sizes, rng) for _ in range(12)]
    packer = None
    if options.output.endswith(".zst"):
        packer = subprocess.Popen(["zstd", "-q", "-f", "-o", options.output], stdin=subprocess.PIPE)
        out = packer.stdin
    else:
        out = open(options.output, "wb")
    out.write(("\n".join(lines) + "\n").encode())
    kept = peak = millis = allocations = 0
    for _ in range(max(1, options.events // length)):
        parts, most, n = rng.choice(runs)
        for part in parts:
            millis += 1
            out.write(part + b"c %x\n" % millis)
        peak = max(peak, kept + most)
        out.write(b"+ 8\n")
        kept += sizes[8]
        allocations += n + 1
    peak = max(peak, kept)
    out.close()
    if packer and packer.wait():
        sys.exit("zstd failed")
    print(json.dumps({"allocations": allocations, "peak": peak, "end": kept, "millis": millis}))


if __name__ == "__main__":
    main()
