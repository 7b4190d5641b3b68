/**
 * The engine in Node beside the same code built for this machine, run by run in turn; the best of RUNS runs counts.
 *
 *     cargo build --release -p heapview-engine --example native
 *     python3 benches/gen_profile.py pb --stacks 75000 page.pb.gz
 *     node benches/engine.mjs target/engine/heapview.wasm target/release/examples/native page.pb.gz
 *
 * Answers of the engine may take at most 2.5 times as long. Opening is from bytes in memory to a session; answers come in the
 * order in which the page asks, from a session that keeps trees and totals.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { load } from "../tests/engine/load.mjs";

const [, , wasm, native, ...files] = process.argv;
const RUNS = Number(process.env.RUNS ?? 3);
const AIM = 2.5;

const QUESTIONS = [
  ["first flame graph", "/api/v1/flame?open=auto"],
  ["flame graph again", "/api/v1/flame?open=auto&nf=0.01"],
  ["first table", "/api/v1/top?rows=0-99&order=cum"],
  ["search in the table", "/api/v1/top?rows=0-99&order=cum&find=Function01.*7"],
  ["focus by regexp", "/api/v1/flame?open=auto&f=Function01.*7"],
  ["hide by regexp", "/api/v1/top?rows=0-99&h=part_2"],
  ["callers and callees", "/api/v1/peek?peek=Function0248&n=20"],
  ["graph", "/api/v1/graph"],
  ["by line", "/api/v1/top?g=lines&rows=0-99"],
  ["summary", "/api/v1/summary"],
];

function ofEngine(module, file) {
  const instance = module.start();
  const time = (call) => {
    const from = performance.now();
    const { status, body } = call();
    if (status !== 200) throw new Error(new TextDecoder().decode(body));
    return { ms: performance.now() - from, bytes: body.length };
  };
  const bytes = readFileSync(file);
  const opened = time(() =>
    instance.open([
      { name: basename(file), size: bytes.length, pieces: [bytes] },
    ]),
  );
  const answers = QUESTIONS.map(([, path]) =>
    time(() => instance.answer(path)),
  );
  return { times: [opened, ...answers], memory: instance.memoryBytes };
}

function ofNative(file) {
  const text = execFileSync(
    native,
    [file, ...QUESTIONS.map(([, path]) => path)],
    { encoding: "utf8" },
  );
  const lines = text.trim().split("\n");
  return lines
    .map((line) => line.split(" ").map(Number))
    .map(([ms, bytes]) => ({ ms, bytes }));
}

const module = load(wasm);
for (const file of files) {
  const runs = Array.from({ length: RUNS }, () => ({
    native: ofNative(file),
    ...ofEngine(module, file),
  }));
  console.log(
    `${basename(file)}, best of ${RUNS}; the engine had ${(runs[0].memory / 1e6).toFixed(0)} MB`,
  );
  [["open"], ...QUESTIONS].forEach(([name], i) => {
    const best = (of) => Math.min(...runs.map((run) => of(run)[i].ms));
    const [a, b] = [best((run) => run.native), best((run) => run.times)];
    const same =
      i === 0 || runs[0].native[i].bytes === runs[0].times[i].bytes
        ? ""
        : " (answers differ)";
    const ratio = b / a;
    console.log(
      `${name.padEnd(22)} native ${a.toFixed(1).padStart(9)} ms  engine ${b.toFixed(1).padStart(9)} ms  ${ratio.toFixed(2)} ×${ratio > AIM ? " !" : ""}${same}`,
    );
  });
}
