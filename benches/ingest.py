#!/usr/bin/env python3
"""Measures how many dumps a second a processor core of the team server takes, beside `heapview top` run once for each file.

    ingest.py HEAPVIEW [--dumps 100] [--runs 3]

The dumps are those of gen_series.py, gperftools text of 0.1 MB and then of 1 MB each, with addresses in HEAPVIEW itself, whose names are in the symbol
cache after a first run and in the store before the dumps. Turn by turn: `heapview top` of each file; `heapview serve` on a new directory,
to which eight connections send each file once. Processor time counts: of the commands, and of the server from the first byte to the last
answer (the directory is synchronized: its wall time is the disk's). Exit status 1 if the aim, ten times as many, is missed.
"""

import argparse
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
AIM = 10
CONNECTIONS = 8
START = 0x55D0C0001000  # where gen_profile.py puts its binary
TICK = os.sysconf("SC_CLK_TCK")


def named(folder, program):
    """Replaces the memory maps of the dumps by one of `program`, whose code is where their addresses are."""
    segments = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True).stdout
    offset, size = next((int(line.split()[1], 16), int(line.split()[5], 16)) for line in segments.splitlines()
                        if line.split()[:1] == ["LOAD"] and " R E " in line)
    offset, size = offset & ~0xFFF, size + (offset & 0xFFF)
    line = f"{START:x}-{START + size:x} r-xp {offset:08x} 08:01 42 {program}\n"
    files = sorted(Path(folder).glob("*.heap"))
    for file in files:
        stacks, _, _ = file.read_text().partition("\nMAPPED_LIBRARIES:\n")
        file.write_text(f"{stacks}\nMAPPED_LIBRARIES:\n{line}")
    return files


class Server:
    """A team server on a directory of its own."""

    def __init__(self, program, store, *flags):
        command = [program, "serve", f"--store={store}", "--http=127.0.0.1:0", *flags]
        self.child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        for line in self.child.stderr:
            if " on http://" in line:
                self.port = int(line.rsplit(":", 1)[1].strip().rstrip("/"))
                break
        else:
            sys.exit("the server does not start")
        threading.Thread(target=self.child.stderr.read, daemon=True).start()

    def seconds(self):
        """Processor seconds so far."""
        fields = Path(f"/proc/{self.child.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory(self):
        """Resident bytes now, and their peak."""
        lines = dict(line.split(":", 1) for line in Path(f"/proc/{self.child.pid}/status").read_text().splitlines())
        return tuple(int(lines[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM"))

    def stop(self):
        self.child.terminate()
        self.child.wait()


def put(connection, to, content):
    connection.request("PUT", to, content)
    answer = connection.getresponse()
    text = answer.read().decode()
    if answer.status not in (200, 201):
        sys.exit(f"{to}: {answer.status} {text}")
    return text


def sent(program, files):
    """Processor and wall seconds of sending the files, and peak of memory."""
    with tempfile.TemporaryDirectory() as store:
        server = Server(program, store)
        contents = [file.read_bytes() for file in files]
        connections = [http.client.HTTPConnection("127.0.0.1", server.port) for _ in range(CONNECTIONS)]
        put(connections[0], "/api/v1/binaries?service=bench&version=1&name=heapview", Path(program).read_bytes())

        def send(n):
            for content in contents[n::CONNECTIONS]:
                put(connections[n], "/api/v1/dumps?service=bench&version=1", content)
        before, started = server.seconds(), time.monotonic()
        threads = [threading.Thread(target=send, args=(n,)) for n in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wall, spent = time.monotonic() - started, server.seconds() - before
        stored = json.loads(subprocess.run(["curl", "-s", f"http://127.0.0.1:{server.port}/api/v1/services"], capture_output=True).stdout)
        if stored[0]["dumps"] != len(files):
            sys.exit(f"the store has {stored[0]['dumps']} dumps of {len(files)}")
        peak = server.memory()[1]
        server.stop()
    return spent, wall, peak


def opened(program, files, environment):
    """Processor and wall seconds of `heapview top` for each file."""
    before, started = os.times(), time.monotonic()
    for file in files:
        subprocess.run([program, "top", str(file)], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system, time.monotonic() - started


def compare(program, given, stacks):
    with tempfile.TemporaryDirectory(prefix="heapview-ingest-") as scratch:
        generate = [sys.executable, str(HERE / "gen_series.py"), f"{scratch}/dumps", f"--dumps={given.dumps}", f"--stacks={stacks}"]
        subprocess.run(generate, check=True, stdout=subprocess.DEVNULL)
        files = named(f"{scratch}/dumps", program)
        environment = os.environ | {"XDG_CACHE_HOME": f"{scratch}/cache"}
        for file in files:
            opened(program, [file], environment)  # names are in the cache after this
        tops, servers = [], []
        for _ in range(given.runs):
            tops.append(opened(program, files, environment))
            servers.append(sent(program, files))
        n, (top, server) = len(files), (min(tops), min(servers))
        print(f"{n} dumps of {sum(file.stat().st_size for file in files) / n / 1e6:.2f} MB, best of {given.runs}")
        for name, (spent, wall) in ("heapview top", top), ("heapview serve", server[:2]):
            print(f"  {name + ':':<16} {1000 * spent / n:6.2f} ms of a core, {n / spent:7.1f} dumps a second and core; {n / wall:7.1f} a second")
        ratio = top[0] / server[0]
        print(f"  ratio {ratio:.1f} (aim {AIM}); peak of the server {server[2] / 2**20:.0f} MiB")
        return ratio >= AIM


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heapview")
    parser.add_argument("--dumps", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    program = str(Path(given.heapview).resolve())
    good = [compare(program, given, stacks) for stacks in (165, 1650)]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
