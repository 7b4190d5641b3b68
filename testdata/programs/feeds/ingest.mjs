// A service that keeps memory and sends profiles of itself with Pyroscope's SDK for Node, as heap and wall profiles.
//
// usage: node ingest.mjs URL TOKEN

import Pyroscope from "@pyroscope/nodejs";

const [url, token] = process.argv.slice(2);

function fillCache(n) {
    const cache = [];
    for (let at = 0; at < n; at++) cache.push({ name: `item ${at}`, bytes: new Array(1000).fill(at) });
    return cache;
}

Pyroscope.init({
    serverAddress: url,
    appName: "forest",
    authToken: token,
    tenantID: "team-a",
    tags: { env: "test", version: "0.39", hostname: "web-1" },
    flushIntervalMs: 2000,
    heap: { samplingIntervalBytes: 16384, stackDepth: 32 },
});
Pyroscope.start();
const cache = fillCache(5000);
setTimeout(async () => {
    await Pyroscope.stop();
    console.log(`kept ${cache.length} items`);
    process.exit(0);
}, 5000);
