#!/usr/bin/env python3
"""Writes small hostile inputs of our own, one folder for each fuzz target: what a mutation hardly finds.

    fuzz/hostile_seeds.py FOLDER
"""
import gzip
import pathlib
import struct
import sys
import zlib

out = pathlib.Path(sys.argv[1])
NAMES = ["", "\u00e9" * 40, "a" * 5000, "\x1b[2J", "\u202e\u200b", "\x00", "a;b", "a\nb", "::error::x", "=1+1", "_Z", "_R", "_ZN", "_RNv", "_Z11_GLOBAL__\u00e9v",
         "_ZN5\u00e9a3fooE", "_ZN3foo17h0123456789abcdefE", "_RNvCs1_1\u00e9", "<" * 300, "(" * 300, "{{closure}}" * 40, "?foo@@", "a@@b@c", "\ufeff", "\U0001f4a9" * 9]
NUMBERS = [0, 1, 2, 127, 128, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1]


def put(target, name, data):
    folder = out / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))


def varint(n):
    n &= 2**64 - 1
    text = bytearray()
    while n > 127:
        text.append(n & 127 | 128)
        n >>= 7
    return bytes(text + bytes([n]))


def number(field, n):
    return varint(field << 3) + varint(n)


def data(field, text):
    text = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return varint(field << 3 | 2) + varint(len(text)) + text


def pprof(name="f", address=0x401000, value=100, comments=(), samples=1, frames=1, extra=b"", start=0x400000, limit=0x500000):
    """One mapping, `frames` frames of one function, `samples` equal samples."""
    strings = ["", "inuse_space", "bytes", name, "a.c", "key"]
    stack = b"".join(varint(1) for _ in range(frames))
    sample = data(1, stack) + data(2, varint(value)) + data(3, number(1, 5) + number(2, 3)) + data(3, number(1, 5) + number(3, value))
    parts = [data(1, number(1, 1) + number(2, 2)), data(2, sample) * samples,
             data(3, number(1, 1) + number(2, start) + number(3, limit) + number(5, 3)),
             data(4, number(1, 1) + number(2, 1) + number(3, address) + data(4, number(1, 1) + number(2, value))),
             data(5, number(1, 1) + number(2, 3) + number(3, 3) + number(4, 4))]
    parts += [data(6, text) for text in strings]
    parts += [data(13, b"".join(varint(c) for c in comments))] if comments else []
    return b"".join(parts) + extra


# --- whole dumps ----------------------------------------------------------------------------------------------------
for i, name in enumerate(NAMES):
    put("parse", f"pprof-name-{i}", pprof(name=name))
    put("parse", f"folded-name-{i}", f"main;{name};leaf 10\n")
    put("symbols", f"name-{i}", f"0x401234 {name}\n0x401300 {name}--{name}\n")
for n in NUMBERS:
    put("parse", f"pprof-value-{n}", pprof(value=n))
    put("parse", f"pprof-address-{n}", pprof(address=n))
    put("parse", f"pprof-range-{n}", pprof(start=n, limit=(n + 0x1000) % 2**64))
    put("parse", f"pprof-comment-{n}", pprof(comments=[n]))
    put("parse", f"pprof-period-{n}", pprof(extra=number(9, n) + number(10, n) + number(12, n) + number(14, n)))
    put("parse", f"folded-{n}", f"a;b {n}\na -{n}\nb 0x{n:x}\n")
    put("parse", f"gperftools-{n}", f"heap profile: {n}: {n} [{n}: -{n}] @ heap_v2/{n}\n{n}: {n} [{n}: {n}] @ 0x{n:x} 0x1\n")
    put("parse", f"jemalloc-{n}", f"heap_v2/{n}\n  t*: {n}: {n} [{n}: {n}]\n  t{n}: 1: {n} [0: 0]\n@ 0x{n:x} 0x2\n  t*: {n}: {n} [0: 0]\n  t{n}: {n}: 1 [0: 0]\n  t1: -1: -{n} [0: 0]\n")
    put("maps", f"range-{n}", f"{n:x}-{(n + 4096) % 2**64:x} r-xp {n:x} 08:01 {n} /bin/x\n0-{n:x} r-xp 0 00:00 0 [vdso]\n{n:x}-0 rwxp 0 0:0 0\n")
