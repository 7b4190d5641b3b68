#!/usr/bin/env python3
"""Prints for each source folder its files, lines and cycles of imports.

    tests/folders.py            # all folders, one row each; every cycle by name
    tests/folders.py --cycles   # cycles only
    tests/folders.py --uses A B # which import makes A depend on B (paths below the root, without extension)

A unit of a folder is a file in it or a folder in it with all below it. Re-exports are followed to the file that defines
the item, so that `use super::Item` counts for where Item is, and a folder's `mod.rs` or `index.ts` counts only with
what it defines itself. Tests beside the code are left out: they may use what they like. Ends with 1 if there is a cycle.
"""

import os
import re
import sys
from collections import defaultdict

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def is_test(path):
    stem = os.path.basename(path).split(".", 1)[0]
    return stem == "testing" or stem.endswith("tests") or ".test." in path


def without_comments(text):
    """Comments and string contents become blanks."""
    token = re.compile(
        r'//[^\n]*|/\*.*?\*/|b?r(#+)".*?"\1|b?r"[^"]*"|b?"(?:\\.|[^"\\])*"|b?\'(?:\\.[^\']*|[^\\\'])\'', re.S
    )
    return token.sub(lambda m: m.group(0) if m.group(0)[0] == "'" and "\n" in m.group(0) else " ", text)


def without_test_modules(text):
    """Takes `#[cfg(test)]` items with a body out."""
    while m := re.search(r"#\[cfg\((?:all\()?test[^\]]*\]\s*(?:pub(?:\([^)]*\))?\s+)?(?:mod|fn|use|impl|const|static)\b[^{;]*([{;])", text):
        end = m.end()
        if m.group(1) == "{":
            depth = 1
            while depth and end < len(text):
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
        text = text[: m.start()] + text[end:]
    return text


def use_tree(text):
    """Every (path, name here) of a use tree's text: `a::{b, c as d}` → (a::b, b), (a::c, d)."""
    text = text.strip()
    brace = text.find("{")
    if brace < 0:
        path, _, alias = text.partition(" as ")
        parts = [p for p in path.strip().split("::") if p]
        return [(parts, (alias.strip() or (parts[-1] if parts else "")))] if parts else []
    head = [p for p in text[:brace].strip().split("::") if p]
    inner, depth, item, found = text[brace + 1 : text.rfind("}")], 0, "", []
    for c in inner + ",":
        depth += {"{": 1, "}": -1}.get(c, 0)
        if c == "," and depth == 0:
            for path, name in use_tree(item) if item.strip() else []:
                if path == ["self"]:
                    found.append((head, head[-1] if head else name))
                else:
                    found.append((head + path, name))
            item = ""
        else:
            item += c
    return found


class Rust:
    """Modules of src/, by path: ('analyze', 'top') is src/analyze/top.rs."""

    folder = "src"

    def __init__(self):
        self.files, self.text = {}, {}
        for at, _, names in os.walk(os.path.join(ROOT, self.folder)):
            for name in names:
                path = os.path.join(at, name)
                if not name.endswith(".rs") or is_test(path):
                    continue
                parts = os.path.relpath(path, os.path.join(ROOT, self.folder))[:-3].split(os.sep)
                if parts[-1] in ("mod", "lib"):
                    parts.pop()
                if parts == ["main"]:
                    continue
                self.files[tuple(parts)] = path
                with open(path, encoding="utf-8") as file:
                    self.text[tuple(parts)] = without_test_modules(without_comments(file.read()))
        self.names = {module: self.uses(module) for module in self.files}

    def uses(self, module):
        """Names that `use` brings into a module: name → (absolute path, is it a re-export)."""
        names = {}
        for m in re.finditer(r"\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", self.text[module]):
            for path, name in use_tree(m.group(2)):
                if full := self.absolute(module, path):
                    names[name if name != "*" else "*" + "::".join(full)] = (full, bool(m.group(1)))
        return names

    def absolute(self, module, path):
        """`super::x` and the like from the crate's root; None for other crates."""
        if path[0] == "crate":
            return tuple(path[1:])
        base, rest = list(module), list(path)
        if rest[0] == "self":
            rest.pop(0)
        elif rest[0] != "super":
            return tuple(base + rest) if tuple(base + rest[:1]) in self.files else None
        while rest and rest[0] == "super":
            rest.pop(0)
            if not base:
                return None
            base.pop()
        return tuple(base + rest)

    def owner(self, path, seen=()):
        """The module that defines what an absolute path names, re-exports followed."""
        module = tuple(path)
        while module not in self.files:
            if not module:
                return ()
            module = module[:-1]
        rest = path[len(module) :]
        if rest and (module, rest[0]) not in seen:
            target = self.names[module].get(rest[0])
            if target and target[0] != tuple(path):
                return self.owner(target[0] + tuple(rest[1:]), (*seen, (module, rest[0])))
            for name, (full, _) in self.names[module].items():
                if name.startswith("*") and (full := tuple(p for p in full if p != "*")) in self.files and full != module:
                    if re.search(rf"\b(?:fn|struct|enum|trait|type|const|static|mod)\s+{re.escape(rest[0])}\b", self.text[full]) or rest[0] in self.names[full]:
                        return self.owner(full + tuple(rest), (*seen, (module, rest[0])))
        return module

    def edges(self):
        found = defaultdict(set)
        for module, text in self.text.items():
            body = re.sub(r"\bpub(?:\([^)]*\))?\s+use\s+[^;]+;", " ", text)
            paths = []
            for m in re.finditer(r"\buse\s+([^;]+);", body):
                paths += [path for path, _ in use_tree(m.group(1))]
            rest = re.sub(r"\buse\s+[^;]+;|\bpub(?:\([^)]*\))\s", " ", body)
            paths += [m.group(0).split("::") for m in re.finditer(r"\b(?:crate|super|self)(?:::\w+)+", rest)]
            children = {m[-1] for m in self.files if len(m) == len(module) + 1 and m[: len(module)] == module}
            paths += [m.group(0).split("::") for m in re.finditer(r"(?<![\w:.])([a-z_]\w*)(?:::\w+)+", rest) if m.group(1) in children]
            # Names that came by a re-export are used here like those of a plain `use`.
            for name, (full, exported) in self.names[module].items():
                if exported and re.search(rf"(?<!::)\b{re.escape(name)}\b", rest):
                    paths.append(["crate", *full])
            for path in paths:
                full = self.absolute(module, [p for p in path if p != "*"])
                if full is None:
                    continue
                owner = self.owner(full)
                if owner != module:
                    found[module].add(owner)
        return found


