import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { SizesReport } from '../../api/types';
import { hueOf } from '../../logic/color';
import { formatExact, formatPercent, formatValue, plural } from '../../logic/text/format';
import { displayName, functionOf } from '../../logic/names/names';
import {
  baseOf,
  classExact,
  classLabel,
  edgesOf,
  isEmpty,
  nextFull,
  unitOf,
  valueOf,
  type Bar,
  type Measure,
  type Scale,
} from '../../logic/size-chart';
import { Delta } from '../../ui/delta';
import { Swatch } from '../../ui/swatch';
import { Tooltip } from '../../ui/tooltip';
import { hoverHandlers, type Hover } from '../../ui/use-hover';
import { useSize } from '../../ui/use-size';

interface Props {
  readonly report: SizesReport;
  readonly measure: Measure;
  readonly bars: readonly Bar[];
  readonly scale: Scale;
  readonly chosen: number;
  readonly onChoose: (i: number, how: 'go' | 'adjust') => void;
  /** Enter: on to the functions. */
  readonly onOpen: (from: HTMLElement) => void;
}

const HEIGHT = 236;
const FIRST = { width: 900, height: HEIGHT };
const TOP = 10;
const BOTTOM = 26;
const LEFT = 72;
const PLOT = HEIGHT - TOP - BOTTOM;
const WIDEST = 72;
/** Pixels of the longest label below the axis. */
const EDGE_LABEL = 56;

/** Bars in the colours of their packages; with a base its outline behind them. Arrows move, Enter leads to the functions. */
export function SizeChart({ report, measure, bars, scale, chosen, onChoose, onOpen }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const hover = useSignal<Hover | undefined>(undefined);
  const { width } = useSize(box, FIRST).value;
  const n = report.class.length;
  const bar = Math.min(WIDEST, (width - LEFT - 8) / Math.max(1, n));
  const gap = bar > 8 ? 2 : bar > 3 ? 1 : 0;
  const y = (share: number): number => TOP + PLOT * (1 - share);
  const at = (clientX: number): number => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    return Math.floor((clientX - left - LEFT) / bar);
  };
  const nearest = (i: number): number => {
    const found = report.class[i];
    return found === undefined || isEmpty(found) ? -1 : i;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, () => number>> = {
      ArrowRight: () => nextFull(report, chosen, 1),
      ArrowUp: () => nextFull(report, chosen, 1),
      ArrowLeft: () => nextFull(report, chosen, -1),
      ArrowDown: () => nextFull(report, chosen, -1),
      Home: () => nextFull(report, -1, 1),
      End: () => nextFull(report, n, -1),
    };
    const to = moves[event.key]?.();
    if (to !== undefined) onChoose(to, 'adjust');
    else if (event.key === 'Enter' && event.currentTarget instanceof HTMLElement) onOpen(event.currentTarget);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const now = report.class[chosen];
  const { unit, outputUnit } = { unit: unitOf(report, measure), outputUnit: report.header.output_unit };
  return (
    <div
      class="size-chart"
      ref={box}
      tabIndex={0}
      data-home
      role="slider"
      aria-label="Size class; arrows move, Enter leads to its functions"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, n - 1)}
      aria-valuenow={chosen}
      aria-valuetext={now === undefined ? '' : `${classExact(now)}: ${formatValue(valueOf(now.sum, measure), unit, outputUnit)} ${measure}`}
      onKeyDown={onKeyDown}
      {...hoverHandlers(hover, (e) => nearest(at(e.clientX)))}
      onClick={(e) => {
        const i = nearest(at(e.clientX));
        if (i >= 0) onChoose(i, 'go');
      }}
    >
      <svg class="size-svg" width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        {scale.ticks.map((tick) => (
          <g key={tick.label}>
            <line class="size-grid" x1={LEFT} x2={width - 8} y1={y(tick.at)} y2={y(tick.at)} />
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
          <g key={i} data-class={report.class[i]?.high}>
            {b.pieces.map((piece) => {
              const row = report.row[piece.row];
              const hue = row === undefined ? 'rest' : `hue-${hueOf(row)}`;
              return (
                <rect
                  key={piece.row}
                  class={`size-piece ${hue}`}
                  x={LEFT + i * bar + gap / 2}
                  width={Math.max(0.5, bar - gap)}
                  y={y(piece.bottom + piece.height)}
                  height={Math.max(piece.height * PLOT - (piece.height * PLOT > 4 && piece.bottom > 0 ? 1 : 0), b.height > 0 ? 0.6 : 0)}
                />
              );
            })}
            {report.header.has_base && b.base > 0 && (
              <rect
                class="size-base"
                x={LEFT + i * bar + gap / 2 + 0.5}
                width={Math.max(0.5, bar - gap - 1)}
                y={y(b.base) + 0.5}
                height={Math.max(0.5, b.base * PLOT - 0.5)}
              />
            )}
          </g>
        ))}
        <line class="size-axis" x1={LEFT} x2={width - 8} y1={y(0)} y2={y(0)} />
        {edgesOf(report.class, bar).map(({ after, label }) => {
          const x = LEFT + (after + 1) * bar;
          // The last label ends with the picture.
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
      {hover.value !== undefined && <Tip report={report} measure={measure} hover={hover.value} />}
    </div>
  );
}

interface TipProps {
  readonly report: SizesReport;
  readonly measure: Measure;
  readonly hover: Hover;
}

function Tip({ report, measure, hover }: TipProps) {
  const found = report.class[hover.at];
  if (found === undefined) return null;
  const { sum } = found;
  const { output_unit: outputUnit, has_base: hasBase } = report.header;
  const lines: readonly (readonly [string, Measure, string, number])[] = [
    ['Bytes', 'bytes', report.bytes_type, report.bytes_total],
    ['Objects', 'objects', report.objects_type, report.objects_total],
  ];
  return (
    <Tooltip x={hover.x} y={hover.y}>
      <div class="tooltip-name">{classLabel(found)}</div>
      <div class="tooltip-from">{classExact(found)}</div>
      <table>
        <tbody>
          {lines
            .filter(([, , type]) => type !== '')
            .map(([name, of, , total]) => (
              <tr key={name}>
                <th>{name}</th>
                <td>{formatValue(valueOf(sum, of), unitOf(report, of), outputUnit)}</td>
                <td class="exact">{formatExact(valueOf(sum, of), unitOf(report, of))}</td>
                <td>{formatPercent(valueOf(sum, of), total)}</td>
                {hasBase && (
                  <td>
                    <Delta value={valueOf(sum, of)} base={baseOf(sum, of)} unit={unitOf(report, of)} outputUnit={outputUnit} />
                  </td>
                )}
              </tr>
            ))}
        </tbody>
      </table>
      {found.part.map((part) => {
        const row = report.row[part.row];
        if (row === undefined) return null;
        const name = functionOf(row);
        return (
          <div key={part.row} class="size-tip-part">
            <Swatch row={row} />
            <bdi class="mono">{displayName(name)}</bdi>
            <span>{formatPercent(valueOf(part.sum, measure), valueOf(sum, measure))}</span>
          </div>
        );
      })}
      {found.n_rest > 0 && <div class="tooltip-from">and {plural(found.n_rest, 'function')} more</div>}
    </Tooltip>
  );
}
