"""What the scripts that run heapview beside other viewers of recordings share."""

import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
HEAPVIEW = os.path.join(os.path.dirname(HERE), "target/release/heapview")


def run(words):
    """(seconds, peak resident bytes, standard output). The peak is what the kernel counted for that process."""
    with tempfile.TemporaryFile() as out:
        started = time.monotonic()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit("%s failed" % " ".join(words))
        out.seek(0)
        return seconds, usage.ru_maxrss * 1024, out.read().decode("utf-8", "replace")


def generated(name, write):
    """The file of this name in BENCH_DIR. `write`: makes it at a path, if it is not there."""
    folder = os.environ.get("BENCH_DIR", "/tmp/heapview-bench")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        # Its ending says whether it is packed.
        part = os.path.join(folder, "part-" + name)
        write(part)
        os.rename(part, path)
    return path


def generator(script, *options):
    """Writes a file by a script of this folder."""
    return lambda path: subprocess.run([sys.executable, os.path.join(HERE, script), path, *options], check=True)
