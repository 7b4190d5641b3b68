import type { SourceCall, SourceEntry, SourceInstruction } from '../../api/types';

/** Rows of machine code: source lines, instructions, inlined calls and gaps. */

export type CodeRow =
  | { readonly kind: 'line'; readonly line: number; readonly text: string }
  | { readonly kind: 'call'; readonly line: number; readonly depth: number; readonly call: SourceCall }
  | { readonly kind: 'gap'; readonly line: number }
  | { readonly kind: 'code'; readonly line: number; readonly depth: number; readonly code: SourceInstruction };

/** Rows of an entry's code, by line, then address. A call that the instruction before shares is not repeated. */
export function codeRows(entry: SourceEntry): readonly CodeRow[] {
  const rows: CodeRow[] = [];
  const text = new Map(entry.lines.number.map((n, i) => [n, entry.lines.text[i] ?? '']));
  let line: number | undefined;
  let open: readonly number[] = [];
  for (const code of entry.code) {
    if (code.line !== line) {
      ({ line } = code);
      open = [];
      rows.push({ kind: 'line', line, text: (text.get(line) ?? '').trim() });
    } else if (code.apart) {
      open = [];
      rows.push({ kind: 'gap', line });
    }
    const { calls } = code;
    const at = calls.findIndex((call, depth) => call !== open[depth]);
    const same = at < 0 ? calls.length : at;
    calls.slice(same).forEach((number, i) => {
      const call = entry.call[number];
      if (call !== undefined) rows.push({ kind: 'call', line: code.line, depth: same + i, call });
    });
    open = calls;
    rows.push({ kind: 'code', line: code.line, depth: calls.length, code });
  }
  return rows;
}

/** First row with code of `line`, or of the next line with code; −1 if there is none. */
export function rowOfLine(rows: readonly CodeRow[], line: number): number {
  return rows.findIndex((row) => row.kind === 'line' && row.line >= line);
}

/** `callq *8(%rip) # 0x1080 <name>` → mnemonic, operands, and the comment. */
export function partsOf(text: string): { readonly mnemonic: string; readonly operands: string; readonly note: string } {
  const [mnemonic = '', ...rest] = text.split('\t');
  const [operands = '', ...note] = rest
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
    .split(/ (?=# )/);
  return { mnemonic, operands, note: note.join(' ') };
}
