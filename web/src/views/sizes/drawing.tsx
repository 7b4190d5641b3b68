import type { SizesReport } from '../../api/types';
import { hueOf } from '../../logic/color';
import { edgesOf, type Bar, type Scale } from '../../logic/size-chart';

interface Props {
  readonly report: SizesReport;
  readonly bars: readonly Bar[];
  readonly scale: Scale;
  readonly chosen: number;
  /** Width of the chart, in pixels. */
  readonly width: number;
  /** Width of a bar with its gap, in pixels. */
  readonly bar: number;
}

export const HEIGHT = 236;
export const LEFT = 72;
export const RIGHT = 8;
const TOP = 10;
const BOTTOM = 26;
const PLOT = HEIGHT - TOP - BOTTOM;
/** Pixels of the longest label below the axis. */
const EDGE_LABEL = 56;

function y(share: number): number {
  return TOP + PLOT * (1 - share);
}

/** Grid, bars in the colours of their packages with the outline of the base, and the axis. */
export function SizeDrawing({ report, bars, scale, chosen, width, bar }: Props) {
  return (
    <svg class="size-svg" width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {scale.ticks.map((tick) => (
        <g key={tick.label}>
          <line class="size-grid" x1={LEFT} x2={width - RIGHT} y1={y(tick.at)} y2={y(tick.at)} />
          <text class="size-tick" x={LEFT - 8} y={y(tick.at) + 4} text-anchor="end">
            {tick.label}
          </text>
        </g>
      ))}
      {chosen >= 0 && (
        <>
          <rect class="size-chosen" x={LEFT + chosen * bar} width={bar} y={TOP} height={PLOT} />
          <rect class="size-mark" x={LEFT + chosen * bar} width={bar} y={y(0) + 1} height={3} />
        </>
      )}
      {bars.map((b, i) => (
        <SizeBar key={i} report={report} value={b} at={i} width={bar} />
      ))}
      <line class="size-axis" x1={LEFT} x2={width - RIGHT} y1={y(0)} y2={y(0)} />
      {edgesOf(report.class, bar).map(({ after, label }) => {
        const x = LEFT + (after + 1) * bar;
        // The last label ends with the chart.
        const isLast = x + EDGE_LABEL / 2 > width;
        return (
          <g key={after}>
            <line class="size-axis" x1={x} x2={x} y1={y(0)} y2={y(0) + 4} />
            <text class="size-tick" x={isLast ? width : x} y={y(0) + 18} text-anchor={isLast ? 'end' : 'middle'}>
              {label}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

interface BarProps {
  readonly report: SizesReport;
  readonly value: Bar;
  /** Index of the size class. */
  readonly at: number;
  readonly width: number;
}

function SizeBar({ report, value, at, width }: BarProps) {
  const gap = width > 8 ? 2 : width > 3 ? 1 : 0;
  const x = LEFT + at * width + gap / 2;
  return (
    <g data-class={report.class[at]?.high}>
      {value.pieces.map((piece) => {
        const row = report.row[piece.row];
        const hue = row === undefined ? 'rest' : `hue-${hueOf(row)}`;
        const height = piece.height * PLOT;
        return (
          <rect
            key={piece.row}
            class={`size-piece ${hue}`}
            x={x}
            width={Math.max(0.5, width - gap)}
            y={y(piece.bottom + piece.height)}
            height={Math.max(height - (height > 4 && piece.bottom > 0 ? 1 : 0), value.height > 0 ? 0.6 : 0)}
          />
        );
      })}
      {report.header.has_base && value.base > 0 && (
        <rect
          class="size-base"
          x={x + 0.5}
          width={Math.max(0.5, width - gap - 1)}
          y={y(value.base) + 0.5}
          height={Math.max(0.5, value.base * PLOT - 0.5)}
        />
      )}
    </g>
  );
}
