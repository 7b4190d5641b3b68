"""Hostile profiles of any size, made from nothing: each function takes a size and returns the bytes of a file.

Sizes are chosen so that the file of the standard size has at most 1 MB (10 MB unpacked). Every shape here costs some
program more than its size: it repeats something long, gives keys that collide, or makes lists that are searched.
"""

import gzip
import random

MASK = (1 << 64) - 1


def varint(n):
    n &= MASK
    out = bytearray()
    while n >= 0x80:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def block(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def packed(field, values):
    return block(field, b"".join(map(varint, values)))


class Profile:
    """A pprof message while it is written."""

    def __init__(self, types=(("inuse_space", "bytes"),)):
        self.texts = {"": 0}
        self.body = bytearray()
        for kind, unit in types:
            self.body += block(1, number(1, self.text(kind)) + number(2, self.text(unit)))

    def text(self, text):
        return self.texts.setdefault(text, len(self.texts))

    def mapping(self, id, start, limit, file="", build_id=""):
        fields = number(1, id) + number(2, start) + number(3, limit) + number(5, self.text(file)) + number(6, self.text(build_id))
        self.body += block(3, fields)

    def function(self, id, name, system_name="", file="", line=0):
        fields = number(1, id) + number(2, self.text(name)) + number(3, self.text(system_name)) + number(4, self.text(file))
        self.body += block(5, fields + (number(5, line) if line else b""))

    def location(self, id, address=0, lines=(), mapping=0):
        fields = number(1, id) + (number(2, mapping) if mapping else b"") + number(3, address)
        self.body += block(4, fields + b"".join(block(4, number(1, function) + number(2, line)) for function, line in lines))

    def sample(self, locations, values=(64,), labels=()):
        self.body += block(2, packed(1, locations) + packed(2, values) + b"".join(block(3, label) for label in labels))

    def label(self, key, text=None, value=0, unit=""):
        if text is not None:
            return number(1, self.text(key)) + number(2, self.text(text))
        return number(1, self.text(key)) + number(3, value) + (number(4, self.text(unit)) if unit else b"")

    def functions(self, n):
        """Functions and locations 1 to n."""
        for i in range(1, n + 1):
            self.function(i, f"f{i}")
            self.location(i, 0x1000 + i, [(i, i)])

    def bytes(self):
        return gzip.compress(bytes(self.body) + b"".join(block(6, text.encode()) for text in self.texts), 6)


def comments(n):
    """One long comment, many times."""
    p = Profile()
    p.functions(1)
    p.sample([1])
    p.body += packed(13, [p.text("c" * (n // 10))] * n)
    return p.bytes()


def different_comments(n):
    p = Profile()
    p.functions(1)
    p.sample([1])
    p.body += packed(13, [p.text(f"comment {i}") for i in range(n)])
    return p.bytes()


def colliding(n, factor):
    """Numbers whose products with a hash function's factor differ in low bits only."""
    inverse = pow(factor, -1, 1 << 64)
    return [((0x12345678 << 31 | j) * inverse) & MASK for j in range(1, n + 1)]


FX = 0xF1357AEA2E62A9C5
OLD_FX = 0x517CC1B727220A95


def colliding_addresses(n):
    p = Profile()
    for i, address in enumerate(colliding(n // 2, FX) + colliding(n // 2, OLD_FX), 1):
        p.location(i, address)
    p.sample([1])
    return p.bytes()


def colliding_ids(n):
    p = Profile()
    ids = colliding(n, FX)
    for id in ids:
        p.location(id, 0x1000 + id % 977)
    p.sample(ids[:1])
    return p.bytes()


def colliding_text(n):
    rows = colliding(n, FX)
    lines = [f"heap profile: {n}: {8 * n} [ {n}: {8 * n}] @ heapprofile"]
    for i in range(0, n, 10):
        lines.append("1: 8 [ 1: 8] @ " + " ".join(f"{address:#x}" for address in rows[i : i + 10]))
    return gzip.compress("\n".join(lines).encode() + b"\n")


def maps(n):
    """Mappings of files that are not there."""
    p = Profile()
    for i in range(1, n + 1):
        p.mapping(i, i << 16, (i << 16) + 0x8000, f"/nowhere/{i}.so", f"{i:040x}")
        p.location(i, (i << 16) + 16, mapping=i)
        p.sample([i])
    return p.bytes()


def text_maps(n, overlap=False):
    rows = [f"heap profile: {n}: {8 * n} [ {n}: {8 * n}] @ heapprofile"]
    rows += [f"1: 8 [ 1: 8] @ {(i << 16) + 0x101:#x}" for i in range(1, n + 1)]
    rows += ["", "MAPPED_LIBRARIES:"]
    for i in range(1, n + 1):
        limit = (2 * n << 16) - i * 0x1000 if overlap else (i << 16) + 0x8000
        rows.append(f"{i << 16:x}-{limit:x} r-xp 00000000 08:01 {i}  /nowhere/{i}.so")
    return gzip.compress("\n".join(rows).encode() + b"\n")


def overlapping_maps(n):
    return text_maps(n, overlap=True)


def value_types(n):
    p = Profile([(f"type{i}", "bytes") for i in range(n)])
    p.functions(1)
    p.sample([1], [1] * n)
    return p.bytes()


def wide_rows(n):
    """As many value types as are read, with a deep stack that all of them are added up over."""
    p = Profile([(f"type{i}", "bytes") for i in range(1000)])
    p.functions(100)
    p.sample([i % 100 + 1 for i in range(n)], [1] * 1000)
    return p.bytes()


def inlined(n):
    """A location of many inlined frames in every stack."""
    p = Profile()
    p.functions(n)
    p.location(n + 1, 0x9000, [(i, i) for i in range(1, n + 1)])
    for i in range(1, n + 1):
        p.sample([i, n + 1])
        p.sample([n + 1, i])
    return p.bytes()


def deep(n):
    """One stack."""
    p = Profile()
    p.functions(n)
    p.sample(range(1, n + 1))
    return p.bytes()


def deep_recursion(n):
    """A few stacks through few functions, as deep as the file is long."""
    p = Profile()
    p.functions(100)
    numbers = random.Random(1)
    for _ in range(4):
        p.sample([numbers.randrange(1, 101) for _ in range(n)])
    return p.bytes()


def wide(n):
    """Many short stacks of few functions."""
    p = Profile()
    p.functions(120)
    numbers = random.Random(2)
    for i in range(n):
        p.sample([numbers.randrange(1, 121) for _ in range(20)], [i + 1])
    return p.bytes()


def deep_text(n):
    rows = ["heap profile: 1: 8 [ 1: 8] @ heapprofile", "1: 8 [ 1: 8] @ " + " ".join(f"{0x1000 + i:#x}" for i in range(n))]
    return gzip.compress("\n".join(rows).encode() + b"\n")


def folded(n):
    """Each stack a frame deeper than the one before: half of them are longer than half the file's depth."""
    depth = int(n**0.5)
    lines = ["# inuse_space bytes"]
    lines += [";".join(f"f{j}" for j in range(i)) + f" {i}" for i in range(1, depth)]
    return gzip.compress("\n".join(lines).encode() + b"\n")


def long_name(n):
    """One long name in many functions and stacks."""
    p = Profile()
    name, file = "n" * (50 * n), "/src/" + "d/" * (25 * n) + "f.cc"
    for i in range(1, n + 1):
        p.function(i, name, name, file, i)
        p.location(i, 0x1000 + i, [(i, i)])
        p.sample([i])
    return p.bytes()


def long_library(n):
    p = Profile()
    name = "/lib/" + "l" * (50 * n)
    for i in range(1, n + 1):
        p.mapping(i, i << 16, (i << 16) + 0x8000, name, "b" * (50 * n) if i % 2 else "")
        p.location(i, (i << 16) + 16, mapping=i)
        p.sample([i])
    return p.bytes()


def long_labels(n):
    p = Profile()
    p.functions(1)
    key, text = "k" * 5 * n, "v" * 50 * n
    for i in range(n):
        p.sample([1], [i + 1], [p.label(key, text), p.label("bytes", value=i, unit="bytes")])
    return p.bytes()


def many_labels(n):
    """Every row has labels of its own; one row has thousands of keys."""
    p = Profile()
    p.functions(1)
    for i in range(n):
        p.sample([1], [i + 1], [p.label("request", f"r{i}"), p.label(f"key{i % 3000}", value=i)])
    p.sample([1], [1], [p.label(f"key{i}", f"v{i}") for i in range(n // 2)])
    return p.bytes()


def many_values_of_a_label(n):
    p = Profile()
    p.functions(2)
    p.sample([1, 2], [1], [p.label("key", f"v{i}") for i in range(n)])
    return p.bytes()


def threads(n):
    """jemalloc: many threads in few stacks."""
    rows = ["heap_v2/524288", f"  t*: {n}: {n * 64} [0: 0]"] + [f"  t{i}: 1: 64 [0: 0] thread {i}" for i in range(n // 2)]
    for stack in range(2):
        rows += [f"@ 0x{0x4000 + stack:x} 0x5000", f"  t*: {n // 2}: {n * 32} [0: 0]"]
        rows += [f"  t{i}: 1: 64 [0: 0]" for i in range(n // 2)]
    return gzip.compress("\n".join(rows).encode() + b"\n")


def callers(n):
    """A function with as many callers and callees."""
    p = Profile()
    p.functions(n)
    for i in range(2, n + 1):
        p.sample([i, 1, n + 2 - i])
    return p.bytes()


def lines_of_a_function(n):
    p = Profile()
    p.function(1, "main::" + "a" * 500, "", "/src/main.rs", 1)
    for i in range(1, n + 1):
        p.location(i, 0x1000 + i, [(1, i)])
        p.sample([i, i % n + 1])
    return p.bytes()


def mangled(n):
    """Nested templates: names that are far longer than what is written of them."""
    p = Profile()
    for i in range(1, n + 1):
        inner = "i"
        for depth in range(8):
            inner = f"St4pairI{inner}S{'' if depth == 0 else format(depth - 1, 'X')}_E" if depth else "St4pairIiiE"
        name = f"_Z1f{len(str(i)) + 1}C{i}{inner}"
        p.function(i, name, name)
        p.location(i, 0x1000 + i, [(i, i)])
        p.sample([i])
    return p.bytes()


def generics(n):
    """Rust names with many arguments and closures."""
    p = Profile()
    for i in range(1, n + 1):
        name = f"<alloc::vec::Vec<{'(' * 20}u8{')' * 20}> as core::iter::Extend<T{i}>>::extend::{{{{closure}}}}"
        p.function(i, name, name, f"/cargo/registry/src/x/crate{i}-1.0.{i}/src/lib.rs", i)
        p.location(i, 0x1000 + i, [(i, i)])
        p.sample([i, i % 7 + 1])
    return p.bytes()


def expressions(n):
    """drop_frames with many branches."""
    p = Profile()
    p.functions(200)
    p.sample(range(1, 201))
    p.body += number(7, p.text("|".join(f"name{i}.*x" for i in range(n))))
    p.body += number(8, p.text("(keep){50}"))
    return p.bytes()


def dense(n):
    """Stacks of random functions: hardly a call occurs twice, so that the graph has nearly as many edges as stacks have frames."""
    p = Profile()
    p.functions(4000)
    places = random.Random(1)
    for i in range(n):
        p.sample(places.sample(range(1, 4001), 120), [i + 1])
    return p.bytes()


def inlined_with_labels(n):
    """One location of many inlined functions in rows that differ in a label: label frames make a tree for each."""
    p = Profile()
    for i in range(1, n + 1):
        p.function(i, f"f{i}")
    p.location(1, 0x1000, [(i, i) for i in range(1, n + 1)])
    for i in range(n // 4):
        p.sample([1], [i + 1], [p.label("key", f"v{i}")])
    return p.bytes()


def short_rows(n):
    """Text with a row in seven bytes."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    rows = [f"{letters[i % 62]}{letters[i // 62 % 62]};{letters[i // 3844 % 62]} {i % 9 + 1}" for i in range(n)]
    return "\n".join(rows).encode() + b"\n"


# Name → (maker, size of the standard file).
RECORDING = "v 10400 3\nX ./it\nI 1000 10\ns 7 /bin/it\ns 4 main\ni 401235 1 2\nt 1 0\na 10 1\n"


def recording_chain(n):
    """Each stack is one frame deeper, and each has an allocation."""
    return (RECORDING + "".join("t 1 %x\na 8 %x\n+ %x\n" % (i, i + 1, i) for i in range(1, n))).encode()


def recording_moments(n):
    """A time stamp after each event, and all of a thousand rows change."""
    rows = "".join("t 1 %x\na 8 %x\n" % (i % 50, i + 1) for i in range(1, 1000))
    return (RECORDING + rows + "".join("+ %x\nc %x\n" % (i % 1000, i) for i in range(n))).encode()


def recording_maps(n):
    """A raw recording whose memory map changes before each stack."""
    head = "v 10400 3\nx 7 /bin/it\nI 1000 10\n"
    return (head + "".join("m 1 x %x 0 1000\nt %x %x\n+ 8 %x %x\n" % (i << 12, i << 12, i // 2, i + 1, i) for i in range(1, n))).encode()


DHAT = '{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":true,"tu":"instrs","Mtu":"Minstr","tuth":500' \
    ',"cmd":"./it","pid":1,"te":9,"tg":5,"pps":[%s],"ftbl":["[root]"%s]}'


def dhat_point(frames, more=""):
    return ('{"tb":64,"tbk":1,"tl":9,"mb":64,"mbk":1,"gb":64,"gbk":1,"eb":0,"ebk":0,"rb":0,"wb":64,"fs":[%s]%s}'
            % (",".join(map(str, frames)), more))


def dhat_deep(n):
    """One program point whose stack is as deep as the table of frames."""
    frames = "".join(',"0x%X: f%d (a.c:%d)"' % (i, i, i) for i in range(1, n))
    return (DHAT % (dhat_point(range(1, n)), frames)).encode()


def dhat_points(n):
    """Program points of the same frames again and again, and as many that have a single frame."""
    points = ",".join(dhat_point([1, 2]) + "," + dhat_point([i]) for i in range(1, n))
    return (DHAT % (points, "".join(',"0x%X: f%d (a.c:%d)"' % (i, i, i) for i in range(1, n)))).encode()


def dhat_accesses(n):
    """Each program point has accesses that differ from byte to byte."""
    more = ',"acc":[%s]' % ",".join(str(i % 7) for i in range(1024))
    frames = "".join(',"0x%X: f%d (a.c:%d)"' % (i, i, i) for i in range(1, n))
    return (DHAT % (",".join(dhat_point([i], more) for i in range(1, n)), frames)).encode()


MASSIF = "desc: (none)\ncmd: ./it\ntime_unit: i\n"


def massif_snapshot(number, tree, total):
    return ("#-----------\nsnapshot=%d\n#-----------\ntime=%d\nmem_heap_B=%d\nmem_heap_extra_B=8\nmem_stacks_B=0\nheap_tree=%s\n"
            % (number, number * 1000, total, tree))


def massif_deep(n):
    """Snapshots with a tree that has one child on each of 300 levels."""
    nodes = "".join("%sn%d: 64 0x%X: f%d (a.c:%d)\n" % (" " * i, i < 300, i, i, i) for i in range(1, 301))
    tree = "detailed\nn1: 64 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n" + nodes
    return (MASSIF + "".join(massif_snapshot(i, tree, 64) for i in range(n))).encode()


def massif_snapshots(n):
    """Many snapshots without a tree, and a few with one."""
    tree = "detailed\nn2: 64 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n n0: 32 0x1: f (a.c:1)\n n0: 32 0x2: g (a.c:2)\n"
    return (MASSIF + "".join(massif_snapshot(i, tree if i % 10 == 0 else "empty\n", 64) for i in range(n))).encode()


def massif_wide(n):
    """A tree whose root has all the nodes."""
    nodes = "".join(" n0: 64 0x%X: f%d (a.c:%d)\n" % (i, i, i) for i in range(1, n + 1))
    root = "peak\nn%d: %d (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n" % (n, 64 * n)
    return (MASSIF + massif_snapshot(0, root + nodes, 64 * n)).encode()


CASES = {
    "dhat-deep": (dhat_deep, 30_000),
    "dhat-points": (dhat_points, 4_000),
    "dhat-accesses": (dhat_accesses, 400),
    "massif-deep": (massif_deep, 18),
    "massif-snapshots": (massif_snapshots, 4_000),
    "massif-wide": (massif_wide, 25_000),
    "recording-chain": (recording_chain, 40_000),
    "recording-moments": (recording_moments, 80_000),
    "recording-maps": (recording_maps, 20_000),
    "comments": (comments, 4_000),
    "different-comments": (different_comments, 60_000),
    "colliding-addresses": (colliding_addresses, 40_000),
    "colliding-ids": (colliding_ids, 40_000),
    "colliding-text": (colliding_text, 40_000),
    "maps": (maps, 12_000),
    "text-maps": (text_maps, 25_000),
    "overlapping-maps": (overlapping_maps, 20_000),
    "value-types": (value_types, 25_000),
    "wide-rows": (wide_rows, 500_000),
    "inlined": (inlined, 5_000),
    "deep": (deep, 60_000),
    "deep-recursion": (deep_recursion, 250_000),
    "deep-text": (deep_text, 100_000),
    "wide": (wide, 40_000),
    "folded": (folded, 1_000_000),
    "long-name": (long_name, 10_000),
    "long-library": (long_library, 10_000),
    "long-labels": (long_labels, 15_000),
    "many-labels": (many_labels, 20_000),
    "values-of-a-label": (many_values_of_a_label, 40_000),
    "threads": (threads, 60_000),
    "dense": (dense, 3_000),
    "inlined-with-labels": (inlined_with_labels, 40_000),
    "short-rows": (short_rows, 1_000_000),
    "callers": (callers, 25_000),
    "lines-of-a-function": (lines_of_a_function, 30_000),
    "mangled": (mangled, 5_000),
    "generics": (generics, 4_000),
    "expressions": (expressions, 20_000),
}
