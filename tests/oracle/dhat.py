#!/usr/bin/env python3
"""Runs valgrind's own viewer of DHAT's files under node beside heapview and compares what they show.

    tests/oracle/dhat.py [--heapview FILE] [--viewer dh_view.js] [FILE...]    by default those in testdata/dhat

Compares the totals of all metrics, run times, and for each of the viewer's sort metrics (its presets among them) the program
points that it finds significant: the same set of stacks with the same blocks and bytes, under heapview's -where.  Shares follow
from both.  What differs on purpose is in INTENDED, by name.  Exit status 0: all the same but what is intended.  Standard library
and node only; nothing is installed.
"""

import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VIEWER = "/usr/libexec/valgrind/dh_view.js"
INTENDED = {
    "maximum": "the viewer prints mb as recorded, which may be below gb and eb; heapview takes the largest of the three",
    "repeated location": "the viewer refuses files with repeated locations; heapview adds them up",
    "missing field": "the viewer refuses files without tuth; heapview takes 500 instructions or 10 microseconds",
    "default": "the viewer begins with Total (blocks), heapview with what was in use at the peak",
}

# Number in the viewer's menu: value type that decides, least share of it, conditions.
LOW = "reads>0,writes>0,reads/byte<=0.4|writes/byte<=0.4"
HIGH = "reads/byte>=1000|writes/byte>=1000"
METRICS = [
    ("alloc_space", 0.01, ""),
    ("alloc_objects", 0.01, ""),
    ("alloc_objects", 0.005, "size<=16"),
    ("alloc_objects", 0.005, "lifetime<={tuth}"),
    ("alloc_space", 0.005, "reads=0|writes=0"),
    ("alloc_objects", 0.005, "reads=0|writes=0"),
    ("alloc_space", 0.005, LOW),
    ("alloc_objects", 0.005, LOW),
    ("peak_space", 0.01, ""),
    ("inuse_space", 0.01, ""),
    ("read_space", 0.01, ""),
    ("read_space", 0.005, HIGH),
    ("write_space", 0.01, ""),
    ("write_space", 0.005, HIGH),
]
OTHER_TYPES = {"copy": ("copied_objects", "copied_space"), "ad-hoc": ("events", "units"), "rust-ad-hoc": ("events", "units")}


