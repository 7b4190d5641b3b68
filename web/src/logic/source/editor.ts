/** Editors that open a file by a link, and the link. */

export const EDITORS = [
  ['none', 'Choose…'],
  ['vscode', 'VS Code'],
  ['cursor', 'Cursor'],
  ['zed', 'Zed'],
  ['idea', 'IntelliJ'],
] as const;
export type Editor = (typeof EDITORS)[number][0];

export function isEditor(text: string | null): text is Editor {
  return EDITORS.some(([name]) => name === text);
}

export function editorLabel(editor: Editor): string {
  return EDITORS.find(([name]) => name === editor)?.[1] ?? '';
}

/** The link that opens `line` of a file on this machine; undefined without an editor or a path. */
export function editorLink(editor: Editor, path: string, line: number): string | undefined {
  if (path === '' || editor === 'none') return undefined;
  // Windows has no slash before the drive.
  const rooted = path.replaceAll('\\', '/').replace(/^(?!\/)/, '/');
  const escaped = rooted.split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':');
  const at = Math.max(1, line);
  return editor === 'idea' ? `idea://open?file=${encodeURIComponent(path)}&line=${at}` : `${editor}://file${escaped}:${at}`;
}
