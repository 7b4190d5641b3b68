import { useMemo } from 'preact/hooks';
import type { FlameReport } from '../../api/types';
import type { ColorBy } from '../../logic/flame/colors';
import type { FlameLayout } from '../../logic/flame/layout';
import { legendOf } from '../../logic/flame/legend';

interface Props {
  readonly report: FlameReport;
  readonly layout: FlameLayout;
  readonly by: ColorBy;
}

/** Legend of the colours. */
export function Legend({ report, layout, by }: Props) {
  const items = useMemo(() => legendOf(report, layout, by), [report, layout, by]);
  if (report.header.has_base) return <DiffLegend />;
  const caption = by === 'value' ? (report.inverted ? 'total:' : 'self:') : '';
  return (
    <div class="flame-legend" role="group" aria-label={`Colours by ${by}`}>
      {caption !== '' && <span class="legend-item">{caption}</span>}
      {items.map(({ label, swatch }) => (
        <span key={label} class="legend-item">
          {swatch !== 'none' && <i class={`swatch ${swatch}`} aria-hidden="true" />}
          <bdi>{label}</bdi>
        </span>
      ))}
    </div>
  );
}

function DiffLegend() {
  return (
    <span class="diff-legend" role="img" aria-label="Colours: minus shrank, equals unchanged, plus grew">
      <span class="diff-0">− freed</span>
      <span class="diff-2">−</span>
      <span class="diff-4">=</span>
      <span class="diff-6">+</span>
      <span class="diff-8">+ new</span>
    </span>
  );
}