class Script:
    """Modules of web/src, by path without extension."""

    folder = "web/src"

    def __init__(self):
        self.files, self.text = {}, {}
        for at, _, names in os.walk(os.path.join(ROOT, self.folder)):
            for name in names:
                path = os.path.join(at, name)
                if not re.search(r"\.tsx?$", name) or name.endswith(".d.ts") or is_test(path):
                    continue
                parts = re.sub(r"\.tsx?$", "", os.path.relpath(path, os.path.join(ROOT, self.folder))).split(os.sep)
                if parts[-1] == "index":
                    parts.pop()
                self.files[tuple(parts)] = path
                with open(path, encoding="utf-8") as file:
                    self.text[tuple(parts)] = file.read()

    def edges(self):
        found = defaultdict(set)
        for module, text in self.text.items():
            folder = module if os.path.basename(self.files[module]).startswith("index.") else module[:-1]
            for m in re.finditer(r"(?:from|import)\s*\(?\s*'(\.[^']+)'", text):
                target = os.path.normpath("/".join([*folder, m.group(1)])).removesuffix(".ts").removesuffix(".tsx")
                target = tuple(p for p in target.split("/") if p not in (".", ""))
                if target in self.files and target != module:
                    found[module].add(target)
        return found


def cycles(graph):
    """Strongly connected parts of more than one unit (Tarjan, without recursion)."""
    index, low, on, stack, found, counter = {}, {}, set(), [], [], [0]
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = counter[0]
        counter[0] += 1
        stack.append(root)
        on.add(root)
        while work:
            unit, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = counter[0]
                    counter[0] += 1
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in on:
                    low[unit] = min(low[unit], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == index[unit]:
                    part = []
                    while True:
                        part.append(stack.pop())
                        on.discard(part[-1])
                        if part[-1] == unit:
                            break
                    if len(part) > 1:
                        found.append(sorted(part))
    return found


def folders(tree):
    """Each folder with its units: folder → {unit: its modules}."""
    found = defaultdict(lambda: defaultdict(list))
    inner = {m[:i] for m in tree.files for i in range(len(m))}
    for module in tree.files:
        for depth in range(len(module)):
            found[module[:depth]][module[depth]].append(module)
        if module in inner:
            found[module]["(itself)"].append(module)
    return found


def main():
    bad = 0
    if "--uses" in sys.argv:
        a, b = (tuple(name.split("/")) for name in sys.argv[-2:])
        for tree in (Rust(), Script()):
            for module, others in sorted(tree.edges().items()):
                for other in sorted(others):
                    if module[: len(a)] == a and other[: len(b)] == b:
                        print("/".join(module), "->", "/".join(other))
        return 0
    for tree in (Rust(), Script()):
        edges = tree.edges()
        if "--cycles" not in sys.argv:
            print(f"{'folder':<34}{'files':>6}{'lines':>8}  cycles")
        for folder, units in sorted(folders(tree).items()):
            of = {module: unit for unit, modules in units.items() for module in modules}
            graph = {unit: set() for unit in units}
            for module, others in edges.items():
                for other in others:
                    if module in of and other in of and of[module] != of[other]:
                        graph[of[module]].add(of[other])
            if len(units) < 2:
                continue
            loops = cycles(graph)
            bad += len(loops)
            # Files in folders inside it have rows of their own.
            own = [m for m in of if os.path.dirname(tree.files[m]) == os.path.normpath(os.path.join(ROOT, tree.folder, *folder))]
            lines = sum(sum(1 for _ in open(tree.files[m], encoding="utf-8")) for m in own)
            text = "; ".join(" ".join(loop) for loop in loops) or "none"
            if "--cycles" not in sys.argv or loops:
                print(f"{'/'.join((tree.folder, *folder)):<34}{len(own):>6}{lines:>8}  {text}")
        # A cycle of files that lies across folders is one of some folder's units, but mod.rs may hide it: files by themselves.
        graph = {module: set(edges.get(module, ())) for module in tree.files}
        loops = cycles(graph)
        bad += len(loops)
        for loop in loops:
            print(f"  cycle of {len(loop)} files: " + " ".join("/".join(m) or "(root)" for m in loop))
    return 1 if bad else 0


sys.exit(main())
