#!/usr/bin/env python3
"""Writes a DHAT file as valgrind makes it; the same one every time.

    gen_dhat.py OUT [--megabytes 200]

Program points have 7 to 15 frames of a table of 40,000, begin at 400 allocation sites, and have blocks, lifetimes and accesses like those
of a Python interpreter. The last
line on stdout is JSON: what a reader must find.
"""

import argparse
import json
import os
import random


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--megabytes", type=int, default=200)
    options = parser.parse_args()
    rng = random.Random(1)
    functions = 4000
    frames = ['"[root]"', '"0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so)"']
    frames += ['"0x%X: step_%d (work_%d.c:%d)"' % (0x400000 + 16 * n, n % functions, n % 97, n % 900) for n in range(40000)]
    # Callers of a frame are few, so that stacks share their outer parts.
    callers = [[rng.randrange(2, max(3, n // 2)) for _ in range(3)] for n in range(len(frames))]
    sites = [rng.randrange(len(frames) // 2, len(frames)) for _ in range(400)]
    ends = ['"0x%X: thread_%d (main.c:%d)"' % (0x900000 + 16 * n, n, n) for n in range(64)]
    frames += ends
    totals = dict.fromkeys(["tb", "tbk", "gb", "eb", "rb", "wb", "points"], 0)
    seen = set()
    with open(options.out, "w", encoding="ascii") as out:
        out.write('{"dhatFileVersion":2\n,"mode":"heap","verb":"Allocated"\n,"bklt":true,"bkacc":true\n,"tu":"instrs","Mtu":"Minstr"\n')
        out.write(',"tuth":500\n,"cmd":"./generated"\n,"pid":1\n,"te":900000000\n,"tg":800000000\n,"pps":\n [')
        written, limit = 0, options.megabytes * 1_000_000 - 3_000_000
        while written < limit:
            at = sites[min(int(rng.expovariate(0.02)), len(sites) - 1)]
            stack = [1, at]
            for _ in range(rng.randrange(4, 13)):
                at = rng.choice(callers[at])
                stack.append(at)
            # The viewer refuses a location that occurs twice, or within another: a frame of its own ends each.
            stack.append(len(frames) - len(ends) + totals["points"] % len(ends))
            key = tuple(stack)
            if key in seen:
                continue
            seen.add(key)
            size, blocks = rng.choice([16, 24, 32, 48, 56, 64, 96, 120, 512, 4096]), rng.randrange(1, 40)
            kept = rng.randrange(blocks + 1) if rng.random() < 0.4 else 0
            acc = ',"acc":[%s]' % ",".join("-8,%d" % rng.randrange(60) for _ in range(size // 8)) if size <= 120 else ""
            reads, writes = rng.randrange(3 * size * blocks), rng.randrange(2 * size * blocks)
            point = '{"tb":%d,"tbk":%d\n  ,"tl":%d\n  ,"mb":%d,"mbk":%d\n  ,"gb":%d,"gbk":%d\n  ,"eb":%d,"ebk":%d\n  ,"rb":%d,"wb":%d\n  %s\n  ,"fs":[%s]\n  }\n' % (
                size * blocks, blocks, blocks * rng.randrange(100_000_000), size * blocks, blocks, size * kept, kept,
                size * (kept // 2), kept // 2, reads, writes, acc, ",".join(map(str, stack)))
            text = ("," if totals["points"] else "") + point
            written += out.write(text)
            for name, value in (("tb", size * blocks), ("tbk", blocks), ("gb", size * kept), ("eb", size * (kept // 2)), ("rb", reads), ("wb", writes)):
                totals[name] += value
            totals["points"] += 1
        out.write(' ]\n,"ftbl":\n [' + "\n ,".join(frames) + "\n ]\n}\n")
    totals["bytes"] = os.path.getsize(options.out)
    print(json.dumps(totals))


if __name__ == "__main__":
    main()
