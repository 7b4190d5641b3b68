import { describe, expect, it } from 'vitest';
import { presetsOf, thresholdOf, withPreset } from './presets';

const types = (...kinds: readonly string[]) => kinds.map((kind) => ({ kind, unit: kind === 'lifetime' ? 'instructions' : 'bytes' }));
const dhat = { value_types: types('alloc_objects', 'alloc_space', 'lifetime', 'read_space', 'write_space'), runs: [] };

describe('presets of blocks', () => {
  it('are those that the profile has numbers for', () => {
    expect(presetsOf({ value_types: types('inuse_space'), runs: [] })).toEqual([]);
    expect(presetsOf(dhat).map(({ key }) => key)).toEqual(['tiny', 'short', 'unread', 'unwritten', 'low', 'high']);
    const rust = presetsOf({ value_types: types('alloc_objects', 'alloc_space', 'lifetime'), runs: [] });
    expect(rust.map(({ key, unit }) => `${key} ${unit}`)).toEqual(['tiny B', 'short instr']);
  });

  it('come and go among other conditions', () => {
    const preset = (key: string) => {
      const found = presetsOf(dhat).find((of) => of.key === key);
      if (found === undefined) throw new Error(key);
      return found;
    };
    const [tiny, low, unread] = [preset('tiny'), preset('low'), preset('unread')];
    let where = withPreset(tiny, 'objects>5', '16');
    expect(where).toBe('objects>5,size<=16');
    where = withPreset(low, where, '0.4');
    expect(where).toBe('objects>5,size<=16,reads>0,writes>0,reads/byte<=0.4|writes/byte<=0.4');
    expect([thresholdOf(tiny, where), thresholdOf(low, where), thresholdOf(unread, where)]).toEqual(['16', '0.4', undefined]);
    where = withPreset(tiny, where, '32');
    expect(thresholdOf(tiny, where)).toBe('32');
    where = withPreset(low, where, undefined);
    expect(where).toBe('objects>5,size<=32');
    expect(thresholdOf(low, 'reads>0,writes>0,reads/byte<=0.4|writes/byte<=0.5')).toBeUndefined();
    expect(thresholdOf(unread, withPreset(unread, '', ''))).toBe('');
    expect(withPreset(unread, 'reads=0', undefined)).toBe('');
    expect(thresholdOf(tiny, 'size<=16|reads=0')).toBeUndefined();
  });
});
