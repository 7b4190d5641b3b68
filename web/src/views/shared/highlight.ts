import hljs from 'highlight.js/lib/core';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import go from 'highlight.js/lib/languages/go';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import { linesOfTree, type Language, type Piece } from '../../logic/source/syntax';

/** The highlighter and its languages: a chunk of their own, loaded when source is first shown. */

for (const [name, language] of Object.entries({ c, cpp, go, python, rust })) hljs.registerLanguage(name, language);

/** Pieces of each line of `text`. The highlighter's tree is walked; its HTML is never used. */
export function highlight(text: string, language: Language): readonly (readonly Piece[])[] {
  const result = hljs.highlight(text, { language, ignoreIllegals: true });
  return linesOfTree(Reflect.get(result._emitter, 'rootNode'));
}
