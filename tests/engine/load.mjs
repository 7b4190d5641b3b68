/** The engine in Node, by the page's own code (`web/src/engine/engine.ts`). */
import { readFileSync } from "node:fs";
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
  const imports = WebAssembly.Module.imports(module);
  if (imports.length > 0)
    throw new Error(
      `the engine imports ${imports.map(({ name }) => name).join(", ")}: it may reach nothing`,
    );
  return {
    start: () => new script.Engine(module, randomBytes(8).readBigUInt64LE()),
  };
}
