import { expect, test } from 'vitest';
import type { SourceInstruction } from '../../api/types';
import { codeRows, partsOf, rowOfLine } from './code-rows';

function at(line: number, address: string, calls: readonly number[], apart = false): SourceInstruction {
  return { line, address, text: `nop\t${address}`, flat: 0, cum: 0, flat_base: 0, cum_base: 0, apart, calls };
}

const CALL = ['a', 'b', 'c'].map((name) => ({ name, file: 'x.rs', line: 1, text: '' }));
const ENTRY = {
  name: 'f',
  full_name: 'f',
  file: 'a.rs',
  object: '',
  flat: 0,
  cum: 0,
  flat_base: 0,
  cum_base: 0,
  first_line: 1,
  last_line: 9,
  lines: { number: [4, 9], text: ['  let x;', null], flat: [0, 0], cum: [0, 0], flat_base: [], cum_base: [] },
  call: CALL,
  step: [],
  problem: '',
  path: '',
  code: [at(4, '0x1', [0, 1]), at(4, '0x2', [0, 1]), at(4, '0x3', [0, 2]), at(4, '0x9', [0, 2], true), at(9, '0x4', [])],
};

test('inlined calls are listed once, until other code comes between', () => {
  const shown = codeRows(ENTRY).map((row) => {
    if (row.kind === 'call') return `${row.depth} ${row.call.name}`;
    if (row.kind === 'code') return `${row.depth} ${row.code.address}`;
    return row.kind === 'line' ? `line ${row.line} ${row.text}` : 'gap';
  });
  expect(shown).toEqual([
    'line 4 let x;',
    '0 a',
    '1 b',
    '2 0x1',
    '2 0x2',
    '1 c',
    '2 0x3',
    'gap',
    '0 a',
    '1 c',
    '2 0x9',
    'line 9 ',
    '0 0x4',
  ]);
});

test('a line leads to its code, or to the next that has some', () => {
  const rows = codeRows(ENTRY);
  expect(rowOfLine(rows, 4)).toBe(0);
  expect(rowOfLine(rows, 5)).toBe(11);
  expect(rowOfLine(rows, 10)).toBe(-1);
});

test('instructions come in parts', () => {
  expect(partsOf('callq\t*277348(%rip)           # 0x5d1f0 <f@got>')).toEqual({
    mnemonic: 'callq',
    operands: '*277348(%rip)',
    note: '# 0x5d1f0 <f@got>',
  });
  expect(partsOf('ret')).toEqual({ mnemonic: 'ret', operands: '', note: '' });
});
