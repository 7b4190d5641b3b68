import { breakable } from '../logic/names/names';

/** A long name or path that breaks after `::`, `/`, `<` or a comma before it breaks inside a word. */
export function BreakableText({ text }: { readonly text: string }) {
  return (
    <bdi class="breakable">
      {breakable(text).map((part, i) => (
        <>
          {i > 0 && <wbr />}
          {part}
        </>
      ))}
    </bdi>
  );
}
