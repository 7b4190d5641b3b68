/**
 * Opens mutated files in the engine and asks mutated questions: no answer may be a trap.
 *
 *     node tests/engine/fuzz.mjs ENGINE.wasm --seconds N [--seed N] FOLDER...
 *
 * Files that trap are written to target/engine-fuzz, with the question in their name's `.txt`.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { EngineError, fileOf, load } from "./load.mjs";
import { createRandom } from "./random.mjs";

const [, , wasm, ...words] = process.argv;
const option = (name, otherwise) =>
  words.includes(name)
    ? Number(words.splice(words.indexOf(name), 2)[1])
    : otherwise;
const seconds = option("--seconds", 10);
const { random, pick } = createRandom(option("--seed", Date.now() % 1e9));
const OUT = "target/engine-fuzz";
const MOST_BYTES = 33 << 10;
/** Questions that take longer than this are reported, milliseconds. */
const SLOW = 10_000;

const ALL = [
  "summary",
  "explain",
  "top",
  "tree",
  "peek",
  "flame",
  "graph",
  "traces",
  "tags",
  "sizes",
  "types",
  "growth",
  "source",
  "disasm",
];
const ENDINGS = [
  "",
  "",
  "",
  "",
  ".txt",
  ".csv",
  ".json",
  ".dot",
  ".svg",
  ".folded",
  ".md",
];
const VALUES = [
  "",
  "0",
  "1",
  "-1",
  "t",
  "f",
  "main",
  ".",
  ".*",
  "((",
  "[[:alpha:]]+",
  "(a|b){1,9}",
  "x{1,999}",
  "0,1",
  "1e308",
  "-0",
  "NaN",
  "9".repeat(19),
  "é",
];

const engine = load(wasm);
let instance = engine.start();
const decoder = new TextDecoder();
const fields = (() => {
  instance.open([
    fileOf("x", new TextEncoder().encode("# inuse_space bytes\nmain;a 5\n")),
  ]);
  return JSON.parse(decoder.decode(instance.answer("/api/v1/fields").body));
})();

function* files(path) {
  if (statSync(path).isDirectory())
    for (const name of readdirSync(path).sort()) yield* files(join(path, name));
  else if (statSync(path).size <= MOST_BYTES) yield path;
}
const seeds = words.flatMap((folder) => [...files(folder)]);

function mutated(bytes) {
  let out = Uint8Array.from(bytes);
  for (let n = random(4); n > 0 && out.length > 0; n--) {
    const at = random(out.length);
    const length = 1 + random(Math.min(64, out.length - at));
    const other = readFileSync(pick(seeds));
    const changes = [
      () => (out[at] ^= 1 << random(8)),
      () => (out[at] = pick([0, 1, 10, 32, 45, 48, 57, 127, 128, 255])),
      () => (out = out.slice(0, at)),
      () =>
        (out = Uint8Array.from([
          ...out.subarray(0, at),
          ...out.subarray(at + length),
        ])),
      () =>
        (out = Uint8Array.from([
          ...out.subarray(0, at),
          ...out.subarray(at, at + length),
          ...out.subarray(at),
        ])),
      () =>
        (out = Uint8Array.from([
          ...out.subarray(0, at),
          ...other.subarray(0, random(other.length + 1)),
        ])),
    ];
    pick(changes)();
  }
  return out;
}

function question() {
  const name = pick(ALL);
  const parameters = Array.from({ length: random(4) }, () => {
    const { name, alias, choices } = pick(fields);
    const value =
      choices.length > 0 && random(3) > 0 ? pick(choices) : pick(VALUES);
    return `${alias !== "" && random(2) > 0 ? alias : name}=${encodeURIComponent(value)}`;
  });
  if (random(20) === 0) return `/download?${parameters.join("&")}`;
  return `/api/v1/${name}${pick(ENDINGS)}?${parameters.join("&")}`;
}

const traps = new Set();
let [nOpened, nFiles, nAnswers] = [0, 0, 0];
for (
  const end = Date.now() + seconds * 1000;
  Date.now() < end && seeds.length > 0;
) {
  const chosen = Array.from({ length: random(8) === 0 ? 2 : 1 }, () =>
    pick(seeds),
  );
  const opened = chosen.map((path) =>
    fileOf(basename(path), mutated(readFileSync(path))),
  );
  let asked = "open";
  try {
    nFiles++;
    const from = Date.now();
    if (instance.open(opened).status === 200) {
      nOpened++;
      for (let n = 0; n < 8; n++) {
        const before = Date.now();
        asked = question();
        instance.answer(asked);
        nAnswers++;
        if (Date.now() - before > SLOW)
          console.error(
            `slow: ${chosen.join(" ")} ${asked} took ${Date.now() - before} ms`,
          );
      }
    } else if (Date.now() - from > SLOW)
      console.error(
        `slow: ${chosen.join(" ")} open took ${Date.now() - from} ms`,
      );
    if (instance.memoryBytes > 1 << 29) instance = engine.start();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    instance = engine.start();
    const place = /src\/\S+:\d+/.exec(error.message)?.[0] ?? error.message;
    if (traps.has(place)) continue;
    traps.add(place);
    mkdirSync(OUT, { recursive: true });
    opened.forEach(({ pieces: [bytes] }, i) =>
      writeFileSync(join(OUT, `trap-${traps.size}-${i}`), bytes),
    );
    writeFileSync(
      join(OUT, `trap-${traps.size}.txt`),
      `${chosen.join(" ")}\n${asked}\n${error.stack}\n`,
    );
    console.error(
      `trap ${traps.size}: ${chosen.join(" ")} ${asked}\n  ${error.message}`,
    );
  }
}
console.log(
  `${nFiles} mutated files of ${seeds.length} seeds, ${nOpened} opened, ${nAnswers} answers, ${traps.size} traps`,
);
process.exitCode = traps.size > 0 || nAnswers === 0 ? 1 : 0;
