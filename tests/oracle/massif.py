#!/usr/bin/env python3
"""Runs valgrind's ms_print beside `heapview massif` and compares all that they print.

    tests/oracle/massif.py [--heapview FILE] [MASSIF_OUT...]    by default those in testdata/massif

What differs on purpose is in INTENDED, by name.  Exit status 0: all the same but what is intended.  Standard library only; nothing
is installed.
"""

import argparse
import glob
import os
import re
import subprocess
import sys

FLAGS = [[], ["--threshold=0"], ["--threshold=50"], ["--x=20", "--y=5"], ["--threshold=0.3%", "--x=150", "--y=40"], ["--x=4", "--y=4"]]
REFUSED = [["--x=3"], ["--y=1001"], ["--threshold=101"], ["--foo"]]
INTENDED = {
    "names with #": "ms_print takes what follows a # for a comment, so that lambdas lose their tails; heapview prints them whole",
    "unit of time": "ms_print dies after its head when times are in s, as heaptrack exports them; heapview prints them",
    "wrong flags": "ms_print exits with 255 and prints its help; heapview exits with 2 and says what is wrong",
}
NODE = re.compile(r"^[ |]*(->)?\d+\.\d\d% \(")


def run(words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def without_comments(text):
    """Lines as ms_print would print them, and whether one is shorter now."""
    lines, seen = [], False
    for line in text.splitlines():
        if "#" in line and (NODE.match(line) or line.startswith(("Command:", "Massif arguments:"))):
            line, seen = line.split("#", 1)[0], True
        lines.append(line.rstrip() if NODE.match(line) else line)
    return lines, seen


def compared(heapview, file, flags):
    """Differences, and the names of those that are intended."""
    code, theirs, stderr = run(["ms_print", *flags, file])
    our_code, ours, our_stderr = run([heapview, "massif", *flags, file])
    if our_code != 0 or our_stderr:
        return [f"heapview exits with {our_code}: {our_stderr.strip()}"], set()
    if code != 0 and "bad time_unit" in stderr:
        theirs = theirs.splitlines()
        return [] if ours.splitlines()[: len(theirs)] == theirs else ["the heads differ"], {"unit of time"}
    if code != 0:
        return [f"ms_print exits with {code}: {stderr.strip()}"], set()
    theirs, _ = without_comments(theirs)
    ours, is_cut = without_comments(ours)
    differences = [f"line {n}:\n  ms_print {a!r}\n  heapview {b!r}" for n, (a, b) in enumerate(zip(theirs, ours), 1) if a != b]
    if len(theirs) != len(ours):
        differences.append(f"{len(theirs)} lines of ms_print, {len(ours)} of heapview")
    return differences, {"names with #"} if is_cut else set()


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.dirname(os.path.dirname(here))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heapview", default=os.path.join(root, "target", "debug", "heapview"))
    parser.add_argument("files", nargs="*")
    given = parser.parse_args()
    files = given.files or sorted(glob.glob(os.path.join(root, "testdata", "massif", "*.out")) + glob.glob(os.path.join(root, "testdata", "massif", "*.ms")))
    n_wrong, n_compared, intended = 0, 0, {}
    for file in files:
        for flags in FLAGS:
            differences, known = compared(given.heapview, file, flags)
            n_compared += 1
            for name in known:
                intended[name] = intended.get(name, 0) + 1
            if differences:
                n_wrong += 1
                print(f"{file} {' '.join(flags)}: {len(differences)} differences; the first: {differences[0]}")
    for flags in REFUSED:
        codes = run(["ms_print", *flags, files[0]])[0], run([given.heapview, "massif", *flags, files[0]])[0]
        n_compared += 1
        intended["wrong flags"] = intended.get("wrong flags", 0) + 1
        if codes != (255, 2):
            n_wrong += 1
            print(f"{' '.join(flags)}: exit status {codes[0]} of ms_print, {codes[1]} of heapview")
    for name, count in sorted(intended.items()):
        print(f"intended, {count} times: {INTENDED[name]}")
    print(f"{n_compared} compared, {n_wrong} differ")
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
