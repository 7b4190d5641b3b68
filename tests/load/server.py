#!/usr/bin/env python3
"""The server under load and attack: prints figures, and PASS or FAIL for each of its promises.

    python3 tests/load/server.py [PROGRAM] [--seconds 60] [--only load,names]

It starts PROGRAM (target/release/heapview by default) on a profile that it makes, always on loopback, and needs nothing but
Python. Memory is read from /proc: Linux only.

1. 200 connections ask for reports for some time while a dump is opened every second. Answers are 200, 429 or 503; a minute
   later the memory is back within 20 % (at least 30 MB).
2. The same with dumps of PROGRAM itself, so that thousands of addresses get names again and again.
3. 40 clients ask for large answers and do not read them. The memory stays bounded, they are dropped, others are answered.
4. 1100 sockets send one byte each, with 1024 files open at most. Others are answered all the time.
5. 275 different filters. A minute later the memory is back.
"""
import argparse
import asyncio
import itertools
import os
import random
import re
import resource
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse

REPORTS = ["top", "tree?n=20", "flame", "graph?n=80", "peek?peek=%5Ec1.%24", "summary", "traces?n=100", "top?f=b{}", "tree?f=c{}&n=10"]
MB = 1 << 20
failures = []


def check(what, holds, figures):
    print(f"{'PASS' if holds else 'FAIL'}  {what}: {figures}", flush=True)
    if not holds:
        failures.append(what)


def folded_dump(n):
    """A dump of one stack that is new."""
    return f"more.{n:04}.folded", f"main;a{n};new;alloc {n + 1}\n".encode()


