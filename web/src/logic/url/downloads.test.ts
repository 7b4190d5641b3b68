import { expect, test } from 'vitest';
import { downloadsOf, fileName, markdownPath } from './downloads';
import { fenced } from '../text/markdown';
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
  const files = ['HTML report', 'Profile', 'Collapsed stacks', 'SVG', 'PNG', 'CSV', 'JSON', 'Text'];
  expect(labels('/flamegraph')).toEqual(['Copy image', 'Copy as Markdown', ...files]);
  expect(labels('/top')).not.toContain('Copy image');
  expect(downloadsOf(at('/top'), false).map((f) => f.label)).not.toContain('HTML report');
  expect(labels('/graph')).toContain('DOT');
  expect(labels('/sizes')).toContain('SVG');
  expect(downloadsOf(at('/callers')).find((f) => f.label === 'CSV')?.href).toContain('/api/v1/top.csv');
});

test('the HTML report opens at the view, with the source lines of its filters', () => {
  const report = downloadsOf(at('/flamegraph?f=a%20b&base=0&sel=x&zoom=12')).find((f) => f.label === 'HTML report');
  expect(report?.href).toBe('/api/v1/report.html?address=%2Fflamegraph%3Ff%3Da%2Bb%26base%3D0%26sel%3Dx%26zoom%3D12&f=a+b&base=0');
});

test('every view has a text for Markdown', () => {
  expect(markdownPath(at('/'))).toBeUndefined();
  expect(markdownPath(at('/top?f=x&n=5'))).toBe('/api/v1/top.txt?f=x&n=5');
  expect(markdownPath(at('/flamegraph?f=x'))).toBe('/api/v1/top.txt?f=x&n=30&sort=cum');
  expect(markdownPath(at('/timeline'))).toBe('/api/v1/growth.txt?n=30');
  expect(markdownPath(at('/source?list=x'))).toBe('/api/v1/source.txt?list=x');
  expect(fenced('a*b', 'x\n```\n\n')).toBe('**a\\*b**\n\n````text\nx\n```\n````\n');
});

test('names of files are plain', () => {
  expect(fileName(['forest', 'inuse_space', '', 'graph'], 'svg')).toBe('forest-inuse_space-graph.svg');
  expect(fileName(['../a"b\n', 'x'], 'png')).toBe('_a_b_-x.png');
});
