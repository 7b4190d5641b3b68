#!/usr/bin/env python3
"""Runs pprof and jeprof beside heapview on testdata/ and compares what they print.

    tests/oracle/compare.py [options] [WORD...]    only cases that contain every WORD

  --heapview FILE   the program, default target/debug/heapview or target/release/heapview, the newer
  -v                name every case
  -n N              lines shown of each difference (4)
  --list            list the cases and leave

PPROF names a pprof; without it, Debian's is built once from golang-github-google-pprof-dev, as
benches/compare.sh does.  JEPROF names a jeprof.  Nothing is installed: a tool that is not there
is said to be skipped.  Cases stand in cases.txt and jeprof.txt, a line each; what differs on
purpose stands in intended.py, by name.  Exit status 0: all the same but what is intended, and
all that is intended did differ.  Standard library only.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import intended  # noqa: E402
import jeprof    # noqa: E402
import profile_proto  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(HERE))
TESTDATA = os.path.join(ROOT, "testdata")
# Reports that are files for other programs.
PROTO = ("-proto", "-topproto")


class Case:
    def __init__(self, report, options, name, files, line):
        self.report, self.options, self.files, self.line = report, options, files, line
        self.id = " ".join([report] + options + [name])

    def words(self):
        return [self.report] + self.options + self.files


def columns(line):
    return re.split(r"\s{2,}", line.strip())


def read_cases(path, place):
    """(inputs made first, cases): see the head of cases.txt."""
    inputs, made, cases = {}, [], []
    for number, line in enumerate(open(path), 1):
        line = line.rstrip("\n")
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("input "):
            name, words = line[len("input "):].split(" = ")
            inputs[name.strip()] = [place(w) for w in words.split()]
            continue
        if line.startswith("made "):
            name, words = line[len("made "):].split(" = ")
            file = place("made:" + name.strip() + ".pb.gz")
            made.append((file, [place(w) for w in words.split()]))
            inputs[name.strip()] = [file]
            continue
        parts = columns(line)
        if len(parts) != 3:
            sys.exit("%s:%d: want three columns, two blanks between them: %s" % (path, number, line))
        options = [] if parts[1] == "-" else [place(w).replace("%20", " ") for w in parts[1].split()]
        for report in parts[0].split():
            for name in parts[2].split():
                if name not in inputs:
                    sys.exit("%s:%d: no input is called %s" % (path, number, name))
                cases.append(Case(report if report.startswith("-") else "-" + report, options, name, inputs[name], number))
    seen = set()
    for case in cases:
        if case.id in seen:
            sys.exit("%s:%d: twice: %s" % (path, case.line, case.id))
        seen.add(case.id)
    return made, cases


def find_pprof():
    """A pprof, built from Debian's package if need be; None when there is none."""
    if os.environ.get("PPROF"):
        return os.environ["PPROF"]
    pprof = os.path.join(os.environ.get("BENCH_DIR", "/tmp/heapview-bench"), "pprof")
    if os.access(pprof, os.X_OK):
        return pprof
    if not shutil.which("go") or not os.path.isdir("/usr/share/gocode/src/github.com/google/pprof"):
        return None
    os.makedirs(os.path.dirname(pprof), exist_ok=True)
    env = dict(os.environ, GO111MODULE="off", GOPATH="/usr/share/gocode")
    done = subprocess.run(["go", "build", "-o", pprof, "github.com/google/pprof"], env=env)
    return pprof if done.returncode == 0 else None


