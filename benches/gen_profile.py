#!/usr/bin/env python3
"""Writes a big heap profile, the same one every time.

    gen_profile.py gperftools big.heap              200,000 stacks of 40 frames, about 127 MB of text
    gen_profile.py pb big.pb.gz                     the same stacks and values as protobuf, with names
    gen_profile.py pb million.pb.gz --stacks 1000000
    gen_profile.py jemalloc big.jeprof.heap         the same stacks, sampled, spread over threads

Stacks are walks through a random call graph, and each keeps the outer part of the one before it, so neighbours share
callers as they do in real profiles. Nothing is held in memory but one stack and the call graph. The last line on
stdout is JSON: what a reader of the file must find in it.
"""

import argparse
import json
import math
import os
import random
import zlib

BINARY, LIBRARY = "/opt/bench/bin/server", "/opt/bench/lib/libstore.so.1"
BINARY_AT, LIBRARY_AT = 0x55D0C0001000, 0x7F3A80002000
FUNCTION_SIZE, SITES = 0x100, 5  # bytes of code and call sites in each function
SIZES = (16, 24, 32, 48, 64, 96, 128, 200, 256, 512, 1024, 4096, 65536)
MIN_DEPTH, MAX_DEPTH = 3, 120
PERIOD = 8192  # of the sampled format


