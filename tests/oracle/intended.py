"""What differs from pprof and jeprof on purpose.  Each name stands in docs/src/compatibility.md too.

A difference with a rule is undone on both sides, so that everything else is still compared; one
without makes its cases count as the same.  `where` are shell patterns of cases (as --list prints
them).  A difference that no case shows any more is an error.
"""

import fnmatch
import re

import names


class Difference:
    def __init__(self, name, reason, rule=None, where=("*",), tool="pprof"):
        self.name, self.reason, self.rule, self.where, self.tool = name, reason, rule, where, tool

    def concerns(self, case):
        if self.tool.startswith("pprof ") and getattr(case, "version", "") != self.tool[len("pprof "):]:
            return False
        if (self.tool == "jeprof") != (getattr(case, "version", "") == "jeprof"):
            return False
        return any(fnmatch.fnmatchcase(case.id, pattern) for pattern in self.where)


def settle(case, want, got, possible):
    """Both sides after the rules, and the names of the rules that were needed."""
    if want == got:
        return want, got, []

    def after(rules):
        w, g = want, got
        for difference in rules:
            w, g = difference.rule(w), difference.rule(g)
        return w, g

    w, g = after(possible)
    if w != g:
        return w, g, []
    needed = list(possible)
    for difference in possible:
        fewer = [d for d in needed if d is not difference]
        if len(fewer) < len(needed):
            w, g = after(fewer)
            if w == g:
                needed = fewer
    return *after(needed), [d.name for d in needed]


def each(change):
    return lambda lines: [change(line) for line in lines]


def without(*starts):
    return lambda lines: [line for line in lines if not line.startswith(starts)]


def no_inline_marks(line):
    return re.sub(r"( |\\n)\((partial-)?inline\)", "", line).rstrip()


def no_dropped_edges(line):
    return re.sub(r"\\lDropped \d+ edges? \(freq <= [^)]*\)", "", line)


def invented_mapping(lines):
    """The mapping that pprof makes up where there is none, in -raw and -proto."""
    out = []
    for line in lines:
        if line.startswith(("mapping 0x0-0x0@0x0", "1: 0x0/0x0/0x0")):
            continue
        out.append(re.sub(r" M=1( |$)", r"\1", line.replace(" 0x0-0x0@0x0 ", " - ")))
    return out


def tables_by_use(lines):
    """-raw with what ids stand for instead of ids, -proto without mappings that nothing lies in."""
    if "Locations" not in lines:
        used = set(re.findall(r"^  \S+ (\S+) \{", "\n".join(lines), re.M))
        return [line for line in lines if not line.startswith("mapping ") or line.split(" ")[1] in used]
    at, end = lines.index("Locations"), lines.index("Mappings")
    mappings = {line.split(":")[0]: line.split(": ", 1)[1] for line in lines[end + 1:]}
    locations, last = {}, None
    for line in lines[at + 1:end]:
        match = re.match(r" *(\d+): (.*)", line)
        if match:
            last = match[1]
            locations[last] = re.sub(r" M=(\d+)\b", lambda m: " M=%s" % mappings[m[1]], match[2])
        else:
            locations[last] += "; " + line.strip()
    out = []
    for line in lines[:at]:
        match = re.match(r"((?: +-?\d+)+: )([\d ]+)$", line)
        out.append(match[1] + " < ".join(locations[i] for i in match[2].split()) if match else line)
    return out


def nodes_by_name(lines):
    """Nodes and edges without their numbers, sorted; of -callgrind functions without theirs."""
    if not lines[0].startswith("digraph"):
        return [re.sub(r" \[\d+/\d+\]$", "", line) for line in lines]
    label = {m[1]: m[2] for m in (re.match(r'(N+\d+(?:_\d+)*) \[label ?= ?"((?:[^"\\]|\\.)*)"', line) for line in lines) if m}

    def named(line):
        line = re.sub(r" ?id=\"[^\"]*\"", "", line)
        return re.sub(r"\bN+\d+(?:_\d+)*\b", lambda m: label.get(m[0], m[0]), line)
    return sorted(named(line) for line in lines)


def no_call_lines(lines):
    call = re.compile(r" {20,}\S+ +\S+ \|  |N\d+ -> N\d+ |\* \* ")
    return [line for line in lines if not call.match(line)]


def no_zero_calls(lines):
    return [line for line in lines if not re.match(r" +0 +0% \|  ", line)]


def no_sign_of_total(line):
    """Without the sign of a total, and in -tags without the shares of it."""
    line = re.sub(r" of -(\d\S*) total", r" of \1 total", line)
    return re.sub(r" of -?(\d\S*)( \(.*\))?$", r" of \1", re.sub(r"^ +(-?\d\S*)( \( *\S+%\))?:", r" \1:", line))


