import { expect, test } from 'vitest';
import type { DoctorModule } from '../api/types';
import { baseName, troubled } from './doctor';

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
