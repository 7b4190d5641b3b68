#!/usr/bin/env python3
"""Compares our demanglers with rustc-demangle, c++filt and llvm-cxxfilt over all symbols of binaries.

    python3 tests/demangle/compare.py BINARY...     # binaries, libraries, or text files with a name in each line
    python3 tests/demangle/compare.py -v BINARY...  # every difference, not three of each class

It needs nm (binutils), c++filt or llvm-cxxfilt, and cargo, which builds examples/demangle.rs. Differences are put
into classes; the last lines are the counts. It ends with 1 if there is a difference that is not intended.
"""

import collections
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Classes that are intended, and why.
INTENDED = {
    "rust: clone suffix": "suffixes of the compiler's clones are not part of a name, as in pprof",
    "c++: clone suffix": "suffixes of the compiler's clones are not part of a name, as in pprof",
    "c++: function as template argument": "its name alone, as in pprof",
    "c++: differs from both, which differ too": "what S_ and T_ stand for in a lambda of another template; constructors by S_",
    "c++: spelling": "blanks, brackets in expressions, {parm#1} for fp, std::string in short, as in pprof",
    "c++: as llvm-cxxfilt, not as c++filt": "binutils' own mistakes",
    "c++: only we read it": "c++filt gives the name back unchanged",
    "c++: differs, and only c++filt reads it": "what S_ and T_ stand for in a lambda of another template",
    "c++: differs, and only llvm-cxxfilt reads it": "what S_ and T_ stand for in a lambda of another template",
}


def run(command, text=None):
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          errors="replace", check=False).stdout


def symbols(path):
    with open(path, "rb") as file:
        is_binary = file.read(4) in (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"!<ar")
    if not is_binary:
        with open(path, encoding="utf-8", errors="replace") as file:
            return {line.strip() for line in file}
    names = set()
    for kind in ([], ["-D"]):
        for line in run(["nm", "--no-demangle", "-f", "posix", *kind, path]).splitlines():
            names.add(line.split(" ", 1)[0])
    return names


def plain(name):
    """Without versions of interfaces."""
    return name.split("@", 1)[0]


def ours(names):
    subprocess.run(["cargo", "build", "--quiet", "--example", "demangle"], cwd=ROOT, check=True)
    folder = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    lines = run([os.path.join(folder, "debug/examples/demangle")], "\n".join(names) + "\n").split("\n")
    table = {}
    for line in lines:
        fields = line.split("\t")
        if len(fields) == 6:
            table[fields[0]] = fields[1:]
    return table


def filtered(tool, names):
    if not shutil.which(tool):
        return None
    out = run([tool], "\n".join(names) + "\n").split("\n")
    return dict(zip(names, out))


def normal_cpp(text):
    """Without what two spellings of one C++ name may differ in: we write as pprof does."""
    for of in ("string", "iostream", "istream", "ostream"):
        more = ", std::allocator<char>" if of == "string" else ""
        text = text.replace(f"std::basic_{of}<char, std::char_traits<char>{more} >", f"std::{of}")
    text = re.sub(r"\{parm#1\}", "fp", text)
    text = re.sub(r"\{parm#(\d+)\}", lambda match: f"fp{int(match[1]) - 2}", text)
    text = re.sub(r"reference temporary #\d+ for", "reference temporary for", text)
    text = re.sub(r"'lambda\d*'", "{lambda", text)
    text = re.sub(r"#\d+\}", "", text)
    # c++filt writes empty packs, and more brackets.
    text = re.sub(r"(, )+", ", ", text).replace("<, ", "<").replace(", >", ">")
    return re.sub(r"[ (){}]", "", text)


def without_clones(text):
    return re.sub(r"( \[clone [^\]]*\])+$| \(\.[^()]*\)$", "", text)