def heapview(program, words):
    done = subprocess.run([program, "-config=none", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    return done.stdout.decode("utf-8", "replace")


def number(text):
    return float(text.replace(",", ""))


def root(page):
    """Numbers of the first node."""
    found = {}
    for key, label in (("alloc", "Total:"), ("peak", "At t-gmax:"), ("inuse", "At t-end:")):
        match = re.search(rf"{re.escape(label)}\s+([\d,.]+) \S+ \([^)]*\) in ([\d,.]+)", page)
        if match:
            found[key + "_space"], found[key + "_objects"] = number(match[1]), number(match[2])
    for key, label in (("read_space", "Reads:"), ("write_space", "Writes:")):
        match = re.search(rf"{label}\s+([\d,.]+) bytes", page)
        if match:
            found[key] = number(match[1])
    return found


def leaves(page):
    """(names of frames, leaf first; bytes; blocks) of every significant node without children, as a bag."""
    bag = collections.Counter()
    for node in re.split(r"(?=PP \d[\d.]*(?:/\d+)? (?:\(\d+ children\) )?\{)", page)[1:]:
        head, _, at = node.partition(" at {\n")
        if "children) {" in node[:80] or "insignificant]" in node or not at:
            continue
        frames = re.findall(r"[#^]\d+: (.*)", at)
        total = re.search(r"Total:\s+([\d,.]+) \S+ \([^)]*\) in ([\d,.]+)", head)
        if total:
            names = tuple(name_of(frame) for frame in frames if frame != "[root]")
            # The root of a file without any is shown, too.
            if names:
                bag[names, number(total[1]), number(total[2])] += 1
    return bag


def name_of(frame):
    frame = re.sub(r"^0x[0-9A-Fa-f]+: ", "", frame)
    frame = re.sub(r" \((in |within )?[^()]*(\([^()]*\)[^()]*)*\)$", "", frame) if frame.endswith(")") else frame
    return "" if frame == "???" else frame


def samples(program, file, where):
    """Value types, and (names of frames, values) of each sample that passes."""
    words = ["-raw", "-symbolize=none", file] + ([f"-where={where}"] if where else [])
    lines = heapview(program, words).split("\n")
    types = [word.split("/")[0].removesuffix("[dflt]") for word in lines[3].split()]
    rows, names, now = [], {}, 0
    section = ""
    for line in lines[4:]:
        if line in ("Locations", "Mappings"):
            section = line
        elif section == "":
            match = re.match(r"\s*([\d\s-]+): ([\d ]*)$", line)
            if match:
                rows.append(([int(word) for word in match[1].split()], [int(word) for word in match[2].split()]))
        elif section == "Locations":
            match = re.match(r"\s*(\d+): 0x[0-9a-f]+ (?:M=\d+ )?(.*)", line)
            text = match[2] if match else line.strip()
            if match:
                now = int(match[1])
                names[now] = []
            names[now].append(re.sub(r"\s*\S*:\d+:\d+ s=\d+.*$", "", text).strip())
    return types, [(tuple(name for at in stack for name in names[at]), values) for values, stack in rows]


def compare(program, viewer, file):
    with open(file, encoding="utf-8", errors="replace") as text:
        data = json.load(text)
    mode = data["mode"]
    is_heap = data.get("bklt", False)
    metrics = [i for i in range(14) if is_heap and (data.get("bkacc") or i in (0, 1, 2, 3, 8, 9)) or i < 3]
    done = subprocess.run(["node", os.path.join(HERE, "dh_view.cjs"), viewer, file, *map(str, metrics)], stdout=subprocess.PIPE, check=True)
    pages = json.loads(done.stdout)["pages"]
    wrong = []
    if pages and "repeated location" in pages[0]:
        return [], 0, ["repeated location"]
    types, all_rows = samples(program, file, "")
    sums = {kind: sum(values[i] for _, values in all_rows) for i, kind in enumerate(types)}
    objects, space = OTHER_TYPES.get(mode, ("alloc_objects", "alloc_space"))
    n = 0
    want = root(pages[0])
    if mode in OTHER_TYPES:
        want = {objects: want["alloc_objects"], space: want["alloc_space"]}
    for kind, value in want.items():
        n += 1
        if sums.get(kind) != value:
            wrong.append(f"total {kind}: {sums.get(kind)}, the viewer has {value}")
    for metric, page in zip(metrics, pages):
        kind, share, where = METRICS[metric]
        kind = {"alloc_objects": objects, "alloc_space": space}.get(kind, kind)
        if mode in OTHER_TYPES and where:
            continue
        _, rows = samples(program, file, where.format(tuth=data.get("tuth", 0)))
        at, by, of = (types.index(name) for name in (kind, space, objects))
        least = share * sums[kind]
        ours = collections.Counter()
        for stack, values in rows:
            if values[at] >= least and sums[kind] > 0:
                ours[stack, float(values[by]), float(values[of])] += 1
        theirs = leaves(page)
        n += 1
        if ours != theirs:
            missing, more = theirs - ours, ours - theirs
            wrong.append(f"metric {metric}: {sum(theirs.values())} significant program points, heapview has {sum(ours.values())}")
            wrong += [f"  only the viewer: {row}" for row in list(missing)[:3]] + [f"  only heapview: {row}" for row in list(more)[:3]]
    return wrong, n, []


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--heapview", default=os.path.join(HERE, "..", "..", "target", "debug", "heapview"))
    arguments.add_argument("--viewer", default=VIEWER)
    arguments.add_argument("files", nargs="*", default=sorted(glob.glob(os.path.join(HERE, "..", "..", "testdata", "dhat", "*.json"))))
    given = arguments.parse_args()
    if not os.path.exists(given.viewer):
        sys.exit(f"missing: {given.viewer} (apt install valgrind)")
    failed = False
    for file in given.files:
        wrong, n, intended = compare(given.heapview, given.viewer, file)
        failed |= bool(wrong)
        print(f"{'FAIL' if wrong else 'ok  '} {os.path.basename(file)}: {n} comparisons" + "".join(f"; intended: {INTENDED[name]}" for name in intended))
        for line in wrong:
            print(f"     {line}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
