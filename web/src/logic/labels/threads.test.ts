import { describe, expect, it } from 'vitest';
import { threadKey, threadRows } from './threads';

describe('threads', () => {
  it('are found by the usual keys, names first', () => {
    expect(threadKey(['bytes', 'thread'])).toBe('thread');
    expect(threadKey(['tid', 'Thread_Name'])).toBe('Thread_Name');
    expect(threadKey(['thread-id'])).toBe('thread-id');
    expect(threadKey(['threads', 'request'])).toBe('');
  });
  it('that hold nothing are left out, the heaviest comes first', () => {
    const value = (name: string, v: number, base = 0) => ({ name, value: v, base, numbers: [] });
    const rows = threadRows({ values: [value('idle', 0), value('b', 3), value('gone', 0, 9), value('a', 5)] });
    expect(rows.map(({ name }) => name)).toEqual(['gone', 'a', 'b']);
  });
});
