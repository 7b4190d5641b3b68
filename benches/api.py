#!/usr/bin/env python3
"""How long each view of a big profile takes, asked of the API: the first time and after.

    api.py [HEAPVIEW] [PROFILE]

Without a profile, a gperftools dump of 75,000 stacks is made: about a million tree nodes when
every address counts. Prints milliseconds, best of five after the first. Standard library only.
"""
import json
import os
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
VIEWS = ["top", "tree", "flame", "flame?inverted=t", "graph?nodelets=f", "peek?peek=%s", "top?f=a", "flame?f=a", "top?si=alloc_space"]
AIM = 50  # ms, for each view after the first


def get(url):
    start = time.perf_counter()
    with urllib.request.urlopen(url) as answer:
        size = len(answer.read())
    return (time.perf_counter() - start) * 1000, size


def main():
    heapview = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "target", "release", "heapview")
    folder = os.environ.get("BENCH_DIR", "/tmp/heapview-bench")
    os.makedirs(folder, exist_ok=True)
    profile = sys.argv[2] if len(sys.argv) > 2 else os.path.join(folder, "api.heap")
    if not os.path.exists(profile):
        subprocess.run([sys.executable, os.path.join(HERE, "gen_profile.py"), "gperftools", "--stacks", "75000", profile], check=True,
                       stdout=subprocess.DEVNULL)
    server = subprocess.Popen([heapview, "-http=localhost:0", "-no_browser", "-no_token", "-symbolize=none", profile], stderr=subprocess.PIPE, text=True)
    try:
        url = next(m.group(0) for m in (re.search(r"http://\S+", line) for line in server.stderr) if m).rstrip("/")
        while '"state":"done"' not in urllib.request.urlopen(url + "/api/v1/meta").read().decode():
            time.sleep(0.05)
        print("%-34s %9s %9s %9s" % ("view, by address", "first ms", "then ms", "kB"))
        top = json.load(urllib.request.urlopen(url + "/api/v1/top?g=addresses&n=1"))
        heaviest = urllib.parse.quote("^%s$" % re.escape(top["row"][0]["name"]))
        for view in VIEWS:
            view = view.replace("%s", heaviest)
            ask = "%s/api/v1/%s%sg=addresses" % (url, view, "&" if "?" in view else "?")
            first, size = get(ask)
            then = min(get(ask)[0] for _ in range(5))
            print("%-34s %9.1f %9.1f %9.1f%s" % (view[:34], first, then, size / 1000, "" if then <= AIM else "   over %d ms" % AIM))
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
