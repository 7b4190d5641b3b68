// Sends push requests with Connect's client, in each of its forms. The messages are described by hand; the profile is made by hand.
//
// usage: node push.mjs URL TOKEN

import { gzipSync } from "node:zlib";

import { create, createFileRegistry } from "@bufbuild/protobuf";
import { FieldDescriptorProto_Label as Label, FieldDescriptorProto_Type as Type, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, createClient } from "@connectrpc/connect";
import { compressionGzip, createConnectTransport } from "@connectrpc/connect-node";

const [url, token] = process.argv.slice(2);
const field = (name, number, type, typeName, label = Label.OPTIONAL) => ({ name, number, type, typeName, label, jsonName: name });
const list = (name, number, typeName) => field(name, number, Type.MESSAGE, typeName, Label.REPEATED);
const set = create(FileDescriptorSetSchema, {
    file: [
        {
            name: "push.proto",
            package: "push.v1",
            syntax: "proto3",
            messageType: [
                { name: "LabelPair", field: [field("name", 1, Type.STRING), field("value", 2, Type.STRING)] },
                { name: "RawSample", field: [{ ...field("raw_profile", 1, Type.BYTES), jsonName: "rawProfile" }, field("ID", 2, Type.STRING)] },
                { name: "RawProfileSeries", field: [list("labels", 1, ".push.v1.LabelPair"), list("samples", 2, ".push.v1.RawSample")] },
                { name: "PushRequest", field: [list("series", 1, ".push.v1.RawProfileSeries")] },
                { name: "PushResponse" },
            ],
            service: [
                { name: "PusherService", method: [{ name: "Push", inputType: ".push.v1.PushRequest", outputType: ".push.v1.PushResponse" }] },
            ],
        },
    ],
});
const service = createFileRegistry(set).getService("push.v1.PusherService");

/** A profile of one stack, in pprof's protobuf. */
function pprof(types, values) {
    const varint = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...varint(Math.floor(n / 128))]);
    const bytes = (number, content) => [(number << 3) | 2, ...varint(content.length), ...content];
    const number = (of, n) => [of << 3, ...varint(n)];
    const strings = ["", "main", "cache_add", ...types.flat()];
    const message = [
        ...types.flatMap((_, at) => bytes(1, [...number(1, 3 + 2 * at), ...number(2, 4 + 2 * at)])),
        ...bytes(2, [...bytes(1, [1, 2]), ...bytes(2, values.flatMap(varint))]),
        ...[2, 1].flatMap((name, at) => bytes(4, [...number(1, at + 1), ...bytes(4, number(1, at + 1))])),
        ...[2, 1].flatMap((name, at) => bytes(5, [...number(1, at + 1), ...number(2, name)])),
        ...strings.flatMap((text) => bytes(6, [...Buffer.from(text)])),
    ];
    return gzipSync(Buffer.from(message));
}

const memory = (n) => pprof([["inuse_objects", "count"], ["inuse_space", "bytes"]], [n, n * 1000]);
const cpu = pprof([["samples", "count"], ["cpu", "nanoseconds"]], [5, 50_000_000]);
const labels = (name, more) =>
    Object.entries({ __name__: name, service_name: "shop/till", namespace: "shop", pod: "till-0", ...more }).map(([name, value]) => ({ name, value }));
const request = (n) => ({
    series: [
        { labels: labels("memory", {}), samples: [{ rawProfile: memory(n), ID: "1" }, { rawProfile: memory(n + 1), ID: "2" }] },
        { labels: labels("memory", { pod: "till-1" }), samples: [{ rawProfile: memory(n + 2), ID: "3" }] },
        { labels: labels("process_cpu", {}), samples: [{ rawProfile: cpu, ID: "4" }] },
    ],
});

async function push(options, message, secret = token) {
    const transport = createConnectTransport({ baseUrl: url, httpVersion: "1.1", ...options });
    const headers = { authorization: `Bearer ${secret}` };
    try {
        return await createClient(service, transport).push(message, { headers });
    } catch (error) {
        console.log(`${Code[error.code]}: ${error.rawMessage}`);
        return undefined;
    }
}

const packed = { sendCompression: compressionGzip, compressMinBytes: 0 };
console.log(await push({ useBinaryFormat: true, ...packed }, request(10)));
console.log(await push({ useBinaryFormat: false }, request(20)));
// One of two is damaged, then a service that is no name, then a token that is not known.
const mixed = { labels: labels("memory", {}), samples: [{ rawProfile: memory(30), ID: "1" }, { rawProfile: memory(31).subarray(0, 40), ID: "2" }] };
await push({ useBinaryFormat: true }, { series: [mixed] });
await push({ useBinaryFormat: true }, { series: [{ ...mixed, labels: labels("memory", { service_name: "a b" }) }] });
await push({ useBinaryFormat: true }, request(40), "hv_wrong");
