import { describe, expect, it } from 'vitest';
import { changed, moved, rulesToml, without } from './edit-rules';

describe('rules in the address', () => {
  it('move a package once, before all others', () => {
    expect(moved('', 'serde', 'own')).toBe('serde=own');
    expect(moved('file:*/vendor/*=third_party,serde=own', 'serde', 'plumbing')).toBe('serde=plumbing,file:*/vendor/*=third_party');
    expect(moved('no rule', 'serde', 'own')).toBe('serde=own');
  });

  it('are changed and taken off one by one', () => {
    expect(changed('a=own,b=own', 1, 'runtime')).toBe('a=own,b=runtime');
    expect(without('a=own,b=own', 0)).toBe('b=own');
    expect(without('a=own', 0)).toBe('');
  });

  it('are written in the syntax of the file', () => {
    expect(rulesToml('a=own,function:f"*=allocator,b=own,file:*/zlib/*=third_party/zlib,library:*vm.so=own/vm')).toBe(
      '[kinds]\nown = ["a", "b", "vm"]\nallocator = ["function:f\\"*"]\n\n[packages]\n"zlib" = ["file:*/zlib/*"]\n"vm" = ["library:*vm.so"]\n',
    );
    expect(rulesToml('')).toBe('');
  });
});
