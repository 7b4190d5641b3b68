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

from side_by_side import HEAPVIEW, HERE, generated, generator, run

FASTER = 10


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?")
    parser.add_argument("--heapview", default=HEAPVIEW)
    parser.add_argument("--viewer", default="/usr/libexec/valgrind/dh_view.js")
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    make = generator("gen_dhat.py", "--megabytes", str(given.megabytes))
    file = given.file or generated("dhat-%d.json" % given.megabytes, make)
    words = [given.heapview, "-config=none", "-top", "-json", "-nodecount=1", "-sample_index=alloc_space", file]
    runs = [run(words) for _ in range(given.runs)]
    ours = min(seconds for seconds, _, _ in runs)
    total = json.loads(runs[0][2])["header"]["total"]
    node = ["node", "--max-old-space-size=12000", os.path.join(HERE, "../tests/oracle/dh_view.cjs"), given.viewer, file]
    viewer = json.loads(subprocess.run(node, stdout=subprocess.PIPE, check=True).stdout)
    theirs = viewer["millis"] / 1000
    match = re.search(r"Total:\s+([\d,]+) bytes", viewer["pages"][0])
    agree = match is not None and int(match[1].replace(",", "")) == total
    faster = theirs / ours
    print("%s: viewer %.2f s, heapview %.2f s, %.1f times as fast%s" % (os.path.basename(file), theirs, ours, faster, "" if agree else "; TOTALS DIFFER"))
    sys.exit(not agree or faster < FASTER)


if __name__ == "__main__":
    main()
