#!/usr/bin/env python3
"""heapview -watch against a server whose dumps have new stacks each time: prints figures, PASS or FAIL.

    python3 tests/load/watch.py [PROGRAM] [--seconds 240] [--stacks 20000]

The server answers each poll, one a second, with a heap profile of so many stacks that no dump before had. Memory must stay
below a bound that does not depend on the number of dumps. Needs nothing but Python; Linux only.
"""
import argparse
import http.server
import random
import re
import resource
import subprocess
import sys
import threading
import time

MB = 1 << 20
# The open profile may take 256 MB before dumps are thinned out; while one joins there are a few copies.
BOUND = 1200 * MB


class Dumps(http.server.BaseHTTPRequestHandler):
    n_stacks = 20000
    n = 0

    def do_GET(self):
        if not self.path.startswith("/pprof/heap"):
            self.send_error(404)
            return
        Dumps.n += 1
        places = random.Random(Dumps.n)
        rows = [f"heap profile: {self.n_stacks}: {64 * self.n_stacks} [ {self.n_stacks}: {64 * self.n_stacks}] @ heapprofile"]
        for _ in range(self.n_stacks):
            rows.append("1: 64 [ 1: 64] @ " + " ".join(hex(places.getrandbits(46)) for _ in range(8)))
        body = "\n".join(rows).encode() + b"\n"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def memory(pid, field):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(field + r":\s+(\d+)", status.read()).group(1)) << 10


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default="target/release/heapview")
    parser.add_argument("--seconds", type=int, default=240)
    parser.add_argument("--stacks", type=int, default=20000, help="new ones in each dump, default 20000")
    args = parser.parse_args()
    Dumps.n_stacks = args.stacks
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Dumps)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/pprof/heap"
    command = [args.program, "-http=localhost:0", "-no_browser", "-watch", "-every=1s", "-symbolize=none", url]
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit)
    try:
        for at in range(0, args.seconds, 20):
            time.sleep(20)
            if process.poll() is not None:
                sys.exit(f"FAIL  heapview ended with {process.returncode}")
            print(f"{at + 20:5} s  {Dumps.n:4} dumps  {memory(process.pid, 'VmRSS') // MB:5} MB, {memory(process.pid, 'VmHWM') // MB} MB at most", flush=True)
        peak = memory(process.pid, "VmHWM")
    finally:
        process.kill()
        process.wait()
    print(f"{'PASS' if peak < BOUND else 'FAIL'}  {Dumps.n} dumps of {args.stacks} new stacks: {peak // MB} MB at most")
    sys.exit(0 if peak < BOUND else 1)


if __name__ == "__main__":
    main()