def no_base_label(lines):
    """-tags without the block of pprof's label for samples of the base."""
    out, inside = [], False
    for line in lines:
        inside = line.startswith(" pprof::base: Total ") or inside and line.strip() != ""
        if not inside:
            out.append(line)
    while out and not out[-1].strip():
        out.pop()
    return [line for i, line in enumerate(out) if line.strip() or i and out[i - 1].strip()]


def blocks_sorted(lines):
    """-traces, -proto and -raw, sample by sample in an order of their own."""
    blocks = [[]]
    for line in lines:
        if line.startswith(("-----------+", "sample ")) or re.match(r" +-?\d+ +-?\d+.*: ", line):
            blocks.append([])
        blocks[-1].append(line)
    return blocks[0] + [line for block in sorted(blocks[1:]) for line in block]


# Prefixes are words of their own; Intel's jumps have a distance.
PREFIXES = {"lock", "rep", "repz", "repnz", "repe", "repne", "bnd", "notrack", "data16", "cs", "ds", "es", "ss", "fs", "gs"}
# llvm-objdump's name -> the one that iced prints.
SAME = {"xchg": "nop", "fucompi": "fucomip", "fcompi": "fcomip", "movabs": "mov", "wait": "fwait"}


def mnemonic(text):
    """The mnemonic without prefixes and AT&T's suffixes of size; "lock" alone is a row of llvm-objdump 14."""
    words = [word for word in text.split() if word not in PREFIXES]
    if not words:
        return text.strip()
    word = words[0].rstrip("bwlq") or words[0]
    return SAME.get(word, word)


def code(lines):
    """-disasm with each row's file and line in it, and of each instruction only what all spellings share."""
    out, place, before, lock = [], "", "", ""
    for line in lines:
        match = re.match(r" *(\S+) +(\S+) +([0-9a-f]+): (.*)", line)
        if line.startswith("ROUTINE "):
            place = before = lock = ""
        elif re.match(r" {74};", line):
            before = line.strip()[1:]
            continue
        if not match:
            out.append(line)
            continue
        flat, cum, address, text = match.groups()
        behind = re.match(r"(.{39,}? ?);(.*)", text) if not before else None
        if behind and len(behind[1].rstrip()) < 40:
            text, before = behind[1], behind[2]
        place, before = (re.sub(r".* ", "", before) if before else place), ""
        text = mnemonic(text)
        if text == "lock":
            lock = address
            continue
        if lock:
            address, lock = lock, ""
        out.append("%10s %10s %s: %s ;%s" % (flat, cum, address, text, place))
    return out


def no_last_return(lines):
    """-disasm without the returns that a routine may end with."""
    out = []
    for line in lines + ["ROUTINE "]:
        while line.startswith("ROUTINE ") and out and re.search(r": ret[lq]?\b", out[-1]):
            out.pop()
        out.append(line)
    return out[:-1]


def no_times(line):
    return re.sub(r"Time: .*?(\\l|$)", r"Time:\1", line)


def no_go_receivers(line):
    return re.sub(r"(?<=s=0)\(\S+\.\.\w+\)", "", re.sub(r"\(\*\w+\[(\.\.\.|…)\]\)", "", line))


def no_empty_samples(lines):
    """Without samples that have nothing, and in -traces without those that show nothing."""
    blocks = [[]]
    for line in lines:
        if line.startswith(("-----------+", "sample ")) or re.match(r" +-?\d+ +-?\d+.*: |Locations$", line):
            blocks.append([])
        blocks[-1].append(line)
    empty = re.compile(r"sample( 0)+ \(|( +0)+: |(-----------\+-+\n)( *\S+: .*\n)* +0   ")
    return [line for block in blocks if not empty.match("\n".join(block)) for line in block]


def combined(lines):
    """-raw and -proto with one sample for each stack and labels, at the place of the first."""
    sample = re.compile(r"sample ((?:-?\d+ )+)(.*)|((?: +-?\d+)+): (.*)")
    sums = {}
    block, blocks = [], []
    for line in lines:
        if sample.match(line) or line == "Locations":
            blocks.append(block)
            block = []
        block.append(line)
    for block in blocks + [block]:
        match = block and sample.match(block[0])
        key = ("\n".join([match[2] or match[4] or ""] + block[1:]),) if match else ("\n".join(block), len(sums))
        values = [int(v) for v in (match[1] or match[3]).split()] if match else []
        sums[key] = [a + b for a, b in zip(sums[key], values)] if key in sums else values
    return ["%s %s" % (values, key[0]) for key, values in sums.items()]


