#!/usr/bin/env python3
"""Loads a team server: uploads of 1 MB at a fixed rate, and viewers who open dumps; shows its memory and how long answers take.

    load.py HEAPVIEW [--seconds 60] [--rate 50] [--viewers 200] [--pause 4] [--memory 512M]

The dumps are those of gen_series.py with addresses in HEAPVIEW, whose binary is in the store before them; each upload differs in a count.
A viewer opens a dump (nine of ten times one of the twenty that came first, else one of the latest), asks for its page, its table and its
flame graph, pauses, and starts again. Answers count from the request to the last byte, at this machine, which also runs the clients.
"""

import argparse
import asyncio
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ingest import HERE, Server, named

VIEWS = ("", "api/v1/top?n=100", "api/v1/flame")


class Client:
    """A connection that stays open."""

    def __init__(self, port):
        self.port, self.streams = port, None

    async def ask(self, method, path, body=()):
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
        reader, writer = self.streams
        try:
            encoding = "Accept-Encoding: gzip\r\n" if method == "GET" else ""
            writer.write(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Length: {sum(map(len, body))}\r\n{encoding}\r\n".encode())
            for part in body:
                writer.write(part)
            await writer.drain()
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            status, fields = int(head.split(" ", 2)[1]), dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
            if "content-length" in fields:
                return status, await reader.readexactly(int(fields["content-length"]))
            parts = []
            while "chunked" in fields.get("transfer-encoding", ""):
                size = int((await reader.readline()).strip(), 16)
                parts.append(await reader.readexactly(size))
                await reader.readline()
                if size == 0:
                    break
            return status, b"".join(parts)
        except (OSError, asyncio.IncompleteReadError):
            self.close()
            return 0, b""

    def close(self):
        if self.streams:
            self.streams[1].close()
        self.streams = None


def shown(name, times, wrong):
    times.sort()
    if not times:
        return print(f"{name}: none")
    at = lambda share: 1000 * times[min(len(times) - 1, int(share * len(times)))]  # noqa: E731
    print(f"{name}: {len(times)}, p50 {at(0.5):.0f} ms, p99 {at(0.99):.0f} ms, longest {1000 * times[-1]:.0f} ms; other statuses: {wrong or 'none'}")


async def run(given, server, contents):
    uploads, views, links, wrong = [], [], [], {}
    until, idle = time.monotonic() + given.seconds, []

    def note(times, began, status):
        if status in (200, 201):
            times.append(time.monotonic() - began)
        else:
            wrong[status] = wrong.get(status, 0) + 1

    async def upload(n):
        client = idle.pop() if idle else Client(server.port)
        head, rest = contents[n % len(contents)]
        # One stack more: other bytes.
        body = [head, f"{n + 1:6}: {(n + 1) * 16:8} [{n + 1:6}: {(n + 1) * 16:8}] @ 0x55d0c0001010\n".encode(), rest]
        began = time.monotonic()
        status, answer = await client.ask("PUT", f"/api/v1/dumps?service=load&version=1&pid={n % 50}", body)
        note(uploads, began, status)
        if status in (200, 201):
            links.append(answer.decode().split("/d/")[1].split("/")[0])
        idle.append(client)

    async def viewer(n):
        client, rng = Client(server.port), random.Random(n)
        await asyncio.sleep(1 + rng.random() * given.pause)
        while time.monotonic() < until and links:
            link = rng.choice(links[:20] if rng.random() < 0.9 else links[-200:])
            for view in VIEWS:
                began = time.monotonic()
                status, _ = await client.ask("GET", f"/d/{link}/{view}")
                note(views, began, status)
            await asyncio.sleep(given.pause * (0.5 + rng.random()))
        client.close()

    async def watch():
        peak = 0
        while time.monotonic() < until:
            peak = max(peak, server.memory()[0])
            await asyncio.sleep(1)
        return peak

    viewers = [asyncio.create_task(viewer(n)) for n in range(given.viewers)]
    watching, sending, n, started = asyncio.create_task(watch()), [], 0, time.monotonic()
    spent = server.seconds()
    while time.monotonic() < until:
        sending.append(asyncio.create_task(upload(n)))
        n += 1
        await asyncio.sleep(max(0, started + n / given.rate - time.monotonic()))
    await asyncio.gather(*sending, *viewers)
    wall = time.monotonic() - started
    print(f"{len(uploads) / wall:.1f} uploads and {len(views) / wall:.1f} views a second for {wall:.0f} s; the server used "
          f"{(server.seconds() - spent) / wall:.2f} cores")
    shown("uploads", uploads, wrong)
    shown("views", views, wrong)
    await asyncio.sleep(3)
    print(f"memory: peak {server.memory()[1] / 2**20:.0f} MiB, under load {await watching / 2**20:.0f} MiB, 3 s later {server.memory()[0] / 2**20:.0f} MiB")
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heapview")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=50, help="uploads a second")
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--pause", type=float, default=4, help="seconds between a viewer's dumps")
    parser.add_argument("--memory", default="512M", help="of open profiles, see heapview serve")
    given = parser.parse_args()
    program = str(Path(given.heapview).resolve())
    with tempfile.TemporaryDirectory(prefix="heapview-load-") as scratch:
        generate = [sys.executable, str(HERE / "gen_series.py"), f"{scratch}/dumps", "--dumps=20"]
        subprocess.run(generate, check=True, stdout=subprocess.DEVNULL)
        contents = [(text[:text.index(b"\n") + 1], memoryview(text)[text.index(b"\n") + 1:])
                    for text in (file.read_bytes() for file in named(f"{scratch}/dumps", program))]
        server = Server(program, f"{scratch}/store", f"--memory={given.memory}")
        try:
            send = ["curl", "-sS", "-T", program, f"http://127.0.0.1:{server.port}/api/v1/binaries?service=load&version=1&name=heapview"]
            subprocess.run(send, check=True, stdout=subprocess.DEVNULL)
            good = asyncio.run(run(given, server, contents))
        finally:
            server.stop()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
