import { describe, expect, it } from 'vitest';
import type { FlameReport, Row } from '../../api/types';
import { flame } from './fixture';
import { layoutFlame } from './layout';
import { legendOf } from './legend';

const KINDS: Readonly<Record<string, Pick<Row, 'package' | 'kind'>>> = {
  main: { package: 'shop', kind: 'own' },
  book: { package: 'shop', kind: 'own' },
  parse: { package: 'serde', kind: 'third_party' },
  grow: { package: 'alloc', kind: 'runtime' },
};
const DRAWN = flame(`
  0 - 10
  1 main 6
  2 book 6
  3 grow 1
  1 parse 4
  2 grow 4
`);
const REPORT: FlameReport = { ...DRAWN, row: DRAWN.row.map((row) => ({ ...row, ...KINDS[row.name] })) };
const layout = layoutFlame(REPORT);
const labels = (by: 'package' | 'kind' | 'value', report = REPORT): readonly string[] =>
  legendOf(report, layoutFlame(report), by).map(({ label }) => label);

describe('legendOf', () => {
  it('names packages by what they hold, each stack counted once', () => {
    expect(labels('package')).toEqual(['shop', 'runtime, allocators', 'serde']);
    expect(legendOf(REPORT, layout, 'package')[0]?.swatch).toMatch(/^hue-\d+$/);
  });
  it('reports how many packages it leaves out', () => {
    const many = flame(`0 - 90\n${Array.from({ length: 9 }, (_, i) => `1 f${i} ${10 - i}`).join('\n')}`);
    const report: FlameReport = { ...many, row: many.row.map((row) => ({ ...row, package: row.name, kind: 'third_party' })) };
    expect(labels('package', report)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5', '3 more']);
  });
  it('names the kinds that are there', () => {
    expect(legendOf(REPORT, layout, 'kind').map(({ swatch }) => swatch)).toEqual(['kind-own', 'kind-third_party', 'kind-runtime']);
  });
  it('names the steps of values', () => {
    expect(labels('value')).toEqual(['0', '≤0.1%', '≤1%', '≤5%', '≤10%', '≤25%', '>25%']);
  });
});
