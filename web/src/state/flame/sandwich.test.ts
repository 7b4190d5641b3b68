import { describe, expect, it } from 'vitest';
import { parseUrl } from '../../logic/url/view-url';
import { aroundPaths } from './sandwich';

function paths(href: string, name = 'f(int)'): readonly [URLSearchParams, URLSearchParams] {
  const { callers, callees } = aroundPaths(parseUrl(href) ?? { view: 'flame', params: [] }, name);
  const query = (path: string): URLSearchParams => new URLSearchParams(path.slice(path.indexOf('?')));
  return [query(callers), query(callees)];
}

describe('aroundPaths', () => {
  it('requests stacks that end at the function and those that begin there', () => {
    const [callers, callees] = paths('/flamegraph?around=f&zoom=12&inverted=t&color=kind');
    expect(Object.fromEntries(callers)).toEqual({ inverted: 't', prunefrom: '^f$', f: '^f\\(int\\)$', errors: 't', gross: 't' });
    expect(Object.fromEntries(callees)).toEqual({ sf: '^f\\(int\\)$', errors: 't', gross: 't' });
  });
  it('takes closures along where they are called by the name of their function', () => {
    const url = parseUrl('/flamegraph?hide_kind=plumbing') ?? { view: 'flame' as const, params: [] };
    const { callees } = aroundPaths(url, 'peers::validate');
    const pattern = new RegExp(new URLSearchParams(callees.slice(callees.indexOf('?'))).get('sf') ?? '');
    const names = [
      'peers::validate',
      'peers::validate::{{closure}}',
      'peers::validate::{async_fn#0}::{closure#1}',
      'peers::validate.func1',
    ];
    expect(names.map((name) => pattern.test(name))).toEqual([true, true, true, true]);
    expect(['peers::validated', 'peers::validate::inner', 'x::peers::validate'].map((name) => pattern.test(name))).toEqual([
      false,
      false,
      false,
    ]);
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
