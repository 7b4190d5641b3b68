#!/usr/bin/env python3
"""Writes a pprof profile whose every text tries to be more than text.

    awkward.py OUTPUT.pb.gz

Names of functions, files, mapped files, labels and comments with markup, quotes, line ends, marks that turn the
direction of writing, names of things in JavaScript, and one of 100 kB. Always the same bytes. Standard library only.
"""
import gzip
import sys

MARK = "<script>window.taken=1</script>"
TEXTS = [
    MARK,
    "</script><script>window.taken=2</script>",
    "<img src=x onerror=window.taken=3>",
    "\"><svg onload=window.taken=4>",
    "' onmouseover='window.taken=5",
    "javascript:window.taken=6",
    "]]><!--<script>-->",
    "&lt;b&gt;&amp;amp;",
    "{{7*7}}${7*7}#{7*7}%s%n",
    "first line\nsecond line\r\nthird\tand a tab",
    "turned \u202egro.elpmaxe\u202c and \u2066back\u2069",
    "\u0645\u062e\u0632\u0646::\u05de\u05d7\u05e1\u05df",
    "zero\u200bwidth\u200djoined\ufeff",
    "bell\a escape\x1b[31mred\x1b[0m nul\0end",
    "__proto__",
    "constructor",
    "toString",
    "a b c  d",
    "(.*)+?[^$\\",
    "../../../etc/passwd",
    "\U0001f980\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "x" * 100_000,
    "<" * 300 + ">" * 300,
    "a::" * 2_000 + "end",
]


def varint(n):
    out = bytearray()
    n &= (1 << 64) - 1
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def field(number, value):
    """A number, or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


class Strings:
    def __init__(self):
        self.texts = {"": 0}

    def __call__(self, text):
        return self.texts.setdefault(text, len(self.texts))


def main():
    strings, out = Strings(), bytearray()
    for kind, unit in [("inuse_objects", "count"), ("inuse_space", "bytes")]:
        out += field(1, field(1, strings(kind)) + field(2, strings(unit)))
    n = len(TEXTS)
    for i, text in enumerate(TEXTS, 1):
        following = TEXTS[i % n]
        # One file in each mapping: file, build id.
        out += field(3, field(1, i) + field(2, i << 20) + field(3, (i + 1) << 20) + field(5, strings(text)) + field(6, strings(text[:200])) + field(7, 1))
        out += field(5, field(1, i) + field(2, strings(text)) + field(3, strings(text)) + field(4, strings(following)) + field(5, i))
        inlined = field(4, field(1, i) + field(2, i * 3)) + field(4, field(1, i % n + 1) + field(2, i * 3 + 1))
        out += field(4, field(1, i) + field(2, i) + field(3, (i << 20) + 16) + inlined)
    for i, text in enumerate(TEXTS):
        stack = b"".join(varint((i + k * k) % n + 1) for k in range(6))
        labels = field(3, field(1, strings(text)) + field(2, strings(TEXTS[(i + 1) % n])))
        labels += field(3, field(1, strings("thread")) + field(2, strings(text)))
        labels += field(3, field(1, strings("bytes")) + field(3, 16 << i % 9) + field(4, strings("bytes")))
        size = 16 << i % 9
        out += field(2, field(1, stack) + field(2, varint(i + 1) + varint((i + 1) * size)) + labels)
    for text in TEXTS:
        out += field(13, strings(text))
    out += field(14, strings("inuse_space"))
    out += field(15, strings("javascript:window.taken=7"))
    for text in strings.texts:
        out += field(6, text.encode())
    with open(sys.argv[1], "wb") as file:
        file.write(gzip.compress(bytes(out), mtime=0))


if __name__ == "__main__":
    main()
