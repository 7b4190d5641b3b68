"""Names, brought to the form in which pprof's, jeprof's and heapview's can be the same."""

import re

HASH = re.compile(r"(::h[0-9a-f]{16}|\[[0-9a-f]{16}\])")
# What rustc's legacy mangling writes for characters that linkers do not take.
LEGACY = {"LT": "<", "GT": ">", "LP": "(", "RP": ")", "C": ",", "RF": "&", "BP": "*", "SP": "@"}


def legacy(line):
    """Rust's legacy names as people read them; pprof of 2021 prints them as they are."""
    def character(match):
        word = match[1]
        return LEGACY.get(word) or chr(int(word[1:], 16))
    if "$" not in line and ".." not in line:
        return line
    line = re.sub(r"\$(LT|GT|LP|RP|C|RF|BP|SP|u[0-9a-f]{1,6})\$", character, line)
    return re.sub(r"(?<![0-9.])\.\.(?!\.)", "::", line)


def without_hash(line):
    return HASH.sub("", line)


def without_underscores(line):
    """pprof loses an underscore that begins a part of a legacy Rust name."""
    line = re.sub(r"(::|\\n)_+", r"\1", line)
    return re.sub(r"(::)+", "::", line)


def bare(name):
    """A name as jeprof prints it: no generics, no arguments."""
    while True:
        shorter = re.sub(r"\(\)|<[^<>()]*>|\([^()<>]*\)( const)?", "", name.replace("->", ""))
        if shorter == name:
            return name
        name = shorter