put("parse", "pprof-comments", pprof(comments=[3] * 20000))
put("parse", "pprof-deep", pprof(frames=20000))
put("parse", "pprof-many", pprof(samples=5000))
put("parse", "pprof-types", pprof(extra=data(1, number(1, 1) + number(2, 2)) * 500))
put("parse", "pprof-cut", pprof()[:-3])
put("parse", "pprof-length", pprof() + b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
put("parse", "pprof-nested", data(2, data(3, data(3, data(3, b"\xff" * 40)))))
put("parse", "jemalloc-threads", "heap_v2/524288\n  t*: 27: 145 [0: 0]\n" + "@ 0x1 0x2\n  t*: 135: 9000 [0: 0]\n" + "".join(f"  t{i}: 5: 333 [0: 0]\n" for i in range(27)))
put("parse", "folded-deep", ";".join("a" for _ in range(30000)) + " 1\n")
HEAPTRACK = "v 10400 3\nX ./it\nI 1000 10\ns 7 /bin/it\ns 4 main\ni 401235 1 2\nt 1 0\na 10 1\n"
RAW = "v 10400 3\nx 7 /bin/it\nI 1000 10\nm 1 x 400000 0 1000 1000 1000\nt 401000 0\n"
put("parse", "heaptrack", HEAPTRACK + "+ 0\nc a\n- 0\n")
put("parse", "heaptrack-raw", RAW + "+ 10 1 aa\nc a\n- aa\n")
put("parse", "heaptrack-chain", HEAPTRACK + "".join(f"t 1 {n:x}\na 8 {n + 1:x}\n+ {n:x}\n" for n in range(1, 2000)))
put("parse", "heaptrack-moments", HEAPTRACK + "".join(f"+ 0\nc {n:x}\n" for n in range(1, 3000)))
put("parse", "heaptrack-maps", RAW + "".join(f"m 1 x {n * 4096:x} 0 {n:x} {n:x} {n * n:x}\nt {n * 4096:x} {n:x}\n+ 1 {n:x} {n:x}\n" for n in range(1, 500)))
for n in NUMBERS:
    put("parse", f"heaptrack-{n}", HEAPTRACK + f"a {n:x} 1\na 8 {n:x}\nt {n:x} {n:x}\ni {n:x} {n:x} {n:x} {n:x} {n:x}\n+ 1\n+ 1\n+ {n:x}\n- {n:x}\nI {n:x} {n:x}\nR {n:x}\nc {n:x}\n+ 1\nc 5\ns {n:x} x\nS {n:x} leak:x\n")
    put("parse", f"heaptrack-raw-{n}", RAW + f"m 1 y {n:x} {n:x} {n:x}\nt {n:x} 0\n+ {n:x} 1 {n:x}\n+ {n:x} 2 {n:x}\nc {n:x}\n- {n:x}\n")
    put("parse", f"heaptrack-version-{n}", f"v {n:x} {n % 5:x}\nX a\n+ 1 1 1\n")

# --- traces of Tracy: stored blocks of zstd, whose text is a fixed sequence ------------------------------------------------
def packed_trace(text, streams=1, magic=None):
    out = magic or b"tr\xfdP\x01" + bytes([streams])
    for number, at in enumerate(range(0, len(text), 1 << 16)):
        part = text[at:at + (1 << 16)]
        block = (b"\x28\xb5\x2f\xfd\x00\x38" if number < streams else b"") + struct.pack("<I", len(part) << 3)[:3] + part
        out += struct.pack("<I", len(block)) + block
    return out


def trace(version=(0, 14, 0), zones=b"\0\0\0\0", n_blocks=None, n_texts=1, row=(64, 1, 5, 10, 0), stacks=1, depth=1, frame=7, k=1, text=1, last=10**9):
    """One thread, one pool, one block; `row`: size, stack, time, lifetime, thread."""
    size, stack, at, lived, thread = (n % 2**64 for n in row)
    none = bytes(8)
    out = b"tracy" + bytes(version) + bytes(16) + struct.pack("<q", last) + bytes(41) + b"\0" + none + none + none + none + none
    out += none + bytes(28) + none + none + none
    out += struct.pack("<QQQ", n_texts % 2**64, 0x5000, 4) + b"main" + none + struct.pack("<QQQ", 1, 1, 0x5000) + none + struct.pack("<QQ", 1, 1)
    out += none * 11 + struct.pack("<QQQQB", 1, 1, 0, 0, 0) + bytes(4) + zones + none * 3 + none * 2 + none * 2
    out += struct.pack("<QQQQQQ", 1, 1, 0, 1 if n_blocks is None else n_blocks % 2**64, 0, 1)
    out += struct.pack("<QQ", 4096, size) + stack.to_bytes(8, "little")[:3] + bytes(3) + struct.pack("<QQ", at, lived) + struct.pack("<HH", thread % 65536, 0)
    out += bytes(32) + struct.pack("<QHQ", stacks % 2**64, depth % 65536, frame % 2**64)
    return out + struct.pack("<QQB", 1, frame % 2**64, k % 256) + bytes(3) + (text % 2**24).to_bytes(3, "little") + bytes(15) + bytes(64)


put("parse", "tracy", packed_trace(trace()))
put("parse", "tracy-cut", packed_trace(trace()[:-150]))
put("parse", "tracy-newer", packed_trace(trace((0, 15, 0))))
put("parse", "tracy-older", packed_trace(trace((0, 8, 0))))
put("parse", "tracy-streams", packed_trace(trace(), 255))
put("parse", "tracy-deep", packed_trace(trace(zones=struct.pack("<I", 1) + (bytes(14) + struct.pack("<I", 1)) * 50000)))
put("parse", "tracy-lz4-nowhere", b"tr\xfdP\0\x01\x05\0\0\0\x10a\x09\0\0")
put("parse", "tracy-lz4-long", b"tlZ\x04" + struct.pack("<I", 305) + b"\x1fa\x01\0" + b"\xff" * 300 + b"\0")
put("parse", "tracy-no-text", b"tZst")
for n in NUMBERS:
    put("parse", f"tracy-row-{n}", packed_trace(trace(row=(n, n, n, n, n))))
    put("parse", f"tracy-counts-{n}", packed_trace(trace(n_blocks=n)))
    put("parse", f"tracy-texts-{n}", packed_trace(trace(n_texts=n)))
    put("parse", f"tracy-stacks-{n}", packed_trace(trace(stacks=n, depth=n, frame=n, k=n, text=n)))
    put("parse", f"tracy-last-{n}", packed_trace(trace(last=n - 2**63, row=(8, 1, n, n, 0))))


# --- massif's output ------------------------------------------------------------------------------------------------
def snapshot(n, tree="", time="1", heap=8, kind="detailed"):
    kind = kind if tree else "empty"
    return f"#-----------\nsnapshot={n}\n#-----------\ntime={time}\nmem_heap_B={heap}\nmem_heap_extra_B={heap}\nmem_stacks_B={heap}\nheap_tree={kind}\n{tree}"


MASSIF = "desc: x\ncmd: ./x\ntime_unit: i\n"
deep = "".join(f"{' ' * depth}n1: 8 0x1: f{depth % 7} (a.c:1)\n" for depth in range(700))
flat = "".join(f"n1: 8 0x1: f{depth} (a.c:1)\n" for depth in range(70000))
wide = "n70000: 70000 x\n" + "".join(f" n0: 1 0x1: f{child} (a.c:1)\n" for child in range(70000))
for name, tree in [("deep", deep), ("flat", flat), ("wide", wide), ("none", "n0: 0 x\n"), ("self", "n1: 8 x\n n0: 8 x\n")]:
    put("parse", f"massif-{name}", MASSIF + snapshot(0, tree))
    put("parse", f"massif-{name}-cut", (MASSIF + snapshot(0, tree))[:-9])
put("parse", "massif-many", MASSIF + "".join(snapshot(n, "n1: 8 x\n n0: 8 f\n", time=n) for n in range(2000)))
put("parse", "massif-inlined", MASSIF + snapshot(0, "n1: 8 x\n" + "".join(f"{' ' * depth}n1: 8 0x1: f{depth} (a.c:1)\n" for depth in range(1, 700))))
for n in (-1, 2**63 - 1, 2**63, 2**64, 10**30):
    put("parse", f"massif-heap-{n}", MASSIF + snapshot(0, f"n{n}: {n} x\n n{n}: {n} 0x{abs(n):x}: f (a.c:{n})\n", time=n, heap=n))
    put("parse", f"massif-xtree-{n}", MASSIF + snapshot(0, f"n1: {n} curB : x\n n0: {n} f\n") + snapshot(n, f"n1: {n} curB : x\n n0: {n} f\n"))
for unit in ("ms", "s", "B", "", "\x1b[31m", "fortnights"):
    put("parse", f"massif-unit-{len(unit)}", MASSIF.replace(" i", " " + unit) + snapshot(0, "n1: 8 x\n n0: 8 f\n", time="1.99999999999999999999"))

# --- recordings of bytehound: events behind a header, which the target adds ------------------------------------------
def alloc(n, at, size, stack=1, tag=20):
    return struct.pack("<IQQQQQQIIIQ", tag, 1, n, at, n * 64, size, stack, 1, 0, 24, 0)


def realloc(n, at, old, size):
    return struct.pack("<IQQQQQQQIIIQ", 21, 1, n, at, old, n * 64, size, 1, 1, 0, 24, 0)


def free(n, at):
    return struct.pack("<IQQQQQI", 22, 1, n, at, n * 64, 0, 1)


def addresses(*list):
    return struct.pack(f"<I{len(list)}Q", len(list), *list)


def bytes_of(text):
    return struct.pack("<I", len(text)) + text


STACK = struct.pack("<IQ", 5, 1) + addresses(0x401001, 0x401101)
MAPS = struct.pack("<IQ", 23, 1000) + bytes_of(b"/proc/self/maps") + struct.pack("<Q", 44) + b"400000-500000 r-xp 00000000 fe:00 7 /bin/it\n"
PARTIAL = b"".join(struct.pack("<IQII", 13, n, n % 3, 2**32 - 1 if n < 3 else n % 4) + addresses(*range(n)) for n in range(40))
NAMED = b"".join(struct.pack("<II", 14, n) + bytes_of(b"name%d" % n) for n in range(5)) + b"".join(
    struct.pack("<IQIIIIIIB", 15, n, 0, n, 2**32 - 1, 4, n, 1, n % 2) for n in range(4)) + struct.pack("<II4I", 16, 4, 3, 2, 1, 0)
USAGE = struct.pack("<IQBQBBBIIIB", 24, 1000, 3, 4096, 127, 0, 0, 0, 0, 3, 4) + b"heap" + struct.pack("<IQBQ7B", 26, 1100, 3, 4096, 127, 9, 9, 9, 9, 9, 9)
USUAL = alloc(1, 1000, 10) + alloc(2, 2000, 30) + free(1, 3000) + realloc(2, 4000, 128, 70) + free(2, 9000)
for name, text in [("usual", STACK + USUAL), ("maps", MAPS + STACK + USUAL), ("partial", PARTIAL + b"".join(alloc(n, n, 8, n) for n in range(40))),
                   ("named", NAMED + alloc(1, 5, 7, 0) + free(1, 6)), ("usage", USAGE + USUAL), ("gone", STACK + struct.pack("<IQQQQQQQ", 17, 1, 1, 2, 3, 4, 5, 6)),
                   ("file", struct.pack("<IQ", 4, 1) + bytes_of(b"/bin/it") + bytes_of(b"\x7fELF" + bytes(60)) + USUAL),
                   ("many", STACK + b"".join(alloc(n, 10 * n, n) for n in range(700))),
                   ("backward", STACK + b"".join(alloc(n, 100000 - n, n) for n in range(700)))]:
    put("bytehound", name, text)
    put("bytehound", name + "-cut", text[:-3])
for tag in range(30):
    put("bytehound", f"tag-{tag}-zeros", struct.pack("<I", tag) + bytes(90) + USUAL)
    put("bytehound", f"tag-{tag}-ones", STACK + USUAL + struct.pack("<I", tag) + b"\xff" * 90)
for n in NUMBERS:
    put("bytehound", f"number-{n}", STACK + alloc(n, 10, n) + alloc(5, n, 8, n) + free(5, n) + struct.pack("<IQQQQQQQ", 17, 1, 1, 2, n, n, 5, 6) + realloc(n, n, n, n) + USUAL
        if n * 64 < 2**64 else struct.pack("<IQQQQQ", 20, n, n, n, n, n))
for name, file in [("tiny", b"\x02\0\0\0\0" * 200), ("long", b"\x01\xff\xff\xff\xff"), ("zero-offset", b"\x01\x04\0\0\0\x10a\0\0"), ("bomb", b"\x01\x10\x27\0\0\x1f\0\x01\0" + b"\xff" * 9996)]:
    put("parse", f"bytehound-{name}", file)
put("parse", "utf16", "heap profile: 1: 1 [1: 1] @ heapprofile\n".encode("utf-16"))
put("parse", "bom", b"\xef\xbb\xbfmain;a 1\n")
put("parse", "crlf", b"heap profile: 1: 1 [1: 1] @ heapprofile\r\n1: 1 [1: 1] @ 0x1\r\n\r\nMAPPED_LIBRARIES:\r\n")

# --- containers -----------------------------------------------------------------------------------------------------
whole = gzip.compress(pprof(), mtime=0)
put("parse", "gzip", whole)
put("parse", "gzip-cut", whole[:-9])
put("parse", "gzip-twice", gzip.compress(whole, mtime=0))
put("parse", "gzip-members", whole * 50)
put("parse", "gzip-crc", whole[:-8] + b"\0" * 8)
put("parse", "gzip-flags", whole[:3] + b"\xff" + whole[4:])
put("parse", "gzip-name", b"\x1f\x8b\x08\x08\0\0\0\0\0\xff" + b"n" * 3000 + b"\0" + zlib.compress(pprof())[2:-4])
put("parse", "gzip-bomb", gzip.compress(b"a" * (8 << 20), mtime=0))
zstd = b"\x28\xb5\x2f\xfd"
raw = pprof()
put("parse", "zstd", zstd + b"\xa0" + struct.pack("<I", len(raw)) + struct.pack("<I", len(raw) << 3 | 1)[:3] + raw)
put("parse", "zstd-window", zstd + b"\x00\xff" + b"\x01\x00\x00")
put("parse", "zstd-size", zstd + b"\xe0" + b"\xff" * 8 + b"\x01\x00\x00")
put("parse", "zstd-rle", zstd + b"\x00\x70" + struct.pack("<I", (1 << 20) << 3 | 2 | 1)[:3] + b"a")
put("parse", "zstd-skippable", b"\x50\x2a\x4d\x18" + struct.pack("<I", 2**32 - 1))

# --- maps, names ----------------------------------------------------------------------------------------------------
put("maps", "overlap", "".join(f"{i * 16:x}-ffffffff r-xp 0 0:0 0 /l{i}\n" for i in range(300)))
put("maps", "brief", "400000-401000: /bin/x\n build=abc\n$build/lib\n")
put("maps", "same", "400000-500000 r-xp 0 0:0 0 /bin/x\n" * 300)
put("maps", "deleted", "400000-500000 r-xp 0 0:0 0 /bin/\u00e9 (deleted)\n500000-600000 r-xp 100000 0:0 0 /bin/\u00e9 (deleted)\n")
put("symbols", "many", "".join(f"0x{i:x} f{i}\n" for i in range(2000)))
put("symbols", "ends", "0x401234 a\n---\n--- heap\n--- symbol\n---\n")
put("symbols", "space", "0x401234\n 0x401234  \n0x a\n0xg b\n0x10000000000000000 c\n")

# --- options, configuration -----------------------------------------------------------------------------------------
PATTERNS = ["(", "(?P<a>b)", "(?i)\u00e9", "a{1000}{1000}", "(a{100}){100}", "[", "\\", "\\C", "\\pN", "(?:[a-z]{1,50}){40}", "a|" * 500, "(" * 500 + ")" * 500, "^$", "\\b", "\\x{110000}", "[[:alpha:]]"]
FIELDS = ["focus", "ignore", "hide", "show", "show_from", "tagfocus", "tagignore", "tagroot", "tagleaf", "kinds", "divide_by", "nodecount", "nodefraction", "unit",
          "sample_index", "base", "dump", "dumps", "open", "order", "window", "trim_path", "source_path", "prune_from", "granularity", "sort", "list", "x"]
for i, field in enumerate(FIELDS):
    values = PATTERNS[:6] + ["0", "-1", "1e308", "nan", "inf", "18446744073709551616", "a=b", "1mb:2gb", ":", "a=:1", "k=1kb:", "0-4294967295", "own=a,file:*/x/*", "\u00e9", ""]
    put("query", f"field-{field}", bytes([i]) + "".join(f"{field}={value}\n" for value in values).encode())
    for j, value in enumerate(values):
        put("query", f"field-{field}-{j}", bytes([j]) + f"{field}={value}\n".encode())
for i, pattern in enumerate(PATTERNS):
    put("query", f"pattern-{i}", bytes([i]) + f"focus={pattern}\nhide={pattern}\ntagfocus={pattern}\nkinds={pattern}\n".encode())
CONFIGS = ["[kinds]\nown = [\"a*\"]\n", "[kinds]\nown = \"a\"\n[packages]\nx = [\"file:*/x/*\"]\n", "[check]\nmax-inuse = \"512MiB\"\nmax-growth = \"5%\"\nbudget = [\"package=a:4MiB\"]\n",
           "[kinds]\n\u00e9 = [1]\n", "[kinds]\nown = [\"" + "*" * 3000 + "\"]\n", "[check]\nmax-growth = \"-1%\"\n", "[check]\nmax-inuse = \"1e999\"\n", "[check]\nbudget = [\"\u00e9:\u00e9\"]\n",
           "a" * 100, "[a" + ".a" * 2000 + "]\n", "a = " + "[" * 500 + "]" * 500, "[kinds]\nown = 'a,b'\n", "[packages]\n\"\" = [\"\"]\n", "[packages]\n\"a=b,c\" = [\"d\"]\n", "\ufeff[kinds]\n", "[kinds]\r\nown = []\r\n"]
for i, text in enumerate(CONFIGS):
    put("config", f"{i}", text)


# DHAT's JSON: numbers of every size, lists of every length, tables that do not fit, nesting.
def dhat(points, frames=("[root]", "0x1: f (a.c:1)", "0x2: main (a.c:2)"), head="", mode="heap"):
    table = ",".join('"%s"' % frame for frame in frames)
    return ('{"dhatFileVersion":2,"mode":"%s","verb":"Allocated","bklt":true,"bkacc":true,"tu":"instrs","Mtu":"Minstr","tuth":500,"cmd":"x","pid":1,'
            '"te":9,"tg":5%s,"pps":[%s],"ftbl":[%s]}' % (mode, head, points, table))


def point(value=1, stack="1,2", acc="-4,2"):
    fields = ",".join('"%s":%s' % (name, value) for name in ("tb", "tbk", "tl", "mb", "mbk", "gb", "gbk", "eb", "ebk", "rb", "wb"))
    return '{%s,"acc":[%s],"fs":[%s]}' % (fields, acc, stack)


for n in NUMBERS + [-1, 10**30]:
    put("parse", "dhat-number-%s" % n, dhat(point(n, "1,%s" % n, "-%s,%s" % (abs(n), n))))
for i, name in enumerate(NAMES):
    put("parse", "dhat-name-%d" % i, dhat(point(), ["[root]", name.replace('"', "").replace("\n", "\\n"), "0x: ("]))
put("parse", "dhat-deep", dhat('{"tb":' + "[" * 30000))
put("parse", "dhat-deep-ignored", dhat(point(), head=',"more":' + '{"a":' * 3000 + "1" + "}" * 3000))
put("parse", "dhat-points", dhat(",".join([point(2**63, "1,2")] * 300)))
put("parse", "dhat-empty-points", dhat(",".join(["{}"] * 9000)))
put("parse", "dhat-long-stack", dhat(point(1, ",".join(["1", "2"] * 9000))))
put("parse", "dhat-long-accesses", dhat(point(1, "1", ",".join(["-99999,7"] * 900))))
put("parse", "dhat-frames", dhat(point(), ["[root]"] + [""] * 9000))
put("parse", "dhat-cut", dhat(point())[:260])
put("parse", "dhat-mode", dhat(point(), mode="a" * 5000))
