import { describe, expect, it } from 'vitest';
import type { Row } from '../../api/types';
import { diffStep, hueOf, N_HUES, PLAIN, PLUMBING } from '../color';
import { edgeWidth, nodeFontSize } from './dot';
import { arrowHead, readGeometry } from './geometry';
import { NO_ROW } from '../names/names';
import { fit, moveSpan, openAt, zoomAt, zoomSpan } from '../pan-zoom';
import { cutText, fitText, measureWith, textWidth } from '../text/text-fit';

describe('colours', () => {
  it('are of the package, the same everywhere', () => {
    const of = (name: string, owner: string, kind: Row['kind']): number => hueOf({ ...NO_ROW, name, package: owner, kind });
    expect(of('forest::main', 'forest', 'own')).toBe(of('<forest::db::Db as core::fmt::Debug>::fmt', 'forest', 'own'));
    expect(of('forest::main', 'forest', 'own')).toBeLessThan(N_HUES);
    expect(of('malloc', 'libc', 'allocator')).toBe(PLAIN);
    expect(of('std::rt::start', 'std', 'runtime')).toBe(PLAIN);
    expect(of('tokio::task::run', 'tokio', 'plumbing')).toBe(PLUMBING);
    expect(of('', '', 'unknown')).toBe(PLAIN);
  });
  it('of differences show new, gone and unchanged', () => {
    expect(
      [
        [1, 0],
        [0, 1],
        [5, 5],
        [0, 0],
        [101, 100],
        [99, 100],
        [200, 100],
      ].map(([v = 0, b = 0]) => diffStep(v, b)),
    ).toEqual([4, -4, 0, 0, 1, -1, 2]);
  });
});

describe('graph', () => {
  it('reads what Graphviz answers', () => {
    const geometry = readGeometry({
      bb: '0,0,100,80',
      objects: [{ name: 'n0', pos: '50,70' }],
      edges: [{ id: 'e0', pos: 'e,50,10 50,60 50,50 50,40 50,20', lp: '60,45' }],
    });
    expect(geometry.nodes.get('n0')).toEqual({ x: 50, y: 10 });
    expect(geometry.edges.get('e0')).toEqual({
      path: 'M50 20 C50 30 50 40 50 60',
      from: { x: 50, y: 60 },
      tip: { x: 50, y: 70 },
      label: { x: 60, y: 35 },
    });
    expect(arrowHead({ x: 50, y: 60 }, { x: 50, y: 70 }, 3)).toBe('47,60 50,70 53,60');
  });
  it('takes anything for an answer', () => {
    for (const json of [null, 3, {}, { objects: 'x', edges: [null, { pos: '' }] }]) expect(readGeometry(json).nodes.size).toBe(0);
  });
  it('scales fonts and lines', () => {
    expect(nodeFontSize(0, 100)).toBe(10);
    expect(nodeFontSize(100, 100)).toBe(19);
    expect(edgeWidth(50, 100)).toBe(3.5);
    expect(edgeWidth(5, 0)).toBe(1);
  });
});

describe('pan and zoom', () => {
  it('keeps the point under the pointer', () => {
    const zoomed = zoomAt({ scale: 1, x: 0, y: 0 }, 2, 10, 20);
    expect(zoomed).toEqual({ scale: 2, x: -10, y: -20 });
  });
  it('fits, and stays legible at first', () => {
    expect(fit(100, 50, 1000, 500)).toEqual({ scale: 1, x: 450, y: 225 });
    expect(openAt(10_000, 10_000, 1000, 500, 5000, 0).scale).toBe(0.85);
  });
  it('keeps spans inside', () => {
    expect(zoomSpan(0, 1, 2, 0.5)).toEqual([0.25, 0.75]);
    expect(zoomSpan(0, 1, 0.5, 0.5)).toEqual([0, 1]);
    expect(moveSpan(0.5, 0.75, 1)).toEqual([0.75, 1]);
    expect(moveSpan(0.5, 0.75, -1)).toEqual([0, 0.25]);
  });
});

describe('text and tables', () => {
  const widths = measureWith((text) => text.length * 6);
  it('chooses the longest form that fits', () => {
    expect(fitText(['abcdefgh', 'abcd', 'ab'], 30, widths)).toBe('abcd');
    expect(fitText(['abcdefgh', 'abcdef'], 30, widths)).toBe('abcd…');
    expect(fitText(['abcdefgh'], 8, widths)).toBe('');
    expect(cutText('ab', 12, widths)).toBe('ab');
    expect(textWidth('aé', widths)).toBe(12);
  });
});