def rust_class(name, fields):
    short, _, full, all_of_it, theirs = fields
    if "." in name:
        # rustc-demangle shows some suffixes of the compiler's clones and not others.
        suffix = name[name.index("."):]
        theirs, all_of_it = (text.removesuffix(suffix) for text in (theirs, all_of_it))
        if full and theirs.startswith(full + "."):
            return "rust: clone suffix"
    if not theirs:
        return "rust: only we read it" if full and name.startswith("_R") else None
    if not full:
        return "rust: only rustc-demangle reads it"
    if not short:
        return "rust: no short name"
    if name.startswith("_R"):
        if all_of_it != theirs:
            return "rust: full_name differs"
        if full != theirs:
            return "rust: v0 differs"
    elif full != theirs:
        return "rust: legacy differs"
    if re.search(r"<[^<>]+>", short) and name.startswith("_RI") and "<>" not in short:
        return "rust: generic arguments left"
    return None


def cpp_class(name, fields, theirs):
    full = fields[2]
    theirs = {tool: table[name] for tool, table in theirs.items() if table}
    read = {tool: text for tool, text in theirs.items() if text != name}
    if not read:
        return ("c++: only we read it", name) if full else None
    if not full:
        return f"c++: only {' and '.join(sorted(read))} read it", next(iter(read.values()))
    text = read.get("c++filt") or next(iter(read.values()))
    if full == text:
        return None
    if full == without_clones(text):
        return "c++: clone suffix", text
    if normal_cpp(full) == normal_cpp(without_clones(text)):
        return "c++: spelling", text
    other = read.get("llvm-cxxfilt")
    if other and normal_cpp(full) == normal_cpp(without_clones(other)):
        return "c++: as llvm-cxxfilt, not as c++filt", text
    if other and "c++filt" in read and normal_cpp(text) != normal_cpp(other):
        return "c++: differs from both, which differ too", text
    if "adL_Z" in name:
        return "c++: function as template argument", text
    if len(read) == 1 and all(theirs.values()):
        return f"c++: differs, and only {next(iter(read))} reads it", text
    return "c++: differs", text


def main():
    words = [word for word in sys.argv[1:] if word != "-v"]
    if not words:
        sys.exit(__doc__)
    names = set()
    for path in words:
        found = {plain(name) for name in symbols(path)}
        found = {name for name in found if name.startswith(("_R", "_Z", "__Z", "__R", "___Z", "_GLOBAL_"))}
        print(f"{path}: {len(found)} mangled names", flush=True)
        names |= found
    names = sorted(names)
    table = ours(names)
    lost = [name for name in names if name not in table]
    if lost:
        sys.exit(f"our demangler stopped at one of {lost[:3]}")
    # rustc-demangle takes C++ variables for Rust without a hash.
    is_legacy = re.compile(r"17h[0-9a-f]{16}E(\.|$)")
    is_rust = {name for name in names if name.startswith("_R") or table[name][4] and is_legacy.search(name)}
    cpp = [name for name in names if name not in is_rust and name.startswith(("_Z", "_GLOBAL_"))]
    theirs = {tool: filtered(tool, cpp) for tool in ("c++filt", "llvm-cxxfilt")}
    classes = collections.defaultdict(list)
    for name in names:
        fields = table[name]
        if name in is_rust:
            if found := rust_class(name, fields):
                classes[found].append((name, fields[2], fields[4], fields[3]))
        elif name.startswith(("_Z", "_GLOBAL_")):
            if found := cpp_class(name, fields, theirs):
                classes[found[0]].append((name, fields[2], found[1], ""))
    for kind, found in sorted(classes.items()):
        print(f"\n{kind}: {len(found)}")
        for name, our, their, more in found if "-v" in sys.argv else found[:3]:
            print(f"  {name}\n    ours   {our}\n    theirs {their}" + (f"\n    full   {more}" if more and more != our else ""))
    n_v0 = sum(name.startswith("_R") for name in is_rust)
    print(f"\n{len(names)} names: {n_v0} Rust v0, {len(is_rust) - n_v0} Rust legacy, {len(cpp)} C++")
    bad = 0
    for kind, found in sorted(classes.items()):
        note = INTENDED.get(kind)
        bad += 0 if note else len(found)
        print(f"{len(found):8} {kind}" + (f" (intended: {note})" if note else ""))
    print("no other differences" if not bad else f"{bad} differences")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
