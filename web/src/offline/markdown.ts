/** Texts as Markdown shows them (`src/render/markdown.rs`, `src/base/plain.rs`): what a profile calls its functions stays text. */

/** Controls, separators of lines, and marks that turn the order of what follows around. */
const MISLEADING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One printable line. */
export function oneLine(text: string): string {
  return text.replace(MISLEADING, (c) => ESCAPES[c] ?? `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A text in a line or a table's cell. */
export function markdownText(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]|#~@!]/g, '\\$&');
}

/** A name as code in a line or a table's cell. */
export function markdownCode(text: string): string {
  const name = oneLine(text).replaceAll('|', '\u2223');
  if (name === '') return '(no name)';
  const longest = Math.max(0, ...(name.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = name.startsWith('`') || name.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${name}${pad}${fence}`;
}
