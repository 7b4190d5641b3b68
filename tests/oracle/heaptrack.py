#!/usr/bin/env python3
"""Runs Debian's heaptrack_print beside heapview on recordings and compares what they print.

    tests/oracle/heaptrack.py [--heapview FILE] [RECORDING...]    by default those in testdata/heaptrack

Compares the totals, and for each kind of cost the sum of each stack, as a bag of function names: heaptrack_print writes
inlined functions in the wrong order.  `heapview heaptrack` is compared by its totals, the head of each group and stack of all
sections, the histogram, a difference, a filter and suppressions.  What differs on purpose is in INTENDED, by name.  Raw files are interpreted by
heaptrack first.  Exit status 0: all the same but what is intended.  Standard library only; nothing is installed.
"""

import argparse
import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import compare  # noqa: E402

INTERPRET = "/usr/lib/heaptrack/libexec/heaptrack_interpret"
COSTS = {"allocations": "alloc_objects", "leaked": "inuse_space", "peak": "peak_space", "temporary": "temp_objects"}
INTENDED = {
    "temporary": "heaptrack_print takes every free of the allocation with number 0 for temporary, unless it is the first event",
    "runtime": "heaptrack_print prints the runtime with the precision of what it printed before; heapview with six decimals",
    "rss of a difference": "heaptrack_print subtracts the size of a page, too, and prints 0B",
    "built-in rules beside a file": "heaptrack_print 1.4 and 1.5 overwrite built-in rules by those of a file and suppress everything",
    "raw": "heaptrack_print does not read raw files; heapview does, and charges a block at an address in use as freed",
}


def run(words, **options):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, **options)
    return done.stdout.decode("utf-8", "replace")


def stacks(text):
    """bag of functions of a stack -> sum; lines are `root;…;leaf 12`"""
    sums = collections.Counter()
    for line in text.splitlines():
        path, value = line.rsplit(" ", 1)
        names = [re.sub(r" \([^()]*\)$", "", name).replace("_[i]", "") for name in path.split(";") if name.strip()]
        # What has no name is an address there and a module here.
        bag = tuple(sorted(name for name in names if not re.match(r"(0x[0-9a-f]+|\[.*\]|\?\?)$", name) and "operator new" not in name))
        sums[bag] += int(value)
    return +sums


def theirs(recording, cost, scratch):
    out = os.path.join(scratch, "flame")
    run(["heaptrack_print", "-f", recording, "-p0", "-a0", "-T0", "--disable-builtin-suppressions", "--disable-embedded-suppressions",
         "-F", out, "--flamegraph-cost-type", cost])
    with open(out, encoding="utf-8", errors="replace") as file:
        return stacks(file.read())


def ours(heapview, recording, sample_index, env):
    text = run([heapview, "-collapsed", "-sample_index=" + sample_index, "-symbolize=demangle=none", recording], env=env)
    return stacks(text)


def without_start(sums):
    """Only what both write: heaptrack_print leaves out the callers of `main`."""
    callers = {"_start", "__libc_start_main_impl", "__libc_start_call_main", "__libc_start_main", "_dl_start_user"}
    out = collections.Counter()
    for bag, value in sums.items():
        out[tuple(name for name in bag if name not in callers)] += value
    return out


HEAD = re.compile(r"^(\d+ calls|[-\d.]+[BKMGT] (peak memory consumed|consumed|leaked)|[-\d]+ temporary allocations) ")


def lines(text):
    """Title of a section -> sorted heads of its groups and stacks; "" -> the totals"""
    out, section = {"": []}, None
    for line in text.splitlines():
        if re.match(r"^(MOST|PEAK|MEMORY) [A-Z ]+$", line):
            section = out.setdefault(line, [])
        elif line.startswith("total runtime"):
            section = out[""]
        elif section is out[""] and line.strip() and "Suppressions used" not in line and not re.match(r"^ +(\d|matches)", line):
            section.append(line)
        elif section is not None and HEAD.match(line):
            section.append(line)
    return {title: sorted(found) for title, found in out.items()}


