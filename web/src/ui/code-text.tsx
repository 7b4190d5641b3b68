import type { Piece } from '../logic/source/syntax';

/** A line of source: coloured pieces, or plain text while there are none. */
export function CodeText({ pieces, text }: { readonly pieces: readonly Piece[] | undefined; readonly text: string }) {
  if (pieces === undefined || pieces.length === 0) return <code>{text}</code>;
  return (
    <code>
      {pieces.map((piece, i) =>
        piece.kind === '' ? (
          piece.text
        ) : (
          <span key={i} class={`tok-${piece.kind}`}>
            {piece.text}
          </span>
        ),
      )}
    </code>
  );
}
