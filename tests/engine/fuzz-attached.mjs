/**
 * Attaches mutated binaries and debug files to the engine and looks up names: no answer may be a trap.
 *
 *     node tests/engine/fuzz-attached.mjs ENGINE.wasm --seconds N [--seed N] FOLDER...
 *
 * Each folder has a dump (`*.heap`) and the files to attach; `DUMP=FOLDER` names the dump of a folder that has none. Files that
 * trap are written to target/engine-fuzz.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { Attached, EngineError, fileOf, load } from "./load.mjs";
import { createRandom } from "./random.mjs";

const [, , wasm, ...words] = process.argv;
const option = (name, otherwise) =>
  words.includes(name)
    ? Number(words.splice(words.indexOf(name), 2)[1])
    : otherwise;
const seconds = option("--seconds", 10);
const seed = option("--seed", Date.now() % 1e9);
const OUT = "target/engine-fuzz";
const { random, pick } = createRandom(seed);
/** Attaching and looking up that take longer than this are reported, milliseconds. */
const SLOW = 20_000;
const QUESTIONS = ["top?g=lines", "traces", "meta", "flame"];

function* files(path) {
  if (statSync(path).isDirectory())
    for (const name of readdirSync(path).sort()) yield* files(join(path, name));
  else yield path;
}
const cases = words.map((word) => {
  const [folder, dump] = word.split("=").reverse();
  const found = [...files(folder)];
  const isDump = (path) => path.endsWith(".heap");
  return {
    dump: readFileSync(dump ?? found.find(isDump)),
    binaries: found
      .filter((path) => !isDump(path))
      .map((path) => ({ name: basename(path), bytes: readFileSync(path) })),
  };
});

/** Places that matter more than others: headers at the begin, their tables at the end. */
function place(length) {
  const near = Math.min(length, 4096);
  return pick([
    () => random(Math.min(length, 64)),
    () => random(near),
    () => length - 1 - random(near),
    () => random(length),
    () => random(length),
  ])();
}

function mutated(bytes) {
  let out = Uint8Array.from(bytes);
  for (let n = random(12); n > 0 && out.length > 0; n--) {
    const at = place(out.length);
    const changes = [
      () => (out[at] ^= 1 << random(8)),
      () => (out[at] = pick([0, 1, 127, 128, 255])),
      () => out.fill(pick([0, 255]), at, at + 1 + random(16)),
      () => out.copyWithin(at, random(out.length), random(out.length)),
      () => random(8) === 0 && (out = out.slice(0, at)),
    ];
    pick(changes)();
  }
  return out;
}

const engine = load(wasm);
const traps = new Set();
let [nFiles, nAttached, nNamed] = [0, 0, 0];
for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
  const { dump, binaries } = pick(cases);
  const attached = new Attached();
  const instance = engine.start(attached.page);
  const changed = binaries.map(({ name, bytes }) => ({
    name,
    bytes: random(3) === 0 ? bytes : mutated(bytes),
  }));
  const from = Date.now();
  try {
    instance.open([fileOf("dump.heap", dump)]);
    for (const { name, bytes } of changed) {
      nFiles++;
      const { status } = attached.attachBytes(instance, name, bytes);
      if (status === 200) nAttached++;
    }
    instance.symbolize();
    nNamed++;
    instance.answer(`/api/v1/${pick(QUESTIONS)}`);
    if (Date.now() - from > SLOW)
      console.error(`slow: ${changed[0]?.name} took ${Date.now() - from} ms`);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const reason = /src\/\S+:\d+/.exec(error.message)?.[0] ?? error.message;
    if (traps.has(reason)) continue;
    traps.add(reason);
    const folder = join(OUT, `attached-${traps.size}`);
    mkdirSync(folder, { recursive: true });
    for (const { name, bytes } of changed)
      writeFileSync(join(folder, name), bytes);
    writeFileSync(join(folder, "dump.heap"), dump);
    console.error(`trap ${traps.size}: ${folder}\n  ${error.stack}`);
  }
}
console.log(
  `${nFiles} mutated binaries, ${nAttached} attached, names looked up ${nNamed} times, ${traps.size} traps (seed ${seed})`,
);
process.exitCode = traps.size > 0 || nNamed === 0 ? 1 : 0;
