import { describe, expect, it } from 'vitest';
import { withFunction } from './wrappers';

describe('allocation wrappers', () => {
  it('are made and undone by a rule for one function', () => {
    const made = withFunction('serde=own', 'Pool<A, B>::take(char*)', 'allocator');
    expect(made).toBe('function:Pool<A, B>::take(char*)=allocator,serde=own');
    expect(withFunction(made, 'Pool<A, B>::take(char*)', 'own')).toBe('serde=own');
    expect(withFunction('', 'zmalloc', 'own')).toBe('function:zmalloc=own');
    expect(withFunction('function:zmalloc=own', 'zmalloc', 'allocator')).toBe('function:zmalloc=allocator');
    expect(withFunction('', 'x'.repeat(2000), 'allocator')).toBe(`function:${'x'.repeat(500)}*=allocator`);
    expect(withFunction('', `f(${'char*,'.repeat(100)})`, 'allocator').split('*').length).toBeLessThan(13);
  });
});
