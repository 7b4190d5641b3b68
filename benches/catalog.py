#!/usr/bin/env python3
"""Measures how long a team server takes to start on a long log, and its memory then.

    catalog.py HEAPVIEW [--dumps 100000] [--each 10] [--services 20]

Writes the log of a store, with EACH uploads in an object, as servers that take several at once write it; envelopes name 12 binaries, and
there are no bytes of dumps. Shown: seconds from the start to the first answer, resident memory then, and the time of some answers; before
and after `heapview store gc` has merged the log.
"""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from ingest import Server

DAY = 24 * 3_600_000


def write(store, n_dumps, each, n_services):
    """A store whose uploads came in the last thirty days."""
    rng, now = random.Random(1), int(time.time() * 1000)
    store.mkdir(parents=True)
    (store / "heapview.json").write_text(json.dumps({"heapview_store": 1, "created": now}))
    builds = [{"file": f"/usr/lib/x86_64-linux-gnu/library-{k}.so.{k}", "id": f"{k:040x}"} for k in range(12)]
    lines, folders = [], set()
    for n in range(n_dumps):
        received = now - 30 * DAY + n * (28 * DAY // n_dumps)
        lines.append(json.dumps({
            "upload": f"{n:026}", "sha256": hashlib.sha256(str(n).encode()).hexdigest(), "service": f"service-{n % n_services}",
            "version": f"0.{n * 10 // n_dumps}", "host": f"host-{n % 500:03}.eu-west.example.org", "pid": str(1000 + n % 500), "seq": n // 500,
            "name": f"server.{n // 500:06}.heap", "time": received - 500, "received": received, "token": "ci", "format": "jemalloc",
            "bytes": 1 << 20, "value_type": "inuse_space",
            "totals": {kind: rng.randrange(1 << 32) for kind in ("alloc_objects", "alloc_space", "inuse_objects", "inuse_space")},
            "stacks": 3000, "builds": builds}, separators=(",", ":")))
        if len(lines) == each or n == n_dumps - 1:
            hour = time.strftime("%Y-%m-%dT%H", time.gmtime(received / 1000))
            folder = store / "inbox" / hour
            if hour not in folders:
                folders.add(hour)
                folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{n:026}.jsonl"
            path.write_text("\n".join(lines) + "\n")
            os.utime(path, (received / 1000, received / 1000))
            lines = []


def measure(program, store, title):
    started = time.monotonic()
    server = Server(program, store)
    url = f"http://127.0.0.1:{server.port}"
    urllib.request.urlopen(f"{url}/healthz").read()
    seconds, spent = time.monotonic() - started, server.seconds()
    resident, peak = server.memory()

    def answer(path):
        began = time.monotonic()
        urllib.request.urlopen(url + path).read()
        return 1000 * (time.monotonic() - began)
    times = ", ".join(f"{path} {min(answer(path) for _ in range(3)):.0f} ms"
                      for path in ("/", "/services/service-1", "/api/v1/services", "/api/v1/dumps?service=service-1", "/metrics"))
    body = b"main;work 12345\n"
    request = urllib.request.Request(f"{url}/api/v1/dumps?service=service-1", body, method="PUT")
    began = time.monotonic()
    urllib.request.urlopen(request).read()
    took = 1000 * (time.monotonic() - began)
    server.stop()
    print(f"{title}: starts in {seconds:.2f} s ({spent:.2f} s of a core), {resident / 2**20:.0f} MiB resident, peak {peak / 2**20:.0f} MiB; "
          f"{times}; upload {took:.0f} ms", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heapview")
    parser.add_argument("--dumps", type=int, default=100_000)
    parser.add_argument("--each", type=int, default=10, help="uploads in an object of the log")
    parser.add_argument("--services", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="heapview-catalog-") as scratch:
        store = Path(scratch) / "store"
        write(store, given.dumps, given.each, given.services)
        measure(given.heapview, store, f"{given.dumps} uploads, {given.each} an object")
        began = time.monotonic()
        subprocess.run([given.heapview, "store", "gc", f"--store={store}"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        n = sum(len(files) for _, _, files in os.walk(store / "inbox"))
        measure(given.heapview, store, f"after gc of {time.monotonic() - began:.1f} s, {n} objects")


if __name__ == "__main__":
    sys.exit(main())