class Runner:
    """Runs a tool in testdata/ under fixed circumstances."""

    def __init__(self, scratch):
        self.scratch = scratch
        self.env = dict(os.environ, PPROF_BINARY_PATH="bin", PPROF_TMPDIR=os.path.join(scratch, "pprof"),
                        TZ="UTC", LC_ALL="C", HOME=scratch, NO_COLOR="1",
                        XDG_CACHE_HOME="/dev/null", DEBUGINFOD_URLS="")

    def run(self, tool, words, proto=False):
        """(exit status, lines, lines of standard error)"""
        out = None
        if proto:
            handle, out = tempfile.mkstemp(suffix=".pb.gz", dir=self.scratch)
            os.close(handle)
            os.remove(out)
            words = ["-output=" + out] + words
        done = subprocess.run([tool] + words, cwd=TESTDATA, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        errors = done.stderr.decode("utf-8", "replace").split("\n")
        if done.returncode:
            return done.returncode, [], errors
        if not proto:
            return 0, done.stdout.decode("utf-8", "replace").rstrip("\n").split("\n"), errors
        with open(out, "rb") as file:
            lines = profile_proto.lines(file.read())
        os.remove(out)
        return 0, lines, errors


def warnings(errors):
    """What both say of filters that match nothing."""
    return sorted(line for line in errors if re.fullmatch(r"\w+ expression matched no samples", line))


def difference(want, got, limit):
    """The first lines that are not the same, for the person."""
    out = []
    for i in range(max(len(want), len(got))):
        w = want[i] if i < len(want) else "(end)"
        g = got[i] if i < len(got) else "(end)"
        if w != g:
            # Long lines from shortly before they part.
            at = max(0, len(os.path.commonprefix([w, g])) - 60) if len(w) > 200 else 0
            out.append("      line %d\n        want %s\n        got  %s" % (i + 1, w[at:at + 300], g[at:at + 300]))
            if len(out) >= limit:
                break
    return "\n".join(out)


def judge(case, theirs, ours):
    """(what is the matter or None, names of intended differences that were met)."""
    (status, want, errors), (our_status, got, our_errors) = theirs, ours
    problems = []
    if (status == 0) != (our_status == 0):
        problems = ["      exit status %d, heapview %d: %s" % (status, our_status, " / ".join(our_errors)[:300])]
    elif warnings(errors) != warnings(our_errors):
        problems = ["      warnings %s, heapview %s" % (warnings(errors), warnings(our_errors))]
    if not problems:
        possible = [d for d in intended.DIFFERENCES if d.rule and d.concerns(case)]
        want, got, needed = intended.settle(case, want, got, possible)
        if want == got:
            return None, needed
        problems = [(want, got)]
    # Last, differences that no rule can undo.
    whole = [d for d in intended.DIFFERENCES if not d.rule and d.concerns(case)]
    if whole:
        return None, [whole[0].name]
    return problems[0], []


def unknown(errors):
    """The flag that an old pprof does not know."""
    for line in errors:
        match = re.search(r"flag provided but not defined: (-\w+)", line)
        if match:
            return match[1]
    return None


def newest_heapview():
    built = [os.path.join(ROOT, os.environ.get("CARGO_TARGET_DIR", "target"), k, "heapview") for k in ("debug", "release")]
    built = [b for b in built if os.access(b, os.X_OK)]
    return max(built, key=os.path.getmtime) if built else None


class Report:
    """Adds results up, and prints them."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.same = self.skipped = 0
        self.met = {}
        self.wrong = []

    def add(self, tool, case, problem, names):
        for name in names:
            self.met.setdefault(name, []).append(case.id)
        if problem is None:
            self.same += 1
            if self.arguments.verbose:
                print("same   %s %s%s" % (tool, case.id, "  [%s]" % ", ".join(names) if names else ""))
            return
        self.wrong.append(case.id)
        text = problem if isinstance(problem, str) else difference(*problem, self.arguments.lines)
        print("WRONG  %s %s\n%s\n        $ heapview %s" % (tool, case.id, text, " ".join(case.words())))

    def skip(self, tool, case, why):
        self.skipped += 1
        if self.arguments.verbose:
            print("skip   %s %s: %s" % (tool, case.id, why))

    def finish(self, tools):
        idle = []
        if not self.arguments.words:
            idle = [d for d in intended.DIFFERENCES if d.tool in tools and d.name not in self.met]
        for entry in idle:
            print("WRONG  %s is listed as intended but does not occur any more: take it out of intended.py and docs/src/compatibility.md" % entry.name)
        print("intended differences met: " + (", ".join("%s (%d)" % (n, len(c)) for n, c in sorted(self.met.items())) or "none"))
        print("%d the same, %d wrong, %d skipped" % (self.same, len(self.wrong) + len(idle), self.skipped))
        return 1 if self.wrong or idle or not self.same else 0


def run_pprof(pprof, heapview, runner, report, cases, version):
    def both(case):
        proto = case.report in PROTO
        theirs = runner.run(pprof, case.words(), proto)
        for _ in range(8 if case.report.startswith("-disasm") else 0):
            # pprof finds the code or not, from run to run.
            theirs = theirs if theirs[0] == 0 else runner.run(pprof, case.words(), proto)
        if theirs[0] and unknown(theirs[2]):
            return case, theirs, None
        return case, theirs, runner.run(heapview, case.words(), proto)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, theirs, ours in pool.map(both, cases):
            case.version = version
            if ours is None:
                report.skip("pprof", case, "this pprof has no %s" % unknown(theirs[2]))
            elif "rust" in case.id.split()[-1] and version == "2021":
                report.skip("pprof", case, "this pprof does not know Rust's names")
            else:
                report.add("pprof", case, *judge(case, theirs, ours))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--heapview", default=newest_heapview())
    parser.add_argument("-v", dest="verbose", action="store_true")
    parser.add_argument("-n", dest="lines", type=int, default=4)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if not arguments.heapview:
        sys.exit("heapview is not built; try: cargo build")
    arguments.heapview = os.path.abspath(arguments.heapview)
    with tempfile.TemporaryDirectory(prefix="heapview-oracle-") as scratch:
        return compare(arguments, scratch)


def compare(arguments, scratch):
    def place(word):
        return word.replace("made:", scratch + "/").replace("oracle:", HERE + "/")

    wanted = lambda case: all(w in case.id for w in arguments.words)
    made, cases = read_cases(os.path.join(HERE, "cases.txt"), place)
    jeprof_cases = list(filter(wanted, jeprof.read(os.path.join(HERE, "jeprof.txt"), Case, columns)))
    cases = list(filter(wanted, cases))
    if arguments.list:
        for case in cases + jeprof_cases:
            print(case.id)
        return 0
    runner, report, tools = Runner(scratch), Report(arguments), set()
    pprof = find_pprof()
    if pprof is None:
        print("skipped: no pprof here (PPROF=..., or Debian's golang-go and golang-github-google-pprof-dev)")
    else:
        for file, words in made:
            status, _, errors = runner.run(arguments.heapview, words + ["-output=" + file])
            if status:
                sys.exit("heapview %s: %s" % (" ".join(words), " ".join(errors)))
        help_text = "\n".join(runner.run(pprof, ["-help"])[2])
        version = "current" if "-showcolumns" in help_text else "2021"
        tools |= {"pprof", "pprof " + version}
        run_pprof(pprof, arguments.heapview, runner, report, cases, version)
    program = os.environ.get("JEPROF") or shutil.which("jeprof")
    if program is None:
        print("skipped: no jeprof here (JEPROF=..., or Debian's libjemalloc-dev)")
    elif jeprof_cases and jeprof.run(program, arguments.heapview, runner, report, jeprof_cases, judge):
        tools.add("jeprof")
    if not tools:
        return 0
    return report.finish(tools)


if __name__ == "__main__":
    sys.exit(main())
