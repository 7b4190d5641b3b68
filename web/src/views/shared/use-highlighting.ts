import { useEffect, useState } from 'preact/hooks';
import type { SourceEntry } from '../../api/types';
import { languageOf, runsOf, untabbedLines, type Piece } from '../../logic/source/syntax';
import type { Store } from '../../state/store';

export type Pieces = ReadonlyMap<number, readonly Piece[]>;

const NOTHING: Pieces = new Map();
/** Longer texts stay plain, so that the page never freezes. */
const LONGEST = 400_000;

/** Index of a line → its coloured pieces; empty until the highlighter is loaded, and for languages that it does not know. */
export function usePieces(store: Store, entry: SourceEntry): Pieces {
  const [pieces, setPieces] = useState<{ readonly of: SourceEntry; readonly pieces: Pieces }>();
  useEffect(() => {
    const language = languageOf(entry.file);
    if (language === undefined || entry.problem !== '') return undefined;
    let isWanted = true;
    const end = store.busy.begin();
    const load = async (): Promise<void> => {
      const { highlight } = await import('./highlight');
      if (!isWanted) return;
      const found = new Map<number, readonly Piece[]>();
      let room = LONGEST;
      for (const run of runsOf(entry.lines.number, entry.lines.text)) {
        const text = untabbedLines(run.map((i) => entry.lines.text[i] ?? ''));
        room -= text.length;
        if (room < 0) break;
        const lines = highlight(text, language);
        run.forEach((index, i) => found.set(index, lines[i] ?? []));
      }
      setPieces({ of: entry, pieces: found });
    };
    load().then(end, end);
    return () => {
      isWanted = false;
      end();
    };
  }, [entry]);
  return pieces?.of === entry ? pieces.pieces : NOTHING;
}
