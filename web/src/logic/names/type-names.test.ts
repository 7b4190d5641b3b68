import { expect, it } from 'vitest';
import { typeLabel, typePattern, typeShare } from './type-names';

it('filters by exactly one type', () => {
  const pattern = new RegExp(typePattern({ name: 'Vec<Box<dyn Fn(&Block) -> u64>>' }));
  expect(pattern.test('Vec<Box<dyn Fn(&Block) -> u64>>')).toBe(true);
  expect(pattern.test('HashMap<u8, Vec<Box<dyn Fn(&Block) -> u64>>>')).toBe(false);
  expect(typePattern({ name: '' })).toBe(typePattern({ name: typeLabel({ name: 'unknown' }) }));
});

it('gives the share of a type', () => {
  const type = { name: 'String', full_name: '', value: 30, base: 10 };
  expect(typeShare(type, 40)).toBe(0.5);
  expect(typeShare(type, 0)).toBe(1);
  // It grew by 20 where all together shrank by 19.6, or grew by 10 only.
  expect(typeShare(type, -19.6)).toBeUndefined();
  expect(typeShare(type, 10)).toBeUndefined();
  expect(typeShare({ ...type, value: 0 }, -10)).toBe(1);
});