class ProgramDumps:
    """Dumps with addresses all over a program's code: each has many that the others lack."""

    def __init__(self, program, n_addresses):
        self.path, self.n_addresses = os.path.realpath(program), n_addresses
        with open(self.path, "rb") as file:
            head = file.read(64)
            offset, = struct.unpack_from("<Q", head, 32)
            size, n = struct.unpack_from("<HH", head, 54)
            file.seek(offset)
            segments = [struct.unpack_from("<IIQQQQ", file.read(size)) for _ in range(n)]
        # Type, flags, offset, address, physical address, size in the file: the loaded segment with code.
        _, _, self.offset, self.address, _, self.size = next(s for s in segments if s[0] == 1 and s[1] & 1)

    def __call__(self, n):
        base = 0x555555554000
        places = random.Random(n)
        rows = ["heap profile: 1: 64 [ 1: 64] @ heapprofile"]
        for _ in range(self.n_addresses // 4):
            stack = " ".join(hex(base + self.address + places.randrange(16, self.size)) for _ in range(4))
            rows.append(f"1: 64 [ 1: 64] @ {stack}")
        start, offset = (base + self.address) & ~0xFFF, self.offset & ~0xFFF
        limit = (base + self.address + self.size + 0xFFF) & ~0xFFF
        rows += ["", "MAPPED_LIBRARIES:", f"{start:x}-{limit:x} r-xp {offset:08x} 08:01 1 {self.path}", ""]
        return f"more.{n:04}.heap", "\n".join(rows).encode()


class Server:
    def __init__(self, program, *profiles, files=20000):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, max(files, 1024)))
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

        self.process = subprocess.Popen(
            [program, "-http=localhost:0", "-no_browser", "-no_symbol_cache", *profiles], stderr=subprocess.PIPE, text=True, preexec_fn=limit
        )
        for line in self.process.stderr:
            found = re.search(r"http://\S+", line)
            if found:
                break
        url = urllib.parse.urlsplit(found.group())
        self.port, self.cookie = url.port, ""
        # Where the address has a token, it becomes a cookie.
        head = self.get(f"{url.path}?{url.query}")[1].split(b"\r\n\r\n")[0].decode()
        cookies = re.findall(r"(?i)set-cookie: ([^;\r]+)", head)
        self.cookie = f"Cookie: {'; '.join(cookies)}\r\n" if cookies else ""

    def request(self, path, more="Connection: close\r\n"):
        return f"GET {path} HTTP/1.1\r\nHost: localhost:{self.port}\r\n{self.cookie}{more}\r\n".encode()

    def get(self, path, timeout=60):
        """Status and bytes, or the error."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as s:
                s.sendall(self.request(path))
                answer = b"".join(iter(lambda: s.recv(1 << 20), b""))
        except OSError as error:
            return repr(error), b""
        return answer[9:12].decode(), answer

    def upload(self, name, body):
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as s:
            head = f"POST /api/v1/files?name={name} HTTP/1.1\r\nHost: localhost:{self.port}\r\n{self.cookie}X-Heapview: 1\r\n"
            s.sendall(f"{head}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
            return s.recv(4096)[9:12].decode()

    def memory(self, field="VmRSS"):
        """Bytes; 0 when the server is gone."""
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
                return int(re.search(field + r":\s+(\d+)", status.read()).group(1)) << 10
        except (OSError, AttributeError):
            return 0

    def warm(self):
        for report in REPORTS:
            self.get("/api/v1/" + report.format(1))
        time.sleep(45)
        return self.memory()

    def stop(self):
        self.process.kill()
        self.process.wait()


async def load(server, n_connections, seconds, dump):
    """Statuses of answers, and whether names were being found: of so many looks, at so many."""
    statuses, until, number = {}, time.monotonic() + seconds, itertools.count()
    looks = []

    async def client():
        reader = writer = None
        while time.monotonic() < until:
            status = "error"
            try:
                if writer is None:
                    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 26)
                n = next(number)
                writer.write(server.request("/api/v1/" + REPORTS[n % len(REPORTS)].format(n % 977), ""))
                head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 120)).decode()
                status = head[9:12]
                length = re.search(r"(?i)content-length: (\d+)", head)
                await reader.readexactly(int(length.group(1)))
            except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError, AttributeError):
                # An idle connection may be closed; one that waits for an answer may not.
                writer and writer.close()
                writer = None
            statuses[status] = statuses.get(status, 0) + 1

    async def open_dumps():
        for n in itertools.count(1):
            if time.monotonic() > until:
                return
            await asyncio.to_thread(server.upload, *dump(n))
            await asyncio.sleep(1)

    async def look():
        while time.monotonic() < until:
            answer = (await asyncio.to_thread(server.get, "/api/v1/meta"))[1]
            looks.append(b'"state":"working"' in answer)
            await asyncio.sleep(0.5)

    await asyncio.gather(open_dumps(), look(), *(client() for _ in range(n_connections)))
    return statuses, looks


def under_load(server, seconds, dump=folded_dump, what="dumps are opened", same_dumps=None):
    """`same_dumps(n)` starts a server that has the first n dumps from its beginning: what they take is no leak."""
    before = server.warm()
    statuses, looks = asyncio.run(load(server, 200, seconds, dump))
    after = server.memory()
    time.sleep(60)
    later = server.memory()
    figures = ", ".join(f"{n} x {status}" for status, n in sorted(statuses.items()))
    figures += f"; names were being found at {sum(looks)} of {len(looks)} looks"
    check(f"200 connections for {seconds} s while {what}", set(statuses) <= {"200", "429", "503"} and statuses.get("200", 0) > 0, figures)
    figures = f"{before // MB} MB before, {after // MB} MB after, {later // MB} MB a minute later"
    if same_dumps:
        n_dumps = server.get("/api/v1/meta")[1].count(b'"is_base"')
        fresh = same_dumps(n_dumps)
        before = fresh.warm()
        fresh.stop()
        figures += f"; a new server with the same {n_dumps} dumps has {before // MB} MB"
    bound = before + max(before // 5, 30 * MB)
    check(f"memory a minute after {what}", 0 < later < bound, figures)


def slow_readers(server):
    before, peak, slow = server.memory(), 0, []
    for n in range(40):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.connect(("127.0.0.1", server.port))
        s.sendall(server.request(f"/api/v1/{'traces?nodecount' if n % 2 else 'tree?trim=false&nodecount'}={10000 + n}", ""))
        slow.append(s)
    begin, answered = time.monotonic(), []
    while time.monotonic() - begin < 90:
        answered.append(server.get("/api/v1/top?n=5")[0])
        peak = max(peak, server.memory())
        time.sleep(2)
    n_dropped = 0
    for s in slow:
        s.setblocking(False)
        try:
            while s.recv(1 << 20):
                pass
            n_dropped += 1
        except BlockingIOError:
            pass
        except OSError:
            n_dropped += 1
        s.close()
    check("memory with 40 slow readers", 0 < peak < before + 700 * MB, f"{before // MB} MB before, {peak // MB} MB at most")
    check("slow readers are dropped", n_dropped == 40, f"{n_dropped} of 40 after 90 s")
    ok = answered.count("200")
    check("others are answered beside slow readers", ok > 0 and set(answered) <= {"200", "429", "503"}, f"{ok} of {len(answered)} with 200")


def idle_sockets(server):
    sockets, slowest, statuses = [], 0, []

    def ask():
        nonlocal slowest
        begin = time.monotonic()
        statuses.append(server.get("/api/v1/meta", 10)[0])
        slowest = max(slowest, time.monotonic() - begin)

    for n in range(1100):
        try:
            s = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            s.sendall(b"G")
            sockets.append(s)
        except OSError:
            pass
        if n % 100 == 99:
            ask()
    for _ in range(10):
        ask()
        time.sleep(1)
    ok = statuses.count("200")
    check("1100 sockets of one byte", ok == len(statuses), f"{ok} of {len(statuses)} others answered, in {slowest:.1f} s at most")
    for s in sockets:
        s.close()


def filters(server):
    before = server.warm()
    statuses = [server.get(f"/api/v1/tree?f=d{n}%7Cb{n}&n=10")[0] for n in range(275)]
    after = server.memory()
    time.sleep(60)
    later = server.memory()
    ok = statuses.count("200") + statuses.count("404")
    check("275 filters are answered", ok == 275, f"{ok} of 275")
    bound = before + max(before // 5, 30 * MB)
    check("memory after 275 filters", 0 < later < bound, f"{before // MB} MB before, {after // MB} MB after, {later // MB} MB a minute later")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default="target/release/heapview")
    parser.add_argument("--seconds", type=int, default=60, help="of load, default 60")
    parser.add_argument("--only", metavar="PARTS", help="load, names, slow-readers, filters, idle; divided by commas")
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "many.folded")
        with open(profile, "w", encoding="ascii") as out:
            out.writelines(f"main;a{i % 7};b{i % 91};c{i % 1009};d{i};alloc {i + 1}\n" for i in range(120_000))
        dumps = ProgramDumps(args.program, 4000)

        def program_dumps(n):
            """Paths of the first n dumps."""
            paths = [os.path.join(folder, dumps(number)[0]) for number in range(n)]
            for number, path in enumerate(paths):
                with open(path, "wb") as out:
                    out.write(dumps(number)[1])
            return paths

        first, = program_dumps(1)
        attacks = {
            "load": (profile, lambda s: under_load(s, args.seconds)),
            "names": (first, lambda s: under_load(s, args.seconds, dumps, "names are found", lambda n: Server(args.program, *program_dumps(n)))),
            "slow-readers": (profile, slow_readers),
            "filters": (profile, filters),
            "idle": (profile, idle_sockets),
        }
        for name, (file, attack) in attacks.items():
            if args.only and name not in args.only.split(","):
                continue
            server = Server(args.program, file, files=1024 if name == "idle" else 20000)
            attack(server)
            server.stop()
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
