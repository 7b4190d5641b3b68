import { describe, expect, it } from 'vitest';

/** Every source file, as text by path below src/ without extension. */
const FILES: ReadonlyMap<string, string> = new Map(
  Object.entries(
    import.meta.glob<string>(['./**/*.{ts,tsx}', '!./**/*.test.ts', '!./**/*.d.ts'], { query: '?raw', import: 'default', eager: true }),
  ).map(([path, text]) => [path.replace(/^\.\//, '').replace(/\.tsx?$/, ''), text]),
);

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** `a/b/c` and `../d` give `a/d`. */
function resolved(from: string, target: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** File → files that it imports, types included. */
function importsOf(files: ReadonlyMap<string, string>): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [path, text] of files) {
    const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target = '']) => resolved(path, target));
    graph.set(path, new Set(found.filter((target) => files.has(target) && target !== path)));
  }
  return graph;
}

/** The same between the files and folders directly in `folder`. */
function unitsOf(graph: Graph, folder: string): Graph {
  const unit = (path: string): string | undefined => (path.startsWith(folder) ? path.slice(folder.length).split('/')[0] : undefined);
  const units = new Map<string, Set<string>>();
  for (const [path, targets] of graph) {
    const from = unit(path);
    if (from === undefined) continue;
    const to = units.get(from) ?? new Set();
    units.set(from, to);
    for (const target of targets) {
      const other = unit(target);
      if (other !== undefined && other !== from) to.add(other);
    }
  }
  return units;
}

/** The first cycle that is found, as the units it goes through; empty when there is none. */
function cycleIn(graph: Graph): readonly string[] {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (unit: string): readonly string[] => {
    if (way.includes(unit)) return [...way.slice(way.indexOf(unit)), unit];
    if (done.has(unit)) return [];
    way.push(unit);
    for (const other of graph.get(unit) ?? []) {
      const cycle = visit(other);
      if (cycle.length > 0) return cycle;
    }
    way.pop();
    done.add(unit);
    return [];
  };
  for (const unit of graph.keys()) {
    const cycle = visit(unit);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

describe('imports', () => {
  const graph = importsOf(FILES);
  const folders = new Set(
    [...FILES.keys()].flatMap((path) =>
      path.split('/').map((_, i, parts) =>
        parts
          .slice(0, i)
          .map((p) => `${p}/`)
          .join(''),
      ),
    ),
  );

  it('are read from every file', () => {
    expect(FILES.size).toBeGreaterThan(200);
    expect(graph.get('main')?.has('shell/page')).toBe(true);
    expect(folders.has('views/flame/')).toBe(true);
  });
  it('have no cycle of files', () => {
    expect(cycleIn(graph)).toEqual([]);
  });
  it('have no cycle of files and folders in any folder', () => {
    for (const folder of folders) expect(cycleIn(unitsOf(graph, folder)), folder).toEqual([]);
  });
  it('show a cycle where there is one', () => {
    const files = new Map([
      ['a/x', "import { y } from '../b/y';"],
      ['a/z', ''],
      ['b/y', "import type { Z } from '../a/z';"],
    ]);
    expect(cycleIn(importsOf(files))).toEqual([]);
    expect(cycleIn(unitsOf(importsOf(files), ''))).toEqual(['a', 'b', 'a']);
  });
});
