/** The engine in Node, by the page's own code (`web/src/engine/engine.ts`). */
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
} from "node:fs";
import { createRequire } from "node:module";
import { randomBytes } from "node:crypto";

const web = new URL("../../web/", import.meta.url);
const typescript = createRequire(new URL("package.json", web))("typescript");
const source = readFileSync(new URL("src/engine/engine.ts", web), "utf8");
const target = typescript.ScriptTarget.ES2022;
const { outputText } = typescript.transpileModule(source, {
  compilerOptions: { target, module: typescript.ModuleKind.ES2022 },
});
const script = await import(
  `data:text/javascript,${encodeURIComponent(outputText)}`
);

export const { EngineError, fileOf } = script;

/** The engine at `path`, to be started as often as needed. */
export function load(path) {
  const module = new WebAssembly.Module(readFileSync(path));
  const imports = WebAssembly.Module.imports(module).map(
    ({ module, name }) => `${module}.${name}`,
  );
  const more = imports.filter(
    (name) => !["page.progress", "page.read"].includes(name),
  );
  if (more.length > 0)
    throw new Error(`the engine imports ${more.join(", ")}: it may not`);
  return {
    start: (page) =>
      new script.Engine(module, randomBytes(8).readBigUInt64LE(), page),
  };
}

/** Files of this machine, as the page has those that were dropped on it; counts what the engine reads of them. */
export class Attached {
  #files = [];
  nReads = 0;
  nBytes = 0;
  /** What the engine reported. */
  progress = [];

  /** What the engine imports. */
  page = {
    read: (number, offset, into) => {
      const file = this.#files[number];
      this.nReads++;
      this.nBytes += into.length;
      if (typeof file === "number")
        return readSync(file, into, 0, into.length, offset);
      const bytes = file.subarray(offset, offset + into.length);
      into.set(bytes);
      return bytes.length;
    },
    progress: (json) => this.progress.push(JSON.parse(json)),
  };

  /** Attaches the file at `path`. */
  attach(instance, name, path) {
    const file = openSync(path);
    this.#files.push(file);
    return instance.attach(name, fstatSync(file).size);
  }

  /** Attaches a file with these bytes. */
  attachBytes(instance, name, bytes) {
    this.#files.push(bytes);
    return instance.attach(name, bytes.length);
  }

  close() {
    this.#files
      .splice(0)
      .filter((file) => typeof file === "number")
      .forEach((file) => closeSync(file));
  }
}
