import { expect, it } from 'vitest';
import { typeLabel, typePattern, typeShare } from './type-names';

it('asks for one type and no other', () => {
  const pattern = new RegExp(typePattern({ name: 'Vec<Box<dyn Fn(&Block) -> u64>>' }));
  expect(pattern.test('Vec<Box<dyn Fn(&Block) -> u64>>')).toBe(true);
  expect(pattern.test('HashMap<u8, Vec<Box<dyn Fn(&Block) -> u64>>>')).toBe(false);
  expect(typePattern({ name: '' })).toBe(typePattern({ name: typeLabel({ name: 'unknown' }) }));
});

it('gives the share of a type', () => {
  const held = { name: 'String', full_name: '', value: 30, base: 10 };
  expect(typeShare(held, 40)).toBe(0.5);
  expect(typeShare(held, 0)).toBe(1);
  // It grew by 20 where all together shrank by 19.6, or grew by 10 only.
  expect(typeShare(held, -19.6)).toBeUndefined();
  expect(typeShare(held, 10)).toBeUndefined();
  expect(typeShare({ ...held, value: 0 }, -10)).toBe(1);
});
