import { expect, test } from 'vitest';
import { languageOf, linesOfTree, runsOf, untabbedLines } from './syntax';

test('the extension determines the language', () => {
  expect(['a/b.rs', 'x.h', 'x.CC', '/usr/include/c++/13/vector', 'main.go', 'x.py', 'Makefile', 'constructor'].map(languageOf)).toEqual([
    'rust',
    'cpp',
    'cpp',
    'cpp',
    'go',
    'python',
    undefined,
    undefined,
  ]);
});

test('a tree becomes pieces of lines, and texts stay texts', () => {
  const tree = {
    children: [
      { scope: 'keyword', children: ['let'] },
      ' x = ',
      { scope: 'string', children: ['"<b>\n', { scope: 'char.escape', children: ['\\n'] }, '"'] },
      ';\n// end',
    ],
  };
  expect(linesOfTree(tree)).toEqual([
    [
      { text: 'let', kind: 'keyword' },
      { text: ' x = ', kind: '' },
      { text: '"<b>', kind: 'string' },
    ],
    [
      { text: '\\n', kind: 'string' },
      { text: '"', kind: 'string' },
      { text: ';', kind: '' },
    ],
    [{ text: '// end', kind: '' }],
  ]);
  expect(linesOfTree(undefined)).toEqual([[]]);
});

test('lines that follow each other are coloured together', () => {
  expect(runsOf([0, 3, 4, 5, 9, 10], [null, 'a', 'b', null, 'c', 'd'])).toEqual([
    [1, 2],
    [4, 5],
  ]);
  expect(untabbedLines(['\ta', 'b\r', 'c\u2028d'])).toBe('    a\nb \nc d');
});
