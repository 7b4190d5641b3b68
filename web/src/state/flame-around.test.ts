import { describe, expect, it } from 'vitest';
import { parseUrl } from '../logic/view-url';
import { aroundPaths } from './flame-around';

function paths(href: string, name = 'f(int)'): readonly [URLSearchParams, URLSearchParams] {
  const { callers, callees } = aroundPaths(parseUrl(href) ?? { view: 'flame', params: [] }, name);
  const query = (path: string): URLSearchParams => new URLSearchParams(path.slice(path.indexOf('?')));
  return [query(callers), query(callees)];
}

describe('aroundPaths', () => {
  it('asks for stacks that end at the function and for those that begin there', () => {
    const [callers, callees] = paths('/flamegraph?around=f&zoom=12&inverted=t&color=kind');
    expect(Object.fromEntries(callers)).toEqual({ inverted: 't', prunefrom: '^f$', f: '^f\\(int\\)$', errors: 't', gross: 't' });
    expect(Object.fromEntries(callees)).toEqual({ sf: '^f\\(int\\)$', errors: 't', gross: 't' });
  });
  it('keeps other filters', () => {
    const [callers, callees] = paths('/flamegraph?hide_kind=runtime&f=main');
    expect([callers.get('hide_kind'), callees.get('hide_kind')]).toEqual(['runtime', 'runtime']);
    expect([callers.get('f'), callees.get('f')]).toEqual(['main', 'main']);
  });
  it('keeps to stacks through the function that all had to begin at', () => {
    const [callers, callees] = paths('/flamegraph?sf=run');
    expect([callers.get('sf'), callees.get('f')]).toEqual(['run', 'run']);
  });
});
