#!/usr/bin/env python3
"""Starts heapview on three dumps of testdata/ and walks the page in Chromium.

    journeys.py HEAPVIEW

Screenshots go to the folder in HEAPVIEW_SHOTS, if it is set.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DUMPS = ["gperftools/shop.000%d.heap" % n for n in (1, 2, 3)]


def main():
    program = os.path.abspath(sys.argv[1])
    testdata = os.path.join(HERE, "..", "testdata")
    # Specs that need a server of their own start it with HEAPVIEW_BIN.
    # The journeys log in with the token, each in a browser of its own; printed links have a journey for themselves.
    env = dict(os.environ, PPROF_BINARY_PATH="bin", HEAPVIEW_BIN=program, HEAPVIEW_TESTDATA=os.path.abspath(testdata),
               HEAPVIEW_TOKEN="the-token-of-the-journeys")
    server = subprocess.Popen([program, "-http=localhost:0", "-no_browser", "bin/shop"] + DUMPS,
                              cwd=testdata, env=dict(env, XDG_CACHE_HOME="/dev/null", DEBUGINFOD_URLS=""), stderr=subprocess.PIPE, text=True)
    try:
        address = None
        for line in server.stderr:
            found = re.search(r"http://\S+", line)
            if found:
                address = found.group(0)
                break
        if not address:
            raise SystemExit("the server ended before it said its address")
        env["HEAPVIEW_URL"] = re.sub(r"[?&]code=[^&]*", "", address).rstrip("/")
        return subprocess.run(["npm", "run", "--silent", "e2e"], cwd=os.path.join(HERE, "..", "web"), env=env).returncode
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
