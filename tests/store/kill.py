#!/usr/bin/env python3
"""Kills servers of one store while dumps are sent to them, and looks for what is lost or double.

    tests/store/kill.py target/debug/heapview [--store PLACE] [--seconds 30] [--rate 20] [--every 5] [--servers 2]

Clients send each dump until it is answered, as `curl --retry` does, to any server. Every answered link must open, each dump must be
listed once, and `heapview store verify` must find nothing missing.
"""

import argparse
import http.client
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time


# A list has at most 10,000 dumps.
SERVICES = 4


class Server:
    """A server that is killed and started again."""

    all = []

    def __init__(self, program, store, port):
        self.all.append(self)
        self.environment = None
        self.command = [program, 'serve', f'--store={store}', f'--http=127.0.0.1:{port}']
        self.port, self.child, self.kills = port, None, 0

    def start(self):
        self.child = subprocess.Popen(self.command, stderr=subprocess.DEVNULL, env=self.environment)

    def kill(self):
        self.child.send_signal(signal.SIGKILL)
        self.child.wait()
        self.kills += 1

    def wait(self):
        """Until it answers."""
        for _ in range(300):
            try:
                if self.ask('GET', '/healthz')[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        sys.exit(f'the server on port {self.port} does not answer')

    def ask(self, method, path, body=None, headers=None):
        return self.ask_all(method, path, body, headers)[:2]

    def ask_all(self, method, path, body=None, headers=None, timeout=60):
        """Status, body, and fields with small names."""
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        finally:
            connection.close()


def opens(servers, link, unopened, until):
    while time.time() < until:
        try:
            status = random.choice(servers).ask('GET', f'/d/{link}api/v1/top.txt')[0]
        except (OSError, http.client.HTTPException):
            status = 503
        if status != 503:
            if status != 200:
                unopened.append((link, status))
            return
        time.sleep(0.2)


def send(servers, n, answered, retries, unopened, until):
    body = f'# inuse_space bytes\nmain;work_{n} {n + 1000}\nmain;rest 1\n'.encode()
    while time.time() < until:
        try:
            status, answer = random.choice(servers).ask(
                'PUT', f'/api/v1/dumps?service=load{n % SERVICES}&version=1&pid={n % 7}', body, {'Accept': 'application/json'})
        except (OSError, http.client.HTTPException):
            retries.append(n)
            time.sleep(0.05 + random.random() / 4)
            continue
        if status in (200, 201):
            answered[n] = json.loads(answer)['link']
            # Any server opens it at once.
            if n % 10 == 0:
                opens(servers, answered[n].split('/d/')[1], unopened, until)
            return
        if status != 503:
            sys.exit(f'upload {n}: {status} {answer.decode(errors="replace")}')
        retries.append(n)
        time.sleep(0.2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--store')
    parser.add_argument('--seconds', type=float, default=30)
    parser.add_argument('--rate', type=float, default=20)
    parser.add_argument('--every', type=float, default=5)
    parser.add_argument('--servers', type=int, default=2)
    given = parser.parse_args()
    scratch = tempfile.mkdtemp(prefix='heapview-kill-')
    store = given.store or os.path.join(scratch, 'store')
    ports = random.sample(range(20000, 30000), given.servers)
    servers = [Server(given.program, store, port) for port in ports]
    try:
        for server in servers:
            server.start()
        answered, retries, unopened, threads = {}, [], [], []
        start, n, next_kill = time.time(), 0, given.every
        give_up = start + given.seconds + 120
        while (now := time.time() - start) < given.seconds:
            if now >= next_kill:
                next_kill += given.every
                victim = random.choice(servers)
                victim.kill()
                victim.start()
            thread = threading.Thread(target=send, args=(servers, n, answered, retries, unopened, give_up))
            thread.start()
            threads.append(thread)
            n += 1
            time.sleep(max(0, start + n / given.rate - time.time()))
        for thread in threads:
            thread.join()
        kills = sum(server.kills for server in servers)
        # One more server reads it all from the beginning.
        for server in servers:
            server.kill()
        last = servers[0]
        last.start()
        last.wait()
        listed = [dump for k in range(SERVICES) for dump in json.loads(last.ask('GET', f'/api/v1/dumps?service=load{k}&limit=10000')[1])]
        links = [dump['link'].split('/d/')[1] for dump in listed]
        lost = [k for k, link in answered.items() if link.split('/d/')[1] not in links]
        double = len(links) - len(set(links))
        opened = sum(last.ask('GET', f'/d/{link}api/v1/top.txt')[0] == 200 for link in links)
        last.kill()
        verified = subprocess.run([given.program, 'store', 'verify', f'--store={store}'], capture_output=True, text=True)
        print(f'{n} dumps in {given.seconds:.0f} s, {kills} kills, {len(retries)} retries: {len(answered)} answered, '
              f'{len(lost)} lost, {double} double, {opened} of {len(links)} links opened, {len(unopened)} not at once {unopened[:3]}')
        print('verify:', verified.stdout.strip().splitlines()[-1], verified.stderr.strip())
        good = len(answered) == n and not unopened and not lost and not double and opened == len(links) and verified.returncode == 0
        sys.exit(0 if good else 1)
    finally:
        for server in servers:
            if server.child and server.child.poll() is None:
                server.kill()
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == '__main__':
    main()
