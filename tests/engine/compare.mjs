/**
 * Asks the engine what `tests/it/engine.rs` asked the same code built for this machine, and compares every byte.
 *
 *     node tests/engine/compare.mjs ENGINE.wasm FOLDER
 *
 * FOLDER has `cases.json`: files to open, binaries to attach, questions, and the name of a file with the expected replies.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Attached, EngineError, fileOf, load } from "./load.mjs";

const [, , wasm, folder] = process.argv;
const MOST_SHOWN = 10;

const engine = load(wasm);
let instance = engine.start();
let n = 0;
let nDifferent = 0;

/** The replies in a file, compressed: a line of JSON with the length of the body, then the body. */
function* replies(path) {
  const bytes = gunzipSync(readFileSync(path));
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const head = JSON.parse(bytes.toString("utf8", at, end));
    const body = bytes.subarray(end + 1, end + 1 + head.length);
    at = end + 1 + head.length;
    yield { head, body };
  }
}

/** Where two bodies differ, with what is around it. */
function difference(expected, got) {
  let at = 0;
  while (at < Math.min(expected.length, got.length) && expected[at] === got[at])
    at++;
  const shown = (bytes) =>
    JSON.stringify(bytes.toString("utf8", Math.max(0, at - 60), at + 100));
  return `  at byte ${at} of ${expected.length} and ${got.length}\n  native ${shown(expected)}\n  engine ${shown(got)}`;
}

function ask(call) {
  try {
    const { status, contentType, fileName, body } = call();
    return { head: { status, contentType, fileName }, body: Buffer.from(body) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    instance = engine.start();
    return { head: { trap: error.message }, body: Buffer.alloc(0) };
  }
}

function compare(label, expected, { head, body }) {
  n++;
  const { length: _, ...wanted } = expected.head;
  const isSame = JSON.stringify(wanted) === JSON.stringify(head);
  if (isSame && expected.body.equals(body)) return;
  if (++nDifferent > MOST_SHOWN) return;
  console.error(
    `${label}\n  native ${JSON.stringify(wanted)}\n  engine ${JSON.stringify(head)}`,
  );
  if (isSame) console.error(difference(expected.body, body));
}

for (const { label, files, attached, questions, replies: name } of JSON.parse(
  readFileSync(join(folder, "cases.json"), "utf8"),
)) {
  const expected = replies(join(folder, name));
  const opened = () =>
    instance.open(
      files.map(({ name, path }) => fileOf(name, readFileSync(path))),
    );
  const binaries = new Attached();
  if (attached.length > 0) instance = engine.start(binaries.page);
  compare(`open ${label}`, expected.next().value, ask(opened));
  for (const { name, path } of attached)
    compare(
      `${label}: attach ${name}`,
      expected.next().value,
      ask(() => binaries.attach(instance, name, path)),
    );
  if (attached.length > 0)
    compare(
      `${label}: symbolize`,
      expected.next().value,
      ask(() => instance.symbolize()),
    );
  for (const question of questions)
    compare(
      `${label} ${question}`,
      expected.next().value,
      ask(() => instance.answer(question)),
    );
  binaries.close();
  // Files stay attached.
  if (attached.length > 0) instance = engine.start();
}
console.log(`${n} answers of the engine compared, ${nDifferent} differ`);
process.exitCode = nDifferent > 0 || n === 0 ? 1 : 0;
