import { expect, test } from 'vitest';
import { downloadsOf, fileName } from './downloads';
import { parseUrl, type ViewUrl } from './view-url';

function at(href: string): ViewUrl {
  return parseUrl(href) ?? { view: 'flame', params: [] };
}

test('files have the filters of the view, and none of the page’s own parameters', () => {
  const files = downloadsOf(at('/top?f=shop&base=0&sel=x&q=y'));
  expect(files.find((f) => f.label === 'CSV')?.href).toBe('/api/v1/top.csv?download&f=shop&base=0');
  expect(files.find((f) => f.label === 'Profile')?.href).toBe('/download?f=shop&base=0');
  expect(files.find((f) => f.label === 'Collapsed stacks')?.href).toBe('/api/v1/traces.folded?download&f=shop&base=0');
});

test('views offer what they have', () => {
  const labels = (href: string) => downloadsOf(at(href)).map((f) => f.label);
  expect(labels('/top')).not.toContain('PNG');
  expect(labels('/flamegraph')).toEqual(['Profile', 'Collapsed stacks', 'SVG', 'PNG', 'CSV', 'JSON', 'Text']);
  expect(labels('/graph')).toContain('DOT');
  expect(labels('/sizes')).toContain('SVG');
  expect(downloadsOf(at('/callers')).find((f) => f.label === 'CSV')?.href).toContain('/api/v1/top.csv');
});

test('report files offer what the page makes itself', () => {
  const files = (href: string) => downloadsOf(at(href), true);
  expect(files('/flamegraph').map((f) => f.label)).toEqual(['PNG', 'JSON']);
  expect(files('/graph').map((f) => f.label)).toEqual(['SVG', 'PNG', 'JSON']);
  expect(files('/top?f=x').map((f) => f.ask)).toEqual(['/api/v1/top?f=x']);
  expect(files('/source')).toEqual([]);
  expect(['/', '/sizes', '/callers'].flatMap(files).filter((f) => f.href !== undefined)).toEqual([]);
});

test('names of files are plain', () => {
  expect(fileName(['forest', 'inuse_space', '', 'graph'], 'svg')).toBe('forest-inuse_space-graph.svg');
  expect(fileName(['../a"b\n', 'x'], 'png')).toBe('_a_b_-x.png');
});
