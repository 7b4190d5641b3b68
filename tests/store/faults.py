#!/usr/bin/env python3
"""Runs a team server on a bucket behind a proxy that fails: answers 412, 409, 503 and 500, slow and cut bodies, connections that are reset
before or after the bucket did what it was asked.

    tests/store/faults.py PROGRAM [--rate 0.1] [--seconds 20] [--servers 2]      built with --features cloud-store

Needs the bucket of tests/store/s3.py (AWS_ENDPOINT), which runs it. Clients send dumps, binaries, tokens, settings and pins until they are
answered; nothing may be lost or double, each answered link must open, and errors may only be 408 and 503 with Retry-After.
"""

import argparse
import collections
import http.client
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import socket
import socketserver
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from kill import Server  # noqa: E402

# Faults, and the methods that they make sense for.
FAULTS = {
    '412': {'PUT'}, '409': {'PUT'}, '503': {'GET', 'PUT', 'HEAD', 'DELETE', 'POST'}, '500': {'GET', 'PUT', 'HEAD'},
    'reset before': {'GET', 'PUT', 'HEAD', 'DELETE'}, 'reset after': {'PUT', 'DELETE'}, '503 after': {'PUT'},
    'cut': {'GET'}, 'slow': {'GET', 'PUT'},
}


class Proxy(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """Passes requests on to `endpoint`; a share `rate` of those whose path contains `keys` fail."""

    daemon_threads, request_queue_size = True, 200

    def __init__(self, endpoint, rate, keys='', faults=None):
        super().__init__(('127.0.0.1', 0), Handler)
        self.target, self.rate, self.keys, self.faults = urllib.parse.urlsplit(endpoint), rate, keys, faults or list(FAULTS)
        self.counts, self.random, self.is_away = collections.Counter(), random.Random(7), False

    def fault(self, method, path):
        if self.is_away:
            return 'reset before'
        if self.keys not in path or self.random.random() >= self.rate:
            return None
        fault = self.random.choice([fault for fault in self.faults if method in FAULTS[fault]] or [None])
        self.counts[fault] += 1
        return fault

    def handle_error(self, request, client_address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
        self.close_connection = True
        self.connection.close()

    def say(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers:
            if name.lower() not in ('connection', 'transfer-encoding', 'content-length', 'server', 'date'):
                self.send_header(name, value)
        # The length of what a HEAD is about is not that of its body.
        length = dict((name.lower(), value) for name, value in headers).get('content-length') if self.command == 'HEAD' else len(body)
        self.send_header('Content-Length', str(length or 0))
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(body)

    def answer(self):
        body = self.rfile.read(int(self.headers.get('content-length') or 0))
        fault = self.server.fault(self.command, self.path)
        if fault == 'reset before':
            return self.reset()
        if fault and fault.isdigit():
            code = {'412': 'PreconditionFailed', '409': 'ConditionalRequestConflict', '503': 'SlowDown', '500': 'InternalError'}[fault]
            return self.say(int(fault), f'<Error><Code>{code}</Code><Message>injected</Message></Error>'.encode())
        connection = http.client.HTTPConnection(self.server.target.hostname, self.server.target.port, timeout=60)
        try:
            connection.request(self.command, self.path, body, dict(self.headers))
            answer = connection.getresponse()
            status, headers, content = answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()
        if fault == 'reset after':
            return self.reset()
        if fault == '503 after':
            return self.say(503, b'<Error><Code>SlowDown</Code></Error>')
        if fault == 'slow':
            time.sleep(2)
        if fault == 'cut' and len(content) > 1:
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content[:len(content) // 2])
            return self.reset()
        self.say(status, content, headers)

    do_GET = do_PUT = do_HEAD = do_DELETE = do_POST = answer


class Clients:
    """Sends until there is an answer; notes answers that are none of those a client may get."""

    def __init__(self, servers, until):
        self.servers, self.until, self.wrong, self.retries = servers, until, [], 0

    def ask(self, method, path, body=None, headers=None):
        while time.time() < self.until:
            try:
                status, answer, fields = random.choice(self.servers).ask_all(method, path, body, headers)
            except (OSError, http.client.HTTPException):
                self.retries += 1
                time.sleep(0.2)
                continue
            if status not in (408, 503):
                if status >= 400:
                    self.wrong.append(f'{method} {path}: {status} {answer[:200]}')
                return status, answer
            if status == 503 and 'retry-after' not in fields:
                self.wrong.append(f'{method} {path}: 503 without Retry-After')
            self.retries += 1
            time.sleep(0.3)
        self.wrong.append(f'{method} {path}: no answer in time')
        return 0, b''


def dump(n):
    return f'# inuse_space bytes\nmain;work_{n} {n + 1000}\nmain;rest 1\n'.encode()


def store(program, place, *words, **options):
    """A command of the store, repeated while the store is away."""
    for _ in range(40):
        ran = subprocess.run([program, 'store', *words, f'--store={place}'], capture_output=True, text=True, **options)
        if ran.returncode == 0 or 'does not answer' not in ran.stderr:
            return ran
        time.sleep(0.3)
    return ran


def binary(build_id):
    """A small ELF file with a build id: a header, a section of notes, and the names of sections."""
    names = b'\0.note.gnu.build-id\0.shstrtab\0'
    note = struct.pack('<III4s', 4, len(build_id), 3, b'GNU\0') + build_id
    at_note, at_names = 64, 64 + len(note)
    at_sections = at_names + len(names) + (-(at_names + len(names)) % 8)
    header = b'\x7fELF\x02\x01\x01' + bytes(9) + struct.pack('<HHIQQQIHHHHHH', 3, 62, 1, 0, 0, at_sections, 0, 64, 0, 0, 64, 3, 2)

    def section(name, kind, flags, at, size, align):
        return struct.pack('<IIQQQQIIQQ', name, kind, flags, at if flags else 0, at, size, 0, 0, align, 0)
    sections = bytes(64) + section(1, 7, 2, at_note, len(note), 4) + section(20, 3, 0, at_names, len(names), 1)
    return (header + note + names).ljust(at_sections, b'\0') + sections


def check(program, place, servers, seconds, rate):
    clients = Clients(servers, time.time() + seconds + 120)
    links, binaries, lock, threads = {}, [], threading.Lock(), []

    def send(n):
        # The same bytes to several servers, some at once.
        status, answer = clients.ask('PUT', f'/api/v1/dumps?service=load&version=1&pid={n % 7}', dump(n), {'Accept': 'application/json'})
        if status in (200, 201):
            link = json.loads(answer)['link'].split('/d/')[1]
            with lock:
                if links.setdefault(n, link) != link:
                    clients.wrong.append(f'dump {n} has two links')
            # Any server opens it at once.
            opened, text = clients.ask('GET', f'/d/{link}api/v1/top.txt')
            if opened == 200 and f'work_{n}'.encode() not in text:
                clients.wrong.append(f'{link} opens another dump')

    def send_binary(n):
        status, answer = clients.ask('PUT', f'/api/v1/binaries?service=load&version={n}&name=load', binary(struct.pack('>QI', n, 7) * 2))
        if status in (200, 201):
            binaries.append((answer.decode().strip(), n))

    start, n = time.time(), 0
    while time.time() - start < seconds:
        jobs = [(send, n)] * (2 if n % 10 == 0 else 1) + ([(send_binary, n)] if n % 20 == 0 else [])
        for job, at in jobs:
            thread = threading.Thread(target=job, args=(at,))
            thread.start()
            threads.append(thread)
        n += 1
        time.sleep(max(0, start + n / rate - time.time()))
    for thread in threads:
        thread.join()
    wrong = clients.wrong
    for build_id, n_of in binaries:
        # It has no code, so it is a debug file.
        status, content = clients.ask('GET', f'/buildid/{build_id}/debuginfo')
        if content != binary(struct.pack('>QI', n_of, 7) * 2):
            wrong.append(f'binary {build_id} is not what was sent ({status})')
    # Commands that change documents, several at once.
    tokens = [subprocess.Popen([program, 'store', 'token', 'add', f'ci{k}', 'push', 'load', f'--store={place}-documents'], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True) for k in range(4)]
    made = {f'ci{k}' for k, child in enumerate(tokens) if child.communicate()[0].startswith('hv_')}
    if not made:
        wrong.append('no token was made')
    place += '-documents'
    listed = store(program, place, 'token', 'list').stdout
    wrong += [f'token {name} was made and is not listed' for name in made if name not in listed]
    for setting in ('keep_days=30', 'most_labels=9'):
        ran = store(program, place, 'set', setting)
        if ran.returncode:
            wrong.append(f'set {setting}: {ran.stderr.strip()}')
    settings = store(program, place, 'settings').stdout
    wrong += [f'{name} is not set' for name, value in (('keep_days', '30'), ('most_labels', '9')) if not re.search(rf'{name}\W+{value}\b', settings)]
    return clients, links, n


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--store', default='s3://heapview-tests/faults')
    parser.add_argument('--rate', type=float, default=0.1, help='share of requests that fail')
    parser.add_argument('--uploads', type=float, default=10, help='a second')
    parser.add_argument('--seconds', type=float, default=20)
    parser.add_argument('--servers', type=int, default=2)
    given = parser.parse_args()
    proxy = Proxy(os.environ['AWS_ENDPOINT'], 0)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    plain = dict(os.environ)
    os.environ['AWS_ENDPOINT'] = f'http://127.0.0.1:{proxy.server_address[1]}'
    scratch = tempfile.mkdtemp(prefix='heapview-faults-')
    servers = [Server(given.program, given.store, port) for port in random.sample(range(20000, 30000), given.servers)]
    try:
        for server in servers:
            server.start()
            server.wait()
        proxy.rate = given.rate
        clients, links, n = check(given.program, given.store, servers, given.seconds, given.uploads)
        proxy.rate = 0
        wrong = clients.wrong
        # Store away: uploads say so, opened dumps go on, and all comes back by itself.
        link = next(iter(links.values()))
        clients.ask('GET', f'/d/{link}api/v1/top.txt')
        opened = [server for server in servers if server.ask('GET', f'/d/{link}api/v1/top.txt')[0] == 200]
        proxy.is_away = True
        began = time.time()
        status, _, fields = servers[0].ask_all('PUT', '/api/v1/dumps?service=load', dump(10 ** 6), timeout=60)
        took = time.time() - began
        if status != 503 or 'retry-after' not in fields:
            wrong.append(f'store away: {status} {fields}')
        wrong += ['store away: an open dump does not answer' for server in opened
                  if server.ask('GET', f'/d/{link}api/v1/top.txt?n=3')[0] != 200]
        proxy.is_away = False
        if clients.ask('PUT', '/api/v1/dumps?service=load', dump(10 ** 6))[0] not in (200, 201):
            wrong.append('the store came back, and uploads did not')
        for server in servers:
            server.kill()
        os.environ.update(plain)
        last = servers[0]
        last.command[2] = f'--store={given.store}'
        last.start()
        last.wait()
        listed = json.loads(last.ask('GET', '/api/v1/dumps?service=load&limit=10000')[1])
        found = [one['link'].split('/d/')[1] for one in listed]
        lost = [k for k, link in links.items() if link not in found]
        double = len(found) - len(set(found))
        last.kill()
        verified = store(given.program, given.store, 'verify')
        counts = ', '.join(f'{count} {fault}' for fault, count in sorted(proxy.counts.items()))
        print(f'{n} dumps in {given.seconds:.0f} s with faults ({counts}), {clients.retries} retries: {len(links)} answered, {len(lost)} lost, '
              f'{double} double; away: 503 after {took:.1f} s; verify: {verified.stdout.strip().splitlines()[-1:]}')
        for line in wrong[:20]:
            print('wrong:', line)
        sys.exit(0 if not wrong and not lost and not double and len(links) == n and verified.returncode == 0 else 1)
    finally:
        for server in servers:
            if server.child and server.child.poll() is None:
                server.kill()
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == '__main__':
    main()
