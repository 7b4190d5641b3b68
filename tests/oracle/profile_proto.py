"""pprof's protobuf as lines that can be compared: ids are followed, so that only what they
stand for counts.  Fields as in proto/profile.proto."""

import gzip


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def fields(data):
    """number -> values of a message, in order; bytes or whole numbers."""
    found = {}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        else:
            raise ValueError("wire type %d" % (key & 7))
        found.setdefault(key >> 3, []).append(value)
    return found


def numbers(values):
    """Repeated numbers, packed or not."""
    out = []
    for value in values:
        if isinstance(value, int):
            out.append(value)
            continue
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            out.append(number)
    return out


def lines(data):
    """The profile, a line for each thing; samples in their order, tables by use."""
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    top = fields(data)
    text = [s.decode("utf-8", "replace") for s in top.get(6, [])]

    def one(message, number, default=0):
        return message.get(number, [default])[-1]

    def kind(message):
        return "%s/%s" % (text[one(message, 1)], text[one(message, 2)])

    functions, mappings, locations = {}, {}, {}
    for function in map(fields, top.get(5, [])):
        functions[one(function, 1)] = "%s [%s] %s start %d" % (
            text[one(function, 2)], text[one(function, 3)], text[one(function, 4)], signed(one(function, 5)))
    out = ["types " + " ".join(kind(fields(t)) for t in top.get(1, []))]
    for number, name in ((14, "default"), (7, "drop"), (8, "keep"), (15, "doc")):
        out.append("%s %s" % (name, text[one(top, number)]))
    for number, name in ((9, "time"), (10, "duration"), (12, "period")):
        out.append("%s %d" % (name, signed(one(top, number))))
    out.append("period of " + (kind(fields(one(top, 11))) if 11 in top else ""))
    out += ["comment " + text[c] for c in numbers(top.get(13, []))]
    for mapping in map(fields, top.get(3, [])):
        flags = "".join(c for n, c in ((7, "F"), (8, "f"), (9, "l"), (10, "i")) if one(mapping, n))
        shown = "%#x-%#x@%#x %s %s %s" % (one(mapping, 2), one(mapping, 3), one(mapping, 4),
                                          text[one(mapping, 5)], text[one(mapping, 6)], flags)
        mappings[one(mapping, 1)] = shown
        out.append("mapping " + shown)
    for location in map(fields, top.get(4, [])):
        frames = []
        for line in map(fields, location.get(4, [])):
            frames.append("%s:%d:%d" % (functions.get(one(line, 1), "?"), signed(one(line, 2)), signed(one(line, 3))))
        mapping = mappings.get(one(location, 2), "-").split(" ")[0]
        locations[one(location, 1)] = "%#x %s {%s}%s" % (
            one(location, 3), mapping, "; ".join(frames), " folded" if one(location, 5) else "")
    for sample in map(fields, top.get(2, [])):
        labels = []
        for label in map(fields, sample.get(3, [])):
            value = repr(text[one(label, 2)]) if one(label, 2) else "%d %s" % (signed(one(label, 3)), text[one(label, 4)])
            labels.append("%s=%s" % (text[one(label, 1)], value))
        out.append("sample %s (%s)" % (" ".join(str(signed(v)) for v in numbers(sample.get(2, []))), ", ".join(sorted(labels))))
        out += ["  " + locations.get(i, "?") for i in numbers(sample.get(1, []))]
    return out
