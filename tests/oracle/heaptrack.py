#!/usr/bin/env python3
"""Runs Debian's heaptrack_print beside heapview on recordings and compares what they print.

    tests/oracle/heaptrack.py [--heapview FILE] [RECORDING...]    by default those in testdata/heaptrack

Compares the totals, and for each kind of cost the sum of each stack, as a bag of function names: heaptrack_print writes
inlined functions in the wrong order.  What differs on purpose is in INTENDED, by name.  Raw files are interpreted by
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
    print("intended differences met: " + (", ".join(sorted(met)) or "none"))
    print("%d the same, %d wrong" % (n_same, n_wrong))
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
