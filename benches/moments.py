#!/usr/bin/env python3
"""How long a state of a recording and a range of it take, asked of a server after loading.

    moments.py [RECORDING]                     by default a generated one, kept in BENCH_DIR

  --heapview FILE    default target/release/heapview
  --events N         of the generated recording (200000000)
  --runs N           times and ranges (20), at different places
  --memory MIB       most memory while the recording is opened (4096)

Prints milliseconds, wall time and the server's processor time, and its peak memory. Exit status 1 if the processor time of one is more
than 100 ms, or memory exceeds the bound.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
import urllib.request

from side_by_side import HEAPVIEW, generated, generator

AIM = 100


def cpu(pid):
    """Processor time of a process, milliseconds."""
    words = open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", nargs="?")
    parser.add_argument("--heapview", default=HEAPVIEW)
    parser.add_argument("--events", type=int, default=200_000_000)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--memory", type=int, default=4096)
    options = parser.parse_args()
    make = generator("gen_heaptrack.py", "--events", str(options.events))
    recording = options.recording or generated("heaptrack-%d.zst" % options.events, make)
    words = [options.heapview, "-http=localhost:0", "-no_browser", "-no_token", "-symbolize=none", "-config=none", recording]
    server = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    is_well = True
    try:
        url = next(m.group(0) for m in (re.search(r"http://\S+", line) for line in server.stderr) if m).rstrip("/")
        ask = lambda path: json.load(urllib.request.urlopen(url + "/api/v1/" + path))
        print("opened with %.1f s of processor time" % (cpu(server.pid) / 1000))
        run = ask("summary")["run"][0]
        end = run["duration"]
        rng = random.Random(1)
        for name in ["moment", "range"]:
            wall, processor = [], []
            for _ in range(options.runs):
                first, second = sorted(rng.uniform(0.02, 0.98) * end / 1e9 for _ in range(2))
                path = "top?n=10&at=%.3fs" % second if name == "moment" else "top?n=10&from=%.3fs&to=%.3fs" % (first, second)
                before, started = cpu(server.pid), time.perf_counter()
                ask(path)
                wall.append((time.perf_counter() - started) * 1000)
                processor.append(cpu(server.pid) - before)
            is_well &= max(processor) <= AIM
            print("%-8s wall median %4.0f ms, most %4.0f ms; processor time median %4.0f ms, most %4.0f ms" % (
                name, sorted(wall)[len(wall) // 2], max(wall), sorted(processor)[len(processor) // 2], max(processor)))
        most = int(re.search(r"VmHWM:\s+(\d+)", open("/proc/%d/status" % server.pid).read())[1]) >> 10
        print("peak memory %d MiB" % most)
        is_well &= most <= options.memory
    finally:
        server.terminate()
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
