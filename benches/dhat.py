#!/usr/bin/env python3
"""Opens the same DHAT file with valgrind's viewer under node and with heapview, turn by turn, and compares wall time and totals.

    benches/dhat.py [FILE]             by default a generated one of 200 MB, kept in BENCH_DIR

  --heapview FILE    default target/release/heapview
  --viewer FILE      default /usr/libexec/valgrind/dh_view.js
  --megabytes N      of the generated file (200)
  --runs N           of heapview (3); the best counts. The viewer runs once

The viewer's time is that from text to the text of its page, without drawing it; heapview's that of its first report, from the start of
the program. Exit status 1 if they disagree, or if heapview takes more than a tenth of the time.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FASTER = 10


def generated(megabytes):
    folder = os.environ.get("BENCH_DIR", "/tmp/heapview-bench")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "dhat-%d.json" % megabytes)
    if not os.path.exists(path):
        subprocess.run([sys.executable, os.path.join(HERE, "gen_dhat.py"), path, "--megabytes", str(megabytes)], check=True)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?")
    parser.add_argument("--heapview", default=os.path.join(HERE, "../target/release/heapview"))
    parser.add_argument("--viewer", default="/usr/libexec/valgrind/dh_view.js")
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    file = given.file or generated(given.megabytes)
    ours = []
    for _ in range(given.runs):
        began = time.monotonic()
        words = [given.heapview, "-config=none", "-top", "-json", "-nodecount=1", "-sample_index=alloc_space", file]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        ours.append(time.monotonic() - began)
    total = json.loads(done.stdout)["header"]["total"]
    node = ["node", "--max-old-space-size=12000", os.path.join(HERE, "../tests/oracle/dh_view.cjs"), given.viewer, file]
    viewer = json.loads(subprocess.run(node, stdout=subprocess.PIPE, check=True).stdout)
    theirs = viewer["millis"] / 1000
    match = re.search(r"Total:\s+([\d,]+) bytes", viewer["pages"][0])
    agree = match is not None and int(match[1].replace(",", "")) == total
    faster = theirs / min(ours)
    print("%s: viewer %.2f s, heapview %.2f s, %.1f times as fast%s" % (os.path.basename(file), theirs, min(ours), faster, "" if agree else "; TOTALS DIFFER"))
    sys.exit(not agree or faster < FASTER)


if __name__ == "__main__":
    main()