class CallGraph:
    """`n_pcs` return addresses in functions of SITES each; a tenth of the functions lies in a shared library."""

    def __init__(self, n_pcs, rng):
        self.n_functions = max(2, n_pcs // SITES)
        self.n_pcs = self.n_functions * SITES
        self.n_in_binary = self.n_functions - max(1, self.n_functions // 10)
        self.callee = [rng.randrange(self.n_functions) for _ in range(self.n_pcs)]

    def address(self, pc):
        function, site = divmod(pc, SITES)
        if function < self.n_in_binary:
            start = BINARY_AT + function * FUNCTION_SIZE
        else:
            start = LIBRARY_AT + (function - self.n_in_binary) * FUNCTION_SIZE
        return start + 0x15 + site * 0x2B

    def name(self, function):
        module = "server" if function < self.n_in_binary else "store"
        return f"{module}::part_{function % 97:02}::Function{function:05}::run"

    def mappings(self):
        """(start, limit, path) of the two executable mappings; both have file offset 0x1000."""
        in_library = self.n_functions - self.n_in_binary
        for start, functions, path in ((BINARY_AT, self.n_in_binary, BINARY), (LIBRARY_AT, in_library, LIBRARY)):
            yield start, start + (functions * FUNCTION_SIZE + 0xFFF) // 0x1000 * 0x1000, path


def stacks(options):
    """Yields (pcs from root to leaf, in-use objects, size of each, allocated objects)."""
    rng = random.Random(options.seed)
    graph = CallGraph(options.pcs, rng)
    rand, callee = rng.random, graph.callee
    stack = [0]
    for _ in range(options.stacks):
        depth = min(max(int(rng.gauss(options.depth, options.depth * 0.3) + 0.5), MIN_DEPTH), MAX_DEPTH)
        keep = min(int(len(stack) * rand() ** 0.25), depth - 1)
        del stack[max(keep, 1):]
        pc = stack[-1]
        for _ in range(depth - len(stack)):
            pc = callee[pc] * SITES + int(rand() * SITES)
            stack.append(pc)
        size = SIZES[int(rand() * len(SIZES))]
        in_use = 0 if rand() < 0.15 else 1 + int(rng.expovariate(0.05))
        yield stack, in_use, size, in_use + 1 + int(rng.expovariate(0.02))


class Totals:
    """Sums over all stacks, for headers and for the reader's check."""

    def __init__(self):
        self.stacks = self.frames = 0
        self.values = [0, 0, 0, 0]  # allocated objects, bytes; objects, bytes in use

    def add(self, stack, in_use, size, allocated):
        self.stacks += 1
        self.frames += len(stack)
        values = self.values
        values[0] += allocated
        values[1] += allocated * size
        values[2] += in_use
        values[3] += in_use * size

    def as_dict(self):
        names = ("alloc_objects", "alloc_space", "inuse_objects", "inuse_space")
        return {"stacks": self.stacks, "frames": self.frames, **dict(zip(names, self.values))}


def map_lines(graph):
    lines = ["\nMAPPED_LIBRARIES:\n"]
    for start, limit, path in graph.mappings():
        lines.append(f"{start - 0x1000:x}-{start:x} r--p 00000000 08:01 1048577 {path}\n")
        lines.append(f"{start:x}-{limit:x} r-xp 00001000 08:01 1048577 {path}\n")
    return "".join(lines)


def write_gperftools(options, graph, write):
    total = Totals()
    for row in stacks(options):  # once for the header, once for the rows
        total.add(*row)
    a, ab, i, ib = total.values
    write(f"heap profile: {i:6}: {ib:8} [{a:6}: {ab:8}] @ heapprofile\n".encode())
    address = [f"0x{graph.address(pc):08x}" for pc in range(graph.n_pcs)]
    for stack, in_use, size, allocated in stacks(options):
        at = " ".join([address[pc] for pc in reversed(stack)])
        write(f"{in_use:6}: {in_use * size:8} [{allocated:6}: {allocated * size:8}] @ {at}\n".encode())
    write(map_lines(graph).encode())
    return total.as_dict()


def split(count, first, n_threads):
    """Divides objects among up to three threads; yields (thread, objects), none of them zero."""
    for part in range(3):
        share = count if part == 2 else count // 2
        count -= share
        if share:
            yield (first + part) % n_threads, share


def scale(objects, size):
    """What a sample stands for: jeprof's and pprof's rule for heap_v2."""
    k = 1 / -math.expm1(-size / PERIOD)
    return objects * k, objects * size * k


def write_jemalloc(options, graph, write):
    total, threads = Totals(), [[0, 0, 0, 0] for _ in range(options.threads)]

    def rows():
        for number, (stack, in_use, size, allocated) in enumerate(stacks(options)):
            per_thread = {}
            for thread, share in split(in_use, number, options.threads):
                per_thread[thread] = [share, share]
            for thread, share in split(allocated - in_use, number, options.threads):
                per_thread.setdefault(thread, [0, 0])[1] += share
            yield stack, in_use, size, allocated, sorted(per_thread.items())

    scaled = [0.0, 0.0]
    for stack, in_use, size, allocated, per_thread in rows():
        total.add(stack, in_use, size, allocated)
        for thread, (i, a) in per_thread:
            sums = threads[thread]
            sums[0] += i
            sums[1] += i * size
            sums[2] += a
            sums[3] += a * size
        objects, space = scale(in_use, size)
        scaled[0] += objects
        scaled[1] += space
    a, ab, i, ib = total.values
    write(f"heap_v2/{PERIOD}\n  t*: {i}: {ib} [{a}: {ab}]\n".encode())
    for thread, (i, ib, a, ab) in enumerate(threads):
        write(f"  t{thread}: {i}: {ib} [{a}: {ab}] worker-{thread}\n".encode())
    address = [f"{graph.address(pc):#x}" for pc in range(graph.n_pcs)]
    for stack, in_use, size, allocated, per_thread in rows():
        lines = ["@ " + " ".join([address[pc] for pc in reversed(stack)])]
        lines.append(f"  t*: {in_use}: {in_use * size} [{allocated}: {allocated * size}]")
        for thread, (i, a) in per_thread:
            lines.append(f"  t{thread}: {i}: {i * size} [{a}: {a * size}]")
        write(("\n".join(lines) + "\n").encode())
    write(map_lines(graph).encode())
    estimate = {"inuse_objects_scaled": round(scaled[0]), "inuse_space_scaled": round(scaled[1])}
    return {**total.as_dict(), "threads": options.threads, **estimate}


def varint(n):
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def field(number, payload):
    """A length-delimited field."""
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def numbers(*pairs):
    """Varint fields, (number, value) each."""
    return b"".join(varint(number << 3) + varint(value) for number, value in pairs)


def write_pb(options, graph, write):
    strings = {"": 0}

    def text(s):
        return strings.setdefault(s, len(strings))

    for kind, unit in (("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_objects", "count"), ("inuse_space", "bytes")):
        write(field(1, numbers((1, text(kind)), (2, text(unit)))))
    total = Totals()
    location = [varint(pc + 1) for pc in range(graph.n_pcs)]
    small = [varint(n) for n in range(1 << 14)]
    label = {size: field(3, numbers((1, text("bytes")), (3, size))) for size in SIZES}
    for stack, in_use, size, allocated in stacks(options):
        total.add(stack, in_use, size, allocated)
        ids = b"".join([location[pc] for pc in reversed(stack)])
        values = b"".join(
            [small[n] if n < 1 << 14 else varint(n) for n in (allocated, allocated * size, in_use, in_use * size)]
        )
        body = b"\x0a" + small[len(ids)] + ids + b"\x12" + small[len(values)] + values + label[size]
        write(b"\x12" + small[len(body)] + body)
    for number, (start, limit, path) in enumerate(graph.mappings(), 1):
        write(field(3, numbers((1, number), (2, start), (3, limit), (4, 0x1000), (5, text(path)), (7, 1), (8, 1), (9, 1))))
    for pc in range(graph.n_pcs):
        function, site = divmod(pc, SITES)
        mapping = 1 if function < graph.n_in_binary else 2
        line = field(4, numbers((1, function + 1), (2, 10 + site * 7)))
        write(field(4, numbers((1, pc + 1), (2, mapping), (3, graph.address(pc) - 1)) + line))
    for function in range(graph.n_functions):
        name = text(graph.name(function))
        file = text(f"src/part_{function % 97:02}.cc")
        write(field(5, numbers((1, function + 1), (2, name), (3, name), (4, file), (5, 8))))
    period_type = field(11, numbers((1, text("space")), (2, text("bytes"))))
    for s in strings:
        write(field(6, s.encode()))
    write(period_type + numbers((12, PERIOD)))
    return total.as_dict()


class Gzip:
    """Deflates what is written in pieces; no time stamp, so equal input gives equal files."""

    def __init__(self, file, level):
        self.file, self.deflate, self.pieces, self.held = file, zlib.compressobj(level, zlib.DEFLATED, 31), [], 0

    def write(self, data):
        self.pieces.append(data)
        self.held += len(data)
        if self.held > 1 << 20:
            self.flush()

    def flush(self):
        self.file.write(self.deflate.compress(b"".join(self.pieces)))
        self.pieces, self.held = [], 0

    def close(self):
        self.flush()
        self.file.write(self.deflate.flush())


WRITERS = {"gperftools": write_gperftools, "jemalloc": write_jemalloc, "pb": write_pb}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("format", choices=WRITERS)
    parser.add_argument("output")
    parser.add_argument("--stacks", type=int, default=200_000, metavar="N", help="default 200000")
    parser.add_argument("--depth", type=int, default=40, metavar="N", help="mean frames of a stack, default 40")
    parser.add_argument("--pcs", type=int, default=30_000, metavar="N", help="different addresses, default 30000")
    parser.add_argument("--threads", type=int, default=16, metavar="N", help="of the jemalloc format, default 16")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--level", type=int, default=6, metavar="0-9", help="of gzip, default 6")
    options = parser.parse_args()

    graph = CallGraph(options.pcs, random.Random(options.seed))  # the same that stacks() makes from this seed
    part = options.output + ".part"
    with open(part, "wb", buffering=1 << 20) as file:
        if options.format == "pb":
            packed = Gzip(file, options.level)
            found = write_pb(options, graph, packed.write)
            packed.close()
        else:
            found = WRITERS[options.format](options, graph, file.write)
    os.replace(part, options.output)
    print(json.dumps({"format": options.format, "bytes": os.path.getsize(options.output), **found}))


if __name__ == "__main__":
    main()
