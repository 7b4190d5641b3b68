import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const ASSETS = new URL('../static/assets/', import.meta.url);
/** One list for the page, help and documents. */
const LIST = new URL('../../tests/banned-phrases.txt', import.meta.url);

/** The phrases of the list in a text, as whole words, with what surrounds them. @param {string} text @param {readonly string[]} phrases */
function found(text, phrases) {
  const lower = text.replaceAll(/\s+/g, ' ').toLowerCase();
  return phrases.flatMap((phrase) => {
    const all = [];
    for (let at = lower.indexOf(phrase); at >= 0; at = lower.indexOf(phrase, at + 1)) {
      const [before, after] = [lower.charAt(at - 1), lower.charAt(at + phrase.length)];
      if (!/[\p{L}\p{N}]/u.test(before + after)) all.push(`${phrase}: …${lower.slice(Math.max(0, at - 40), at + phrase.length + 30)}…`);
    }
    return all;
  });
}

test('the bundle has none of the banned phrases', async () => {
  const list = await readFile(LIST, 'utf8');
  const phrases = list.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  assert.ok(phrases.length > 60);
  // Grammars and the layout engine are other people's.
  const files = (await readdir(ASSETS)).filter((name) => name.endsWith('.js') && !/^(highlight|layout|viz)/.test(name));
  assert.ok(files.includes('app.js'));
  for (const file of files) assert.deepEqual(found(await readFile(new URL(file, ASSETS), 'utf8'), phrases), [], file);
});

test('phrases are found across lines and only as whole words', () => {
  assert.equal(found('It is\n  no Profile that', ['is no profile']).length, 1);
  assert.equal(found('cargo onward', ['go on']).length, 0);
});
