"""jeprof beside heapview under jeprof's name.

jeprof finds a position independent program only at the path in the dump, so both get dumps that
name a folder of ours with copies of the binaries.  Its names are shortened (no generics, no
arguments), and functions that are then equal are one row; ours are shortened and added up here.
"""

import os
import re
import shutil

import names

FOLDER = "/tmp/heapview-testdata/"
LIBRARY = "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2"


def read(path, Case, columns):
    """Cases: flags, dumps; two or more blanks between them. `base:` is a dump in --base."""
    cases = []
    for number, line in enumerate(open(path), 1):
        if not line.strip() or line.startswith("#"):
            continue
        flags, dumps = columns(line)
        for name in dumps.split():
            binary, dump = name.split(":")
            words = [] if flags == "-" else flags.split()
            case = Case("jeprof", words, dump, ["bin/" + binary, dump], number)
            case.version = "jeprof"
            cases.append(case)
    return cases


class Place:
    """testdata/ copied to where its dumps say that it is."""

    def __init__(self, testdata, scratch):
        self.testdata, self.scratch = testdata, scratch
        shutil.copytree(os.path.join(testdata, "bin"), os.path.join(scratch, "bin"), dirs_exist_ok=True)
        # jeprof cuts the allocator's frames by name, so it must find the library that the dumps were made with.
        os.makedirs(os.path.join(scratch, "lib"))
        shutil.copy(LIBRARY, os.path.join(scratch, "lib"))

    def word(self, word):
        """A word of the command line with paths that are in testdata/ moved."""
        head, equals, tail = word.rpartition("=")
        if tail.startswith("bin/"):
            return os.path.join(self.scratch, tail)
        source = os.path.join(self.testdata, tail)
        if not tail.endswith(".heap") or not os.path.isfile(source):
            return word
        moved = os.path.join(self.scratch, os.path.basename(tail))
        with open(source, errors="surrogateescape") as old, open(moved, "w", errors="surrogateescape") as new:
            new.write(old.read().replace(FOLDER, self.scratch + "/"))
        return head + equals + moved


def tidy(name):
    """The form in which names of both are the same."""
    name = name.split(" (discriminator")[0]
    mark = " (inline)" if name.endswith(("(inline)", "[inline]")) else ""
    name = names.without_hash(name.replace(" (inline)", "").replace("[inline]", ""))
    name = re.sub(r"@[0-9a-f]+\b", "", names.bare(name)).replace("?:?", "").replace("?:0", "")
    return (re.sub(r"(::)+_*", "::", name).strip(": ") or "?") + mark


def table(lines):
    """Lines of text as `flat cum name`, added up by name, sorted; `Total` lines between them."""
    out, rows = [], {}

    def flush():
        out.extend("%s %s %s" % (flat, cum if n == 1 else "*", name) for name, (flat, cum, n) in sorted(rows.items()))
        rows.clear()

    for line in lines:
        words = line.split(None, 5)
        if len(words) < 6 or not words[1].endswith("%"):
            flush()
            out.append(line.rstrip())
            continue
        name = tidy(words[5])
        flat, cum, n = rows.get(name, (0.0, 0.0, 0))
        rows[name] = (round(flat + float(words[0]), 1), float(words[3]), n + 1)
    flush()
    return out


def folded(lines):
    """Collapsed stacks with tidy names, added up, sorted."""
    sums = {}
    for line in lines:
        stack, _, value = line.rpartition(" ")
        stack = ";".join(tidy(name) for name in stack.split(";"))
        sums[stack] = sums.get(stack, 0) + int(value)
    return ["%s %d" % pair for pair in sorted(sums.items())]


def shape(case, lines):
    return folded(lines) if "--collapsed" in case.options else table(lines)


def merged_alike(want, got):
    """Sums of rows cannot be compared where one of the two has several of a name."""
    starred = {line.split(" ", 2)[2] for line in want + got if re.match(r"\S+ \* ", line)}

    def star(line):
        parts = line.split(" ", 2)
        return " ".join([parts[0], "*", parts[2]]) if len(parts) == 3 and parts[2] in starred else line
    return [star(line) for line in want], [star(line) for line in got]


def run(program, heapview, runner, report, cases, judge):
    """False when there is nothing to compare."""
    link = os.path.join(runner.scratch, "jeprof")
    os.symlink(heapview, link)
    if "jeprof [options]" not in "\n".join(runner.run(link, ["--help"])[1]):
        print("skipped: jeprof, as which this heapview does not answer")
        return False
    if not os.path.exists(LIBRARY):
        print("skipped: jeprof, which needs %s (Debian's libjemalloc2)" % LIBRARY)
        return False
    place = Place(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + "/testdata", runner.scratch + "/jeprof-data")
    for case in cases:
        words = [place.word(w) for w in case.options + case.files]
        theirs, ours = runner.run(program, words), runner.run(link, words)
        if ours[0] == 0 and theirs[0] == 0:
            want, got = merged_alike(shape(case, theirs[1]), shape(case, ours[1]))
            theirs, ours = (0, want, []), (0, got, [])
        report.add("jeprof", case, *judge(case, theirs, ours))
    return True
