#!/usr/bin/env python3
"""Lets the scraper of a team server take dumps of real programs, and looks at what opens.

    tests/store/scrape.py target/debug/heapview [--go GO]

harbour runs with jemalloc and with gperftools, pier is a Go service (left out without a Go compiler). Each must have a dump with names,
one more when its memory grew by a step, and a mark on the last one after it was killed.
"""

import argparse
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parents[2] / 'testdata' / 'programs'
LIBRARIES = Path('/usr/lib/x86_64-linux-gnu')


def ask(port, path, method='GET', body=None):
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
    try:
        connection.request(method, path, body, {'Accept': 'application/json'})
        answer = connection.getresponse()
        return answer.status, answer.read().decode('utf-8', 'replace')
    finally:
        connection.close()


def wait(what, test, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        found = test()
        if found:
            return found
        time.sleep(0.2)
    sys.exit(f'waited too long for {what}')


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('program')
    arguments.add_argument('--go', default=shutil.which('go'))
    arguments = arguments.parse_args()
    program = str(Path(arguments.program).resolve())
    children = []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        subprocess.run(['g++', '-O1', '-g', '-rdynamic', '-o', folder / 'harbour', PROGRAMS / 'cpp/harbour.cpp', '-ldl'], check=True)
        services = {
            'jemalloc': (18731, '/unload?50', 'harbour::stack_crates'),
            'gperftools': (18732, '/unload?50', 'harbour::stack_crates'),
        }
        commands = {
            'jemalloc': ({'LD_PRELOAD': LIBRARIES / 'libjemalloc.so.2', 'MALLOC_CONF': 'prof:true,lg_prof_sample:17'}, 'harbour'),
            'gperftools': ({'LD_PRELOAD': LIBRARIES / 'libtcmalloc_and_profiler.so.4'}, 'harbour'),
        }
        if arguments.go:
            environment = {'GOCACHE': str(folder / 'cache'), 'GO111MODULE': 'off'}
            build = [arguments.go, 'build', '-o', folder / 'pier', PROGRAMS / 'go/pier.go']
            subprocess.run(build, check=True, env={**os.environ, **environment})
            services['go'] = (18733, '/unload?50', 'main.stackCrates')
            commands['go'] = ({}, 'pier')
        config = f'store = "{folder}/store"\nhttp = "127.0.0.1:18730"\n'
        for kind, (port, _, _) in services.items():
            config += f'[[scrape]]\nname = "{kind}"\nkind = "{kind}"\ntargets = ["127.0.0.1:{port}"]\ninterval = "1h"\n'
            config += 'growth_step = "20MiB"\nprobe_interval = "1s"\nlabels = { version = "1" }\n'
            config += 'probe = "/metrics"\n' if kind != 'go' else ''
        (folder / 'serve.toml').write_text(config)
        try:
            processes = {}
            for kind, (environment, name) in commands.items():
                environment = {**os.environ, **{key: str(value) for key, value in environment.items()}}
                command = [folder / name, str(services[kind][0])]
                processes[kind] = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
                children.append(processes[kind])
            subprocess.run([program, 'serve', f'--config={folder}/serve.toml', '--check'], check=True)
            children.append(subprocess.Popen([program, 'serve', f'--config={folder}/serve.toml']))

            def dumps(kind):
                status, text = ask(18730, f'/api/v1/dumps?service={kind}')
                return json.loads(text) if status == 200 else []

            def target(kind):
                return next(row for row in json.loads(ask(18730, '/api/v1/targets')[1])['targets'] if row['job'] == kind)

            wait('the server', lambda: is_there(18730))
            # jemalloc's text has no names: the server has the binary.
            status, text = ask(18730, '/api/v1/binaries?service=jemalloc&version=1&name=harbour', 'PUT', (folder / 'harbour').read_bytes())
            assert status in (200, 201), text
            for kind, (port, unload, function) in services.items():
                first = wait(f'a dump of {kind}', lambda: dumps(kind))
                ask(port, unload)
                grown = wait(f'growth of {kind}', lambda: len(dumps(kind)) > len(first) and dumps(kind))
                reasons = [dump['labels']['scraped'] for dump in grown]
                link = target(kind)['link'].split('18730', 1)[1]
                top = wait(f'names of {kind}', lambda: names(link, function), 30)
                print(f'{kind}: {len(grown)} dumps ({", ".join(reversed(reasons))}), {link}\n{top}')
                processes[kind].send_signal(signal.SIGKILL)
                processes[kind].wait()
                wait(f'the mark of {kind}', lambda: target(kind)['last_before_exit'])
                print(f'{kind} was killed: {target(kind)["error"]}\n')
        finally:
            for child in children:
                child.kill()
                child.wait()


def is_there(port):
    try:
        return ask(port, '/healthz')[0] == 200
    except OSError:
        return False


def names(link, function):
    text = ask(18730, f'{link}api/v1/top.txt')[1]
    lines = [line for line in text.splitlines() if function in line]
    return '\n'.join(lines)


main()
