"""Writes the heap profile of a granary that was not run: stdin is its disassembly by llvm-objdump --macho."""
import re
import sys

STACKS = [(101, "mark store main"), (3001, "mark complain sort main"), (201, "mark store deep deep deep main")]
SLIDE = 0x4A00000

function, waiting, back = "", None, {}
for line in sys.stdin:
    if label := re.match(r"_(\w+):", line):
        function = label[1]
    elif code := re.match(r"\s*([0-9a-f]+):", line):
        if waiting:
            back.setdefault(waiting, int(code[1], 16) + SLIDE)
        called = re.search(r"\t(?:callq|bl)\t_(\w+)", line)
        waiting = called and (function, called[1])

print("heap profile: 3: 3500 [3: 3500] @ heapprofile")
for size, names in STACKS:
    names = names.split()
    frames = " ".join(hex(back[caller, callee]) for callee, caller in zip(names, names[1:]))
    print(f"1: {size} [1: {size}] @ {frames}")
print("\nMAPPED_LIBRARIES:")
print(f"{0x100000000 + SLIDE:x}-{0x100004000 + SLIDE:x} r-xp 00000000 00:00 0 /stored/granary")
