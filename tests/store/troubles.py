#!/usr/bin/env python3
"""Two servers of one store in trouble: the same change at both at once, a clock an hour ahead, a store that is away, a full disk.

    tests/store/troubles.py PROGRAM [--store PLACE] [--away 5]

`--store` is for the first part only (tests/store/s3.py gives a bucket; tests/store/faults.py takes one away). The clock needs Debian's
package faketime and the full disk the right to mount a small file system; what is missing is skipped, and said.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from faults import dump  # noqa: E402
from kill import Server  # noqa: E402

AT_ONCE = concurrent.futures.ThreadPoolExecutor(16)


def fail(text):
    sys.exit(f'wrong: {text}')


def command(program, place, *words):
    return subprocess.run([program, 'store', *words, f'--store={place}'], capture_output=True, text=True)


def pair(program, place, environments=(None, None)):
    servers = [Server(program, place, port) for port in random.sample(range(20000, 30000), 2)]
    for server, environment in zip(servers, environments):
        server.environment = environment
        server.start()
    for server in servers:
        server.wait()
    return servers


def stop(servers):
    for server in servers:
        server.kill()


def upload(server, n, more=''):
    return server.ask_all('PUT', f'/api/v1/dumps?service=forest{more}', dump(n), {'Accept': 'application/json'})


def listed(server):
    return json.loads(server.ask('GET', '/api/v1/dumps?service=forest&limit=10000')[1])


def same_at_once(program, place):
    """Dumps, pins, settings and tokens, from both sides at the same time."""
    servers = pair(program, place)
    links = []
    for n in range(30):
        answers = [json.loads(answer[1]) for answer in AT_ONCE.map(lambda server: upload(server, n), servers * 2)]
        if len({answer['link'].split('/d/')[1] for answer in answers}) != 1:
            fail(f'dump {n} has several links')
        links.append(answers[0]['id'])
    time.sleep(3)
    for server in servers:
        found = [one['link'].rstrip('/').rsplit('/', 1)[1] for one in listed(server)]
        if sorted(found) != sorted(links):
            fail(f'{len(links)} dumps were sent and {len(found)} are listed')
    stop(servers)
    done = list(AT_ONCE.map(lambda n: command(program, place, 'pin', links[n % 3]), range(9)))
    done += AT_ONCE.map(lambda n: command(program, place, 'set', f'keep_days.s{n}={n + 1}'), range(8))
    done += AT_ONCE.map(lambda n: command(program, place, 'token', 'add', f't{n % 4}', 'view'), range(8))
    made = sum(child.returncode == 0 for child in done[17:])
    if any(child.returncode for child in done[:17]) or made != 4:
        fail(f'{made} of 4 tokens were made; ' + ' '.join(child.stderr for child in done if child.returncode))
    settings, tokens = command(program, place, 'settings').stdout, command(program, place, 'token', 'list').stdout
    if not all(re.search(rf's{n}\W+{n + 1}\b', settings) for n in range(8)) or not all(f't{n}' in tokens for n in range(4)):
        fail(f'a change is missing: {settings} {tokens}')
    for n in range(4):
        command(program, place, 'token', 'remove', f't{n}')
    if command(program, place, 'verify').returncode:
        fail('verify finds damage')
    print('same change at both at once: 30 dumps, 9 pins, 8 settings, 4 of 8 tokens: nothing lost, nothing double')


def skewed(program, place):
    libraries = list(pathlib.Path('/usr/lib').glob('*/faketime/libfaketimeMT.so.1'))
    if not libraries:
        return print('skipped: a clock an hour ahead takes faketime')
    ahead = os.environ | {'LD_PRELOAD': str(libraries[0]), 'FAKETIME': '+1h', 'FAKETIME_DONT_FAKE_MONOTONIC': '1'}
    servers = pair(program, place, (None, ahead))
    ids = [json.loads(upload(server, n)[1])['id'] for n in range(10) for server in servers[n % 2:] + servers[:n % 2]]
    new = [json.loads(upload(servers[n % 2], 100 + n)[1])['id'] for n in range(10)]
    for link in set(ids + new):
        for server in servers:
            if server.ask('GET', f'/d/{link}/api/v1/top.txt')[0] != 200:
                fail(f'{link} does not open')
    time.sleep(3)
    counts = [len(listed(server)) for server in servers]
    if counts != [20, 20]:
        fail(f'20 dumps were sent and {counts} are listed')
    flagged = json.loads(upload(servers[0], 200, f'&time={int(time.time()) + 3600}')[1])
    if not flagged.get('was_in_future') or flagged['time'] > (time.time() + 60) * 1000:
        fail(f'a time in the future is not replaced: {flagged}')
    stop(servers)
    print('a clock an hour ahead: both servers list and open all; a time in the future is replaced and flagged')


def away(program, place, seconds):
    servers = pair(program, place)
    first = json.loads(upload(servers[0], 1)[1])['id']
    opened = [server.ask('GET', f'/d/{first}/api/v1/top.txt')[0] for server in servers]
    os.rename(place, f'{place}-away')
    until, refused = time.time() + seconds, 0
    while time.time() < until:
        for server in servers:
            status, text, fields = upload(server, 2)
            if status != 503 or 'retry-after' not in fields:
                fail(f'store away: {status} {text}')
            refused += 1
            opened.append(server.ask('GET', f'/d/{first}/api/v1/top.txt?n=3')[0])
        time.sleep(0.3)
    health = [server.ask('GET', '/healthz')[0] for server in servers]
    os.rename(f'{place}-away', place)
    came = [upload(server, 2)[0] for server in servers]
    if set(opened) != {200} or set(health) != {503} or came not in ([201, 200], [201, 201], [200, 201]):
        fail(f'store away: views {set(opened)}, health {health}, uploads after it {came}')
    time.sleep(3)
    if [server.ask('GET', '/healthz')[0] for server in servers] != [200, 200]:
        fail('a server is not well again')
    stop(servers)
    print(f'store away for {seconds:.0f} s: {refused} uploads were answered 503 with Retry-After, open dumps went on, no restart')


def full(program, place):
    os.makedirs(place)
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', place], capture_output=True).returncode:
        return print('skipped: a full disk takes the right to mount one')
    try:
        servers = pair(program, place)
        first = json.loads(upload(servers[0], 1)[1])['id']
        filler = os.path.join(place, 'filler')
        descriptor = os.open(filler, os.O_CREAT | os.O_WRONLY)
        try:
            while True:
                os.write(descriptor, bytes(4096))
        except OSError:
            os.close(descriptor)
        statuses = set()
        for n in range(2, 12):
            status, text, fields = upload(servers[n % 2], n)
            statuses.add(status)
            if status != 503 or 'retry-after' not in fields or b'space' not in text:
                fail(f'full disk: {status} {text}')
        binary = servers[0].ask_all('PUT', '/api/v1/binaries', b'\x7fELF' + bytes(100_000))
        if binary[0] != 503 or any(server.ask('GET', f'/d/{first}/api/v1/top.txt')[0] != 200 for server in servers):
            fail(f'full disk: binary {binary}, or an open dump does not answer')
        os.remove(filler)
        if any(upload(server, n)[0] != 201 for n, server in enumerate(servers, 2)):
            fail('there is room again, and uploads are refused')
        stop(servers)
        verified = command(program, place, 'verify')
        left = os.listdir(os.path.join(place, '.spool'))
        if verified.returncode or left:
            fail(f'after a full disk: {verified.stdout} {left}')
        print('full disk: 10 uploads and a binary were answered 503 with Retry-After, nothing was stored half, then all went on')
    finally:
        subprocess.run(['umount', '-l', place])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--store')
    parser.add_argument('--away', type=float, default=5)
    given = parser.parse_args()
    scratch = tempfile.mkdtemp(prefix='heapview-troubles-')
    try:
        same_at_once(given.program, given.store or f'{scratch}/same')
        if not given.store:
            skewed(given.program, f'{scratch}/skewed')
            away(given.program, f'{scratch}/away', given.away)
            full(given.program, f'{scratch}/full')
    finally:
        for server in Server.all:
            if server.child and server.child.poll() is None:
                server.kill()
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == '__main__':
    main()
