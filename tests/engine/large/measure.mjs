/** Measures what `run.sh` describes: `node measure.mjs ENGINE.wasm HEAPVIEW FOLDER`. */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Attached, fileOf, load } from "../load.mjs";

const [, , wasm, heapview, folder] = process.argv;
const MOST_MEMORY = 1 << 30;
/** Of the bytes of the debug file. */
const MOST_READ = 0.25;

const at = (name) => join(folder, name);
const decoder = new TextDecoder();
const attached = new Attached();
const instance = load(wasm).start(attached.page);
let from = performance.now();

function step(what, { status, body }) {
  const ms = performance.now() - from;
  const read = `${attached.nReads} reads, ${(attached.nBytes / 1e6).toFixed(1)} MB read`;
  console.log(
    `${what}: ${ms.toFixed(0)} ms, ${(instance.memoryBytes / 1e6).toFixed(0)} MB of memory, ${read} so far`,
  );
  const text = decoder.decode(body);
  if (status !== 200) throw new Error(`${what}: ${status} ${text}`);
  from = performance.now();
  return text;
}

const dump = readFileSync(at("shelves.heap"));
step("open", instance.open([fileOf("shelves.heap", dump)]));
for (const name of ["shelves", "shelves.debug"])
  step(`attach ${name}`, attached.attach(instance, name, at(name)));
console.log(step("symbolize", instance.symbolize()));
const ours = step(
  "traces",
  instance.answer("/api/v1/traces.json?g=lines&n=1000"),
);
console.log(
  `${attached.progress.length} reports of progress, such as`,
  attached.progress.at(-1),
);

const options = ["-traces", "-json", "-lines", "-nodecount=1000"];
const theirs = execFileSync(
  heapview,
  [...options, at("shelves"), at("shelves.heap")],
  {
    encoding: "utf8",
    maxBuffer: 1 << 30,
    env: {
      ...process.env,
      XDG_CACHE_HOME: "/dev/null",
      PPROF_BINARY_PATH: folder,
    },
    stdio: ["ignore", "pipe", "ignore"],
  },
);
console.log(`native: ${(performance.now() - from).toFixed(0)} ms`);

const size = statSync(at("shelves.debug")).size;
/** Frames of the program; those of the system's libraries have names where the machine has the libraries. */
const frames = (json) =>
  JSON.parse(json).trace.map(({ frames }) =>
    frames.filter((frame) => /unit\.cc|main\.cc/.test(JSON.stringify(frame))),
  );
const [a, b] = [ours, theirs].map((json) => JSON.stringify(frames(json)));
const problems = [
  [!/visit [^"]*unit\.cc:\d/.test(a), "no name of the program is shown"],
  [a !== b, "names differ from those that the program finds"],
  [instance.memoryBytes > MOST_MEMORY, "too much memory"],
  [
    attached.nBytes > size * MOST_READ,
    `read more than ${MOST_READ} of the debug file's ${size} bytes`,
  ],
].filter(([is]) => is);
for (const [, problem] of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
