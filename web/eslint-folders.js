import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), 'src');

/**
 * Folder → folders that it may import from. `shell` surrounds views and shows them; no view knows the shell. A view imports no
 * other view: what two views share is in views/shared. Files in src/ itself (main, place) may import everything, and nothing
 * imports them. Cycles, also inside one folder, are found by src/imports.test.ts.
 */
const MAY_IMPORT = {
  api: [],
  logic: ['api'],
  engine: [],
  site: ['engine', 'logic', 'api'],
  paint: ['logic', 'api'],
  ui: ['logic', 'api'],
  workers: ['logic'],
  state: ['logic', 'api'],
  'views/shared': ['state', 'ui', 'paint', 'logic', 'api'],
  views: ['views/shared', 'state', 'ui', 'paint', 'logic', 'api'],
  shell: ['views', 'views/shared', 'state', 'ui', 'paint', 'logic', 'api'],
};

/** The layer of a file (a key of MAY_IMPORT) and its folder, e.g. `views` and `views/flame`. */
function placeOf(path) {
  const parts = relative(SOURCE, path).split(sep);
  if (parts.length < 2 || parts[0] === '..') return undefined;
  const [top, folder] = parts;
  if (top !== 'views') return { layer: top, folder: top };
  return { layer: folder === 'shared' ? 'views/shared' : 'views', folder: `views/${folder}` };
}

/** Reports imports against MAY_IMPORT, and code of api/fetch outside of state: only state talks to the server. */
export const folders = {
  meta: { type: 'problem', schema: [], docs: { description: 'Folders of web/src import in one direction.' } },
  create(context) {
    const from = placeOf(context.filename);
    if (from === undefined) return {};
    const check = (node) => {
      const target = node.source?.value;
      if (typeof target !== 'string' || !target.startsWith('.')) return;
      const path = join(dirname(context.filename), target);
      const to = placeOf(path);
      const allowed = MAY_IMPORT[from.layer] ?? [];
      const inside = to !== undefined && (to.folder === from.folder || allowed.includes(to.layer));
      if (!inside) {
        const message = `${from.folder}/ may import only from: ${[from.folder, ...allowed].join(', ')}.`;
        context.report({ node, message });
      } else if (
        relative(SOURCE, path) === join('api', 'fetch') &&
        from.layer !== 'state' &&
        from.layer !== 'api' &&
        node.importKind !== 'type'
      ) {
        context.report({ node, message: 'Only state/ talks to the server.' });
      }
    };
    return { ImportDeclaration: check, ImportExpression: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};
