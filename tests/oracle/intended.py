"""What differs from pprof and jeprof on purpose.  Each name stands in docs/compatibility.md too.

A difference with a rule is undone on both sides, so that everything else is still compared; one
without makes its cases count as the same.  `where` are shell patterns of cases (as --list prints
them).  A difference that no case shows any more is an error.
"""

import fnmatch
import re

import names


class Difference:
    def __init__(self, name, reason, rule=None, where=("*",), tool="pprof"):
        self.name, self.reason, self.rule, self.where, self.tool = name, reason, rule, where, tool

    def concerns(self, case):
        if self.tool.startswith("pprof ") and getattr(case, "version", "") != self.tool[len("pprof "):]:
            return False
        if (self.tool == "jeprof") != (getattr(case, "version", "") == "jeprof"):
            return False
        return any(fnmatch.fnmatchcase(case.id, pattern) for pattern in self.where)


def settle(case, want, got, possible):
    """Both sides after the rules, and the names of the rules that were needed."""
    if want == got:
        return want, got, []

    def after(rules):
        w, g = want, got
        for difference in rules:
            w, g = difference.rule(w), difference.rule(g)
        return w, g

    w, g = after(possible)
    if w != g:
        return w, g, []
    needed = list(possible)
    for difference in possible:
        fewer = [d for d in needed if d is not difference]
        if len(fewer) < len(needed):
            w, g = after(fewer)
            if w == g:
                needed = fewer
    return *after(needed), [d.name for d in needed]


def each(change):
    return lambda lines: [change(line) for line in lines]


def without(*starts):
    return lambda lines: [line for line in lines if not line.startswith(starts)]


def no_inline_marks(line):
    return re.sub(r"( |\\n)\((partial-)?inline\)", "", line).rstrip()


def no_dropped_edges(line):
    return re.sub(r"\\lDropped \d+ edges? \(freq <= [^)]*\)", "", line)


def invented_mapping(lines):
    """The mapping that pprof makes up where there is none, in -raw and -proto."""
    out = []
    for line in lines:
        if line.startswith(("mapping 0x0-0x0@0x0", "1: 0x0/0x0/0x0")):
            continue
        out.append(line.replace(" 0x0-0x0@0x0 ", " - ").replace(" M=1 ", " "))
    return out


DIFFERENCES = [
    Difference("inline-marks",
               "pprof takes the (inline) marks from the calls that survive trimming; heapview from all calls",
               each(no_inline_marks)),
    Difference("dropped-edges",
               "pprof forgets to count the edges that it drops before it chooses nodes",
               each(no_dropped_edges), ("-dot *",)),
    Difference("rust-underscores",
               "pprof loses an underscore that begins a part of a legacy Rust name",
               each(names.without_underscores), ("*rust", "*shop-bare")),
    Difference("allocator-library",
               "frames inside an allocator's library are cut even if the library has no names",
               None, ("*kitchen-s",)),
    Difference("drop-frames-text",
               "the drop_frames expression in a written profile is spelled in another way; it matches the same",
               without("drop "), ("-proto *", "-topproto *")),
    Difference("no-invented-mapping",
               "pprof makes up an empty mapping where a profile has none",
               invented_mapping, ("-proto *", "-topproto *", "-raw *")),
    Difference("several-bases",
               "pprof takes the last of several bases; heapview adds them up",
               None, ("*base=*base=*",)),
]