def no_places(line):
    """Without columns and the lines where functions begin."""
    line = re.sub(r"start -?\d+:(-?\d+):\d+", r"start:\1", line)
    line = re.sub(r":(\d+):\d+ s=\d+", r":\1 s=0", line)
    return re.sub(r"(\.\w+:\d+):\d+", r"\1", re.sub(r" s=\d+", " s=0", line))


def mappings_sorted(lines):
    return sorted(l for l in lines if l.startswith("mapping ")) + [l for l in lines if not l.startswith("mapping ")]


def file_names_only(line):
    return re.sub(r"(0x\w+/0x\w+/0x\w+) \S*/", r"\1 ", line)


DIFFERENCES = [
    # Names that start with 2021: what Debian's pprof does otherwise than today's, which heapview follows.
    Difference("2021-times", "pprof of 2021 prints times in another form", each(no_times), tool="pprof 2021"),
    Difference("2021-go-receivers", "pprof of 2021 loses the receiver of Go's generic methods",
               each(no_go_receivers), ("*depot*", "*depots*"), "pprof 2021"),
    Difference("inline-marks",
               "pprof takes the (inline) marks from the calls that survive trimming; heapview from all calls",
               each(no_inline_marks)),
    Difference("dropped-edges",
               "pprof forgets to count the edges that it drops before it chooses nodes",
               each(no_dropped_edges), ("-dot *",)),
    Difference("rust-underscores",
               "pprof loses an underscore that begins a part of a legacy Rust name",
               each(names.without_underscores), ("*rust",), "pprof current"),
    Difference("code-spelling",
               "instructions are spelled otherwise (iced-x86, not objdump); names in them are demangled whole and without hashes, stubs and slots are named",
               code, ("-disasm=*",)),
    Difference("code-end",
               "pprof leaves out the last byte of a routine, which is a return where nothing fills the gap to the next one",
               no_last_return, ("-disasm=*",)),
    Difference("files-merge",
               "pprof prints a row for each file and function start line; heapview one for each file",
               None, ("-* -files shop*", "-* -files kitchen")),
    Difference("allocator-library",
               "frames inside an allocator's library are cut even if the library has no names",
               None, ("*kitchen-s",)),
    Difference("several-bases",
               "pprof takes the last of several bases; heapview adds them up",
               None, ("*base=*base=*",)),
    Difference("one-value-type",
               "pprof takes one of two value types asked for; heapview refuses the pair",
               None, ("-top -inuse_space -alloc_space *",)),
    Difference("traces-nodecount",
               "pprof ignores -nodecount in -traces; heapview prints the heaviest ones",
               None, ("-traces -nodecount=*",)),
    Difference("mean-of-calls",
               "with -mean pprof divides calls by the callee's count, or not at all; heapview by the call's own",
               no_call_lines, ("-tree *-mean*", "-dot *-mean*")),
    Difference("mean-of-calls", "of -callgrind, where calls of the others are written by reference",
               None, ("-callgrind *-mean*",)),
    Difference("mean-total", "of a difference of means pprof's total has a minus where objects went; heapview's has none",
               each(no_sign_of_total), ("-* *base=* -mean*",)),
    Difference("show-unnamed", "pprof hides code without a name from -show even if its file matches; heapview shows it",
               None, ("-* -show=libc.so *",)),
    Difference("equal-nodes", "of -callgrind, where calls are numbered by the node's own number",
               None, ("-callgrind -call_tree shop-pb",)),
    Difference("equal-nodes",
               "nodes and calls of the graph that weigh and read the same come in any order in pprof, always in the same in heapview",
               nodes_by_name, ("-dot *-call_tree*", "-dot *-normalize *", "-callgrind *-call_tree*")),
    Difference("zero-calls",
               "pprof lists some calls that net to zero, to functions that it does not list",
               no_zero_calls, ("-tree *base=*",)),
    Difference("zero-calls", "of -drop_negative: calls of functions that it drops",
               None, ("-tree *odd.pb.gz -drop_negative -nodefraction*",)),
    Difference("base-label", "-tagshow and -taghide choose pprof's mark of the base's samples as well",
               each(lambda line: re.sub(r"(, |(?<=\())pprof::base='true'(, )?", "", line)), ("-proto *-tagshow*-diff_base=*",), "pprof current"),
    Difference("base-label", "of 2021, which adds up what the mark told apart", None, ("-proto *-tagshow*-diff_base=*",), "pprof 2021"),
    Difference("base-label",
               "pprof lists its own mark of the base's samples among the labels of -tags",
               no_base_label, ("-tags *-diff_base=*",), "pprof current"),
    Difference("drop-frames-text",
               "the drop_frames expression in a written profile is spelled in another way; it matches the same",
               without("drop "), ("-proto *", "-topproto *")),
    Difference("no-invented-mapping",
               "pprof makes up an empty mapping where a profile has none",
               invented_mapping, ("-proto *", "-topproto *", "-raw *")),
    Difference("tables-as-read",
               "after a merge pprof numbers locations by use and forgets what is not used; heapview keeps the tables",
               tables_by_use, ("-raw *", "-proto *")),
    Difference("base-order",
               "with -diff_base samples of the base come in the order of the base's file in pprof, of the whole in heapview",
               blocks_sorted, ("-proto *-diff_base=*", "-traces *-diff_base=*", "-raw *-diff_base=*")),
    Difference("normalize-rounding",
               "with -normalize pprof rounds each row of the file, heapview rows of the same stack and labels together",
               None, ("-proto *-normalize depot",), "pprof current"),
    Difference("topproto-names",
               "in -topproto pprof gives code without a name an empty function",
               each(lambda line: line.replace("{ []  start 0:0:0}", "{}")), ("-topproto *",)),
    Difference("divide-by-everywhere",
               "pprof forgets -divide_by in -callgrind and -topproto",
               None, ("-callgrind -divide_by=*", "-topproto -divide_by=*")),
    Difference("callgrind-auto",
               "with -unit=auto pprof's -callgrind rounds to a unit that it calls auto",
               None, ("-callgrind -unit=auto *", "-topproto -unit=auto *")),
    Difference("unknown-symbolize",
               "pprof ignores words in -symbolize= that it does not know; heapview refuses them",
               None, ("-* -symbolize=nosuch *",)),
    Difference("binary-given",
               "pprof looks for another binary when -buildid is not that of the binary given; heapview takes the one given",
               None, ("-* -buildid=* kitchen",)),
    Difference("symbolize-none",
               "with -symbolize=none pprof looks for binaries all the same and prints where they are",
               each(file_names_only), ("-raw -symbolize=none *",)),
    Difference("2021-empty-samples", "pprof of 2021 drops samples that have only zeros",
               no_empty_samples, ("-raw *", "-proto *", "-traces *"), "pprof 2021"),
    Difference("2021-places", "pprof of 2021 knows no columns, and no lines where functions begin",
               each(no_places), ("-raw *", "-proto *", "-* *-addresses*"), "pprof 2021"),
    Difference("2021-mappings", "pprof of 2021 writes mappings in another order", mappings_sorted, ("-proto *",), "pprof 2021"),
    Difference("2021-combined", "pprof of 2021 adds up the rows of a file that have the same stack and labels",
               combined, ("-raw *", "-proto *"), "pprof 2021"),
    Difference("2021-list", "pprof of 2021 begins listings elsewhere, since it knows no lines where functions begin",
               None, ("-list=engrave* kitchen", "-list=main* depot"), "pprof 2021"),
    Difference("2021-tags", "pprof of 2021 prints -tags in another form", None, ("-tags *",), "pprof 2021"),
    Difference("2021-tagleaf", "pprof of 2021 makes no frames of numbers", None, ("-* -tagleaf=size *", "-* -tagroot=bytes*"), "pprof 2021"),
    Difference("2021-combined", "pprof of 2021 adds up the rows of a file that have the same stack and labels",
               None, ("-proto -divide_by=3 depot", "-traces -sample_index=alloc_objects depot"), "pprof 2021"),
    Difference("2021-noinlines", "pprof of 2021 ignores -noinlines in -proto and -callgrind", None, ("-proto -noinlines *", "-callgrind -noinlines *"), "pprof 2021"),
    # What jeprof does otherwise.
    Difference("jeprof-exact-dumps", "a dump of period 1 holds every allocation; jeprof scales it all the same",
               None, ("*--alloc_* *shop-exact*",), "jeprof"),
    Difference("jeprof-neighbours", "jeprof takes a stripped allocator's frames for the nearest public symbol, and addr2line "
               "gives the innermost inlined frame the name of the outermost", None, ("*kitchen*",), "jeprof"),
    Difference("jeprof-rounding", "jeprof rounds at other places, so values may differ by one",
               None, ("*--show_bytes --base=*", "*--collapsed *sampled.2000.2.m2*"), "jeprof"),
    Difference("jeprof-whole-names", "--retain and --exclude look at names that jeprof has shortened, in heapview at whole ones",
               None, ("*--exclude=alloc *",), "jeprof"),
    Difference("jeprof-empty-stacks", "jeprof's --collapsed prints stacks that hold nothing any more",
               lambda lines: [line for line in lines if not line.endswith(" 0")], ("*--collapsed *",), "jeprof"),
]
