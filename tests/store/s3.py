#!/usr/bin/env python3
"""Runs the tests of the store, the kill test, faults and troubles on a bucket: moto's S3 server, in which conditional writes are atomic.

    tests/store/s3.py [--seconds 20] PROGRAM       built with --features cloud-store

Says so and succeeds where moto cannot be installed (PyPI is out of reach).
"""

import argparse
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def moto():
    """Python with moto, in target/; None: it cannot be installed."""
    python = ROOT / 'target/moto/bin/python'
    if not python.exists():
        made = subprocess.run([sys.executable, '-m', 'venv', str(python.parent.parent)], capture_output=True)
        if made.returncode:
            return None
    known = subprocess.run([str(python), '-c', 'import moto.server'], capture_output=True)
    if known.returncode:
        installed = subprocess.run([str(python), '-m', 'pip', 'install', '--quiet', 'moto[server]~=5.2'], capture_output=True)
        if installed.returncode:
            return None
    return python


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--seconds', default='20')
    given = parser.parse_args()
    python = moto()
    if python is None:
        print('skipped: moto (PyPI) cannot be installed, so nothing was tested on a bucket')
        return 0
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
    endpoint = f'http://127.0.0.1:{port}'
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen([str(python), '-m', 'moto.server', '-H', '127.0.0.1', '-p', str(port)], stdout=log, stderr=log)
        try:
            for _ in range(300):
                try:
                    urllib.request.urlopen(urllib.request.Request(f'{endpoint}/heapview-tests', method='PUT'))
                    break
                except (urllib.error.URLError, OSError):
                    time.sleep(0.1)
            else:
                print('skipped: moto does not start')
                return 0
            environment = os.environ | {
                'AWS_ENDPOINT': endpoint, 'AWS_ALLOW_HTTP': 'true', 'AWS_ACCESS_KEY_ID': 'testing', 'AWS_SECRET_ACCESS_KEY': 'testing',
                'AWS_REGION': 'us-east-1', 'HEAPVIEW_TEST_STORE': 's3://heapview-tests'}
            tests = ['cargo', 'test', '--quiet', '--features', 'cloud-store', '--target-dir', 'target/cloud', '--test', 'it', 'store::']
            failed = subprocess.run(tests, cwd=ROOT, env=environment).returncode
            kill = [sys.executable, str(HERE / 'kill.py'), given.program, '--store=s3://heapview-tests/kill', f'--seconds={given.seconds}']
            others = [[sys.executable, str(HERE / 'faults.py'), given.program, f'--seconds={given.seconds}'],
                      [sys.executable, str(HERE / 'troubles.py'), given.program, '--store=s3://heapview-tests/troubles']]
            return failed or max(subprocess.run(words, env=environment).returncode for words in [kill, *others])
        finally:
            server.terminate()
            server.wait()


if __name__ == '__main__':
    sys.exit(main())