def printed(heapview, recording, words, env, met):
    """What differs between the two on these flags: (theirs, ours) of each section"""
    want = lines(run(["heaptrack_print", "-f", recording, *words]))
    got = lines(run([heapview, "heaptrack", "-f", recording, *words], env=env))
    for title in sorted(set(want) | set(got)):
        a, b = want.get(title, []), got.get(title, [])
        if title == "":
            met.add("runtime")
            a, b = ([line for line in side if not line.startswith("total runtime")] for side in (a, b))
            if "-d" in words:
                met.add("rss of a difference")
                a, b = ([line for line in side if not line.startswith("peak RSS")] for side in (a, b))
        number = re.compile(r"^(temporary memory allocations: )(-?\d+).*")
        of = [[int(number.match(line)[2]) for line in side if number.match(line)] for side in (a, b)]
        if a != b and (title.startswith("MOST TEMP") or of[0] and of[1] and ("-d" in words or of[0][0] >= of[1][0])):
            met.add("temporary")
            if title:
                continue
            a, b = ([line for line in side if not number.match(line)] for side in (a, b))
        if a != b:
            yield title or "totals", a, b


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("recordings", nargs="*")
    parser.add_argument("--heapview", default=compare.newest_heapview())
    arguments = parser.parse_args()
    if not shutil.which("heaptrack_print"):
        print("skipped: no heaptrack_print here (Debian's heaptrack)")
        return 0
    recordings = arguments.recordings or sorted(glob.glob(os.path.join(compare.TESTDATA, "heaptrack", "*.zst")))
    env = dict(os.environ, PPROF_BINARY_PATH=os.path.join(compare.TESTDATA, "bin"), XDG_CACHE_HOME="/dev/null", DEBUGINFOD_URLS="", NO_COLOR="1")
    n_same = n_wrong = 0
    met = set()
    with tempfile.TemporaryDirectory(prefix="heapview-oracle-") as scratch:
        for recording in recordings:
            judged = recording
            if ".raw." in os.path.basename(recording):
                # Interpreted by heaptrack, then compared by totals: it names the functions of this machine's libraries.
                judged = os.path.join(scratch, "interpreted")
                with open(judged, "wb") as out:
                    packed = subprocess.Popen(["zstd", "-dc", recording], stdout=subprocess.PIPE)
                    subprocess.run([INTERPRET], stdin=packed.stdout, stdout=out, stderr=subprocess.DEVNULL, check=True)
                met.add("raw")
            for cost, sample_index in COSTS.items():
                want, got = theirs(judged, cost, scratch), ours(arguments.heapview, recording, sample_index, env)
                if judged != recording:
                    want, got = (collections.Counter({(): sum(sums.values())}) for sums in (want, got))
                want, got = without_start(want), without_start(got)
                if want != got and cost == "temporary" and 0 <= sum(want.values()) - sum(got.values()):
                    met.add("temporary")
                    want = got
                if want == got:
                    n_same += 1
                    continue
                n_wrong += 1
                print("WRONG  %s %s: %d and %d" % (os.path.basename(recording), cost, sum(want.values()), sum(got.values())))
                for bag in sorted((want - got) + (got - want))[:6]:
                    print("      want %d, got %d: %s" % (want[bag], got[bag], ";".join(bag)[:200]))
        interpreted = [r for r in recordings if ".raw." not in os.path.basename(r)]
        for recording in interpreted:
            rules = os.path.join(scratch, "rules")
            with open(rules, "w", encoding="utf-8") as out:
                out.write("leak:load\nleak:^sp*y$\n# nothing\n")
            met.add("built-in rules beside a file")
            asked = [["-n", "100000", "-s", "100000", "-l"], ["-m0", "-n", "100000", "-l"], ["-n3", "-s", "2", "-l", "--filter-bt-function", "a"],
                     ["-p0", "-a0", "-T0", "-l", "-n", "1000", "--suppressions", rules, "--disable-builtin-suppressions"],
                     ["-d", interpreted[0], "-n", "1000", "-l"], ["-p0", "-a0", "-T0", "-t0"]]
            for words in asked:
                found = list(printed(arguments.heapview, recording, words, env, met))
                n_same += not found
                for title, want, got in found:
                    n_wrong += 1
                    print("WRONG  %s %s: %s" % (os.path.basename(recording), " ".join(words), title))
                    for line in sorted(set(want) ^ set(got))[:6]:
                        print("      %s %s" % ("want" if line in want else "got ", line))
            histograms = []
            for program in (["heaptrack_print"], [arguments.heapview, "heaptrack"]):
                path = os.path.join(scratch, "sizes")
                run([*program, "-f", recording, "-p0", "-a0", "-T0", "-H", path], env=env)
                with open(path, "rb") as file:
                    histograms.append(file.read())
                os.remove(path)
            n_same += histograms[0] == histograms[1]
            if histograms[0] != histograms[1]:
                n_wrong += 1
                print("WRONG  %s: histogram" % os.path.basename(recording))
    print("intended differences met: " + (", ".join(sorted(met)) or "none"))
    print("%d the same, %d wrong" % (n_same, n_wrong))
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
