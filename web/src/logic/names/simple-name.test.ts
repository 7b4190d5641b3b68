import { expect, it } from 'vitest';
import { simpleName } from './simple-name';

it('cuts arguments off, not parts of names', () => {
  expect(simpleName('operator new(unsigned long)')).toBe('operator new');
  expect(simpleName('(anonymous namespace)::f(int)')).toBe('(anonymous namespace)::f');
  expect(simpleName('A::operator()(int)')).toBe('A::operator()');
  expect(simpleName('.malloc')).toBe('malloc');
});
