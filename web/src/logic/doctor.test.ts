import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { DoctorModule } from '../api/types';
import { cutOff, isHarmless, misleading, openCommand, troubled } from './doctor';
import { baseName } from './names/names';

function file(name: string, value: number, is_system: boolean, problem: string): DoctorModule {
  return {
    name,
    is_system,
    file: '',
    debug_file: '',
    looked: [],
    build_id: '',
    file_build_id: '',
    debug: '',
    n_addresses: 1,
    n_function: 0,
    n_line: 0,
    value,
    function: 0,
    line: 0,
    inlined: 0,
    is_doubtful: false,
    problem,
    remedy: [],
  };
}

test('own files come before those of the system, the heaviest first', () => {
  const modules = [
    file('/lib/libc.so.6', 9, true, 'not found'),
    file('/plugin', 2, false, 'not found'),
    file('/well', 8, false, ''),
    file('/server', 5, false, 'stripped'),
  ];
  expect(troubled(modules).map((m) => m.name)).toEqual(['/server', '/plugin', '/lib/libc.so.6']);
});

test('a name is what follows the last folder', () => {
  expect(baseName('/usr/lib/libc.so.6')).toBe('libc.so.6');
  expect(baseName('server')).toBe('server');
});

test('another build, or a heavy file without names, makes the page misleading', () => {
  const other = { ...file('/plugin', 1, false, 'another build'), is_doubtful: true };
  expect(misleading([file('/server', 9, false, 'stripped'), other])?.name).toBe('/plugin');
  expect(misleading([file('/plugin', 4, false, 'not found'), file('/server', 9, false, 'stripped')])?.name).toBe('/server');
});

test('a light file, a system file or one with most names does not', () => {
  const named = { ...file('/server', 9, false, 'no lines'), function: 8 };
  expect(misleading([named, file('/plugin', 4, false, 'not found'), file('/lib/libc.so.6', 9, true, 'not found')])).toBeUndefined();
});

test('warnings of truncated files are separated from others', () => {
  const warnings = [
    'a.heap: gperftools, line 55: the profile is truncated in a stack; the last row may lack callers, and the rest is missing',
    'a.heap: folded, line 11: the profile is truncated in the middle of a line; the rest is missing',
    "a.heap: gperftools, line 1: the rows hold 600 of the header's 900 bytes and no memory map follows; the profile is truncated",
    'a.heap: gperftools: the gzip data ends too early; the profile is truncated',
  ];
  expect(cutOff([...warnings, 'the stacks have too many frames to show: 3 of them are cut off on the leaf side', 'other'])).toEqual(
    warnings,
  );
});

test('the command to copy names the dumps, quoted, and not too many', () => {
  const dump = (name: string, is_thinned = false) => ({ name, is_thinned });
  expect(openCommand([])).toBe('');
  expect(openCommand([dump('a/shop.1.heap'), dump('gone', true)])).toBe('heapview -http=: BINARY a/shop.1.heap');
  expect(openCommand([dump("it's; rm -rf ~")])).toBe(`heapview -http=: BINARY 'it'\\''s; rm -rf ~'`);
  expect(openCommand(Array.from({ length: 20 }, (_, i) => dump(`d.${i}`)))).toBe('heapview -http=: BINARY d.19');
});

test('the banner follows the wording of the parsers', () => {
  const source = readFileSync(new URL('../../../src/parse/error.rs', import.meta.url), 'utf8');
  const worded = [...source.matchAll(/#\[error\("([^"]*truncated[^"]*)"/g)].map((found) => found[1] ?? '');
  const warnings = worded.filter((warning) => !warning.includes('damaged or'));
  expect(warnings.length).toBeGreaterThan(3);
  expect(cutOff(warnings)).toEqual(warnings);
});

test('files that are no profiles, and libraries of the system, are no reason for doubt', () => {
  const libc = file('/lib/libc.so.6', 9, true, 'not found');
  const notes = [
    'skipped 1 file that is not a profile (notes)',
    './dumps: skipped 2 files that are not profiles (trace.json, x.heap)',
    'trace.json: this is a CPU trace, which heapview cannot open; heapview shows heap profiles',
    'not found: libc.so.6; set PPROF_BINARY_PATH to the directories that contain them',
  ];
  expect(notes.filter((text) => !isHarmless(text, [libc]))).toEqual([]);
  const warnings = [
    'a.heap: gperftools, line 9: skipped lines that are not part of the format: 3',
    'skipped b.heap: its value types (space) differ from those of the other dumps (inuse_space)',
    'a.heap: gperftools: the gzip data ends too early; the profile is truncated',
  ];
  expect(warnings.filter((text) => isHarmless(text, [libc]))).toEqual([]);
  expect(isHarmless(notes[3] ?? '', [libc, file('/server', 9, false, 'not found')])).toBe(false);
});
