#!/usr/bin/env python3
"""Writes down what llvm-symbolizer and addr2line say of the granary's stacks, for tests/it/matrix.rs to compare with.

    testdata/matrix/oracle.py WAYS      WAYS is what build.sh made; the ways in `stored` go along

Into testdata/matrix/oracle.txt: each answer once, below the ways and tools that gave it. An answer has a line for each
frame, innermost first, and an empty line after each stack: linkage name, file without folder, line. Parts of names
that change with the compiler are erased, as the test does. Answers without any name are left out.
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent

# Of the dumps of Mach-O programs, as calls.py has it.
SLIDE = 0x4A00000


def bias(dump, binary):
    """Where the file lies in memory, less the address it was linked for."""
    if binary.read_bytes()[:4] != b"\x7fELF":
        return SLIDE
    headers = subprocess.run(["readelf", "-lW", binary], capture_output=True, text=True).stdout
    if "EXEC" in headers.split("\n")[1]:
        return 0
    return next(int(line.split("-")[0], 16) for line in dump if line.endswith("/granary"))


def stacks(way, binary):
    dump = (way / "granary.heap").read_text().splitlines()
    moved = bias(dump, binary)
    for line in dump:
        if line.startswith("1: "):
            yield [int(word, 16) - 1 - moved for word in line.split("@")[1].split()]


def erased(name):
    # Mach-O's names have an underscore in front.
    name = re.sub(r"^_(?=[a-z])", "", name)
    return re.sub(r"B[0-9A-Za-z]?_|17h[0-9a-f]{16}E", "", re.sub(r"Cs[0-9A-Za-z]+_", "C_", name))


def frame(name, place):
    file, _, line = place.split(" (")[0].rpartition(":")
    file, line = file.rsplit("/", 1)[-1], line.replace("?", "0")
    return f"{erased(name)} {file if line != '0' else '?'} {line}".replace("??", "?")


def ask(command, addresses, way):
    lines = subprocess.run([*command, *map(hex, addresses)], capture_output=True, text=True, cwd=way).stdout.splitlines()
    # Name and place, again and again.
    lines = [line for line in lines if line]
    return zip(lines[::2], lines[1::2])


def llvm(binary, addresses, way):
    command = ["llvm-symbolizer", "--no-demangle", "--inlines", "--functions=linkage", "--output-style=LLVM"]
    command += [f"--debug-file-directory={way / 'debug'}", f"--obj={binary}"]
    return [frame(name, place.rpartition(":")[0]) for name, place in ask(command, addresses, way)]


def gnu(binary, addresses, way):
    return [frame(name, place) for name, place in ask(["addr2line", "-f", "-i", "-e", str(binary)], addresses, way)]


def main():
    answers = {}
    for way in sorted([*pathlib.Path(sys.argv[1]).resolve().iterdir(), *HERE.resolve().glob("stored/*")]):
        binary = way / "granary"
        if not (way / "granary.heap").exists():
            continue
        for tool, look in (("llvm-symbolizer", llvm), ("addr2line", gnu)):
            found = [look(binary, stack, way) for stack in stacks(way, binary)]
            if any(frame[0] != "?" for stack in found for frame in stack):
                text = "".join("\n".join(stack) + "\n\n" for stack in found)
                answers.setdefault(text, []).append(f"= {way.name} {tool}\n")
    with open(HERE / "oracle.txt", "w") as out:
        for text, ways in answers.items():
            out.write("".join(ways) + text)


main()
