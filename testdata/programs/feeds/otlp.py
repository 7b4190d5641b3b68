#!/usr/bin/env python3
"""Sends heap profiles with the messages of the package opentelemetry-proto: one dump, as collectors convert one of pprof, with a profile
for each value type, and one of processor time.

usage: otlp.py URL TOKEN"""

import sys
import urllib.request

from opentelemetry.proto.collector.profiles.v1development.profiles_service_pb2 import (
    ExportProfilesServiceRequest,
    ExportProfilesServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.profiles.v1development import profiles_pb2 as otlp

TIME = 1_700_000_000_000_000_000

strings = [""]


def text(of):
    if of not in strings:
        strings.append(of)
    return strings.index(of)


dictionary = otlp.ProfilesDictionary()
dictionary.attribute_table.add()
build_id = AnyValue(string_value="0123456789abcdef")
dictionary.attribute_table.add(key_strindex=text("process.executable.build_id.gnu"), value=build_id)
dictionary.attribute_table.add(key_strindex=text("thread.name"), value=AnyValue(string_value="till"))
dictionary.mapping_table.add()
dictionary.mapping_table.add(
    memory_start=0x400000, memory_limit=0x500000, filename_strindex=text("/usr/bin/forest"), attribute_indices=[1]
)
dictionary.function_table.add()
dictionary.location_table.add()
for at, name in enumerate(["cache_add", "serve", "main", "init"]):
    dictionary.function_table.add(name_strindex=text(name), filename_strindex=text("forest.c"))
    location = dictionary.location_table.add(mapping_index=1, address=0x401000 + at)
    location.lines.add(function_index=at + 1, line=10 * (at + 1))
dictionary.stack_table.add()
dictionary.stack_table.add(location_indices=[1, 2, 3])
dictionary.stack_table.add(location_indices=[4, 3])

request = ExportProfilesServiceRequest()
resource = request.resource_profiles.add()
for key, value in [
    ("service.name", AnyValue(string_value="forest")),
    ("service.version", AnyValue(string_value="0.39")),
    ("deployment.environment.name", AnyValue(string_value="test")),
    ("host.name", AnyValue(string_value="web-1")),
    ("process.pid", AnyValue(int_value=4711)),
    ("zone", AnyValue(string_value="eu")),
]:
    resource.resource.attributes.append(KeyValue(key=key, value=value))
scope = resource.scope_profiles.add()


def profile(kind, unit, values, time):
    added = scope.profiles.add(time_unix_nano=time)
    added.sample_type.CopyFrom(otlp.ValueType(type_strindex=text(kind), unit_strindex=text(unit)))
    for stack, value in enumerate(values, start=1):
        added.samples.add(stack_index=stack, values=[value], attribute_indices=[2] if stack == 1 else [])


profile("inuse_objects", "count", [3, 1], TIME)
profile("inuse_space", "bytes", [3000, 100], TIME)
profile("cpu", "nanoseconds", [10_000_000, 20_000_000], TIME + 1)
dictionary.string_table.extend(strings)
request.dictionary.CopyFrom(dictionary)

url, token = sys.argv[1:]
headers = {"Content-Type": "application/x-protobuf", "Authorization": f"Bearer {token}"}
call = urllib.request.Request(f"{url}/v1development/profiles", request.SerializeToString(), headers)
with urllib.request.urlopen(call) as answer:
    print(answer.status, ExportProfilesServiceResponse.FromString(answer.read()))
