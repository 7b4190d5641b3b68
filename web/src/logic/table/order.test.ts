import { describe, expect, it } from 'vitest';
import { orderAfterClick, orderOf, parseOrder, printOrder, sortedState } from './order';

describe('order', () => {
  it('reads what it prints', () => {
    for (const text of ['name', '-cum', 'mean']) expect(printOrder(parseOrder(text, 'flat'))).toBe(text);
    expect(parseOrder('nonsense', 'cum')).toEqual({ key: 'cum', reversed: false });
  });
  it('falls back to what the server does', () => {
    expect(orderOf('', '', false).key).toBe('flat');
    expect(orderOf('', 'cum', false).key).toBe('cum');
    expect(orderOf('', '', true).key).toBe('delta');
  });
  it('leaves defaults out of the address', () => {
    const flat = orderOf('', '', false);
    expect(orderAfterClick(flat, 'cum', false)).toEqual({ sort: 'cum', order: '' });
    expect(orderAfterClick(flat, 'flat', false)).toEqual({ sort: '', order: '-flat' });
    expect(orderAfterClick(orderOf('-flat', '', false), 'flat', false)).toEqual({ sort: '', order: '' });
    expect(orderAfterClick(flat, 'name', false)).toEqual({ sort: '', order: 'name' });
    expect(orderAfterClick(orderOf('', '', true), 'cum', true)).toEqual({ sort: '', order: 'cum' });
  });
  it('begins with the largest number and with A', () => {
    expect(sortedState({ key: 'cum', reversed: false }, 'cum')).toBe('descending');
    expect(sortedState({ key: 'name', reversed: false }, 'name')).toBe('ascending');
    expect(sortedState({ key: 'name', reversed: true }, 'name')).toBe('descending');
    expect(sortedState({ key: 'name', reversed: false }, 'cum')).toBe('none');
  });
});
