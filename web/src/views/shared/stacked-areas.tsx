import type { ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { GrowthReport } from '../../api/types';
import { formatValue } from '../../logic/text/format';
import { functionOf, shortNames } from '../../logic/names/names';
import { labelPlace, outlineOf, type Band, type Stack } from '../../logic/timeline/bands';
import { bandClass } from '../../logic/timeline/colors';
import type { Frame } from '../../logic/timeline/chart-geometry';

interface Props {
  readonly report: GrowthReport;
  readonly stack: Stack;
  readonly frame: Frame;
  readonly lit: readonly boolean[];
  readonly hovered: ReadonlySignal<number>;
}

/** Approximate width of a letter of a label, in pixels. */
const LETTER = 6.3;
const LABEL_HEIGHT = 15;
/** Least distance between the first dump's mark and the next, in pixels. */
const MARK_GAP = 4;

/** Left edge of the limit's name: right of the name of a mark at the first dump. */
const LIMIT_LEFT = 64;
/** A limit nearer to the top has its name below it, and below the names of marks. */
const LIMIT_HIGH = 40;
const LIMIT_LOW = 33;

interface Area {
  readonly band: Band;
  readonly hue: string;
  readonly path: string;
  readonly label: { readonly x: number; readonly y: number; readonly text: string } | undefined;
}

/** The areas, each in a colour of its own, with names where there is room, and the grid behind them. */
export function TimelineAreas({ report, stack, frame, lit, hovered }: Props) {
  const areas = useMemo(() => areasOf(report, stack, frame), [report, stack, frame]);
  const grid = useMemo(() => <Grid report={report} frame={frame} />, [report, frame]);
  const over = hovered.value;
  return (
    <svg class="timeline-svg" width={frame.width} height={frame.height} viewBox={`0 0 ${frame.width} ${frame.height}`} aria-hidden="true">
      {grid}
      {areas.map(({ band, hue, path }, i) => (
        <path
          key={band.key}
          class={`timeline-area ${hue}${lit[i] === true ? '' : ' dim'}${band.row >= 0 && band.row === over ? ' over' : ''}`}
          data-band={band.row}
          d={path}
        />
      ))}
      {frame.gaps.map((at) => (
        <rect
          key={at}
          class="timeline-gap"
          x={frame.x(at)}
          width={frame.x(at + 1) - frame.x(at)}
          y={frame.top}
          height={frame.bottom - frame.top}
        />
      ))}
      {areas.map(
        ({ band, label }, i) =>
          label !== undefined && (
            <text
              key={band.key}
              class={lit[i] === true ? 'timeline-name' : 'timeline-name dim'}
              x={label.x}
              y={label.y + 4}
              text-anchor="middle"
            >
              {label.text}
            </text>
          ),
      )}
      {frame.limit !== undefined && (
        <g>
          <line class="timeline-limit" x1={frame.left} x2={frame.right} y1={frame.limit} y2={frame.limit} />
          <text
            class="timeline-limit-name"
            x={frame.left + LIMIT_LEFT}
            y={frame.limit < LIMIT_HIGH ? frame.top + LIMIT_LOW : frame.limit - 5}
          >
            {frame.isLimitAbove && '↑ '}limit {formatValue(report.limit, report.header.unit, report.header.output_unit)}
          </text>
        </g>
      )}
      {frame.rss !== undefined && <Rss path={frame.rss} report={report} frame={frame} />}
      <Curves frame={frame} />
      {frame.peak >= 0 && <Peak report={report} frame={frame} />}
      {frame.forecast !== undefined && <Forecast report={report} frame={frame} />}
      <line class="size-axis" x1={frame.left} x2={frame.right} y1={frame.y(0)} y2={frame.y(0)} />
    </svg>
  );
}

/** All snapshots of a recording, with their names above the ends of the lines. */
function Curves({ frame }: Pick<Props, 'frame'>) {
  return (
    <>
      {frame.curves.map((curve, i) => (
        <g key={curve.name} class="timeline-rss" data-curve={curve.name}>
          <path d={curve.path} />
          <text
            x={frame.right - 4}
            y={Math.max(frame.top + 10, curve.end + (i === 0 && frame.curves.length > 1 ? 12 : -5))}
            text-anchor="end"
          >
            {curve.name}
          </text>
        </g>
      ))}
    </>
  );
}

/** Resident memory of the process, with its name above the end of the line. */
function Rss({ path, report, frame }: { readonly path: string } & Pick<Props, 'report' | 'frame'>) {
  const last = report.dump.at(-1)?.rss ?? 0;
  return (
    <g class="timeline-rss">
      <path d={path} />
      <text x={frame.right - 4} y={Math.max(frame.top + 10, frame.y(last) - 5)} text-anchor="end">
        RSS
      </text>
    </g>
  );
}

/** Approximate width of the name of the peak, in pixels. */
const PEAK_NAME = 40;

/** The moment at which most memory was in use. */
function Peak({ report, frame }: Pick<Props, 'report' | 'frame'>) {
  const [x, y] = [frame.x(frame.peak), frame.y(report.dump[frame.peak]?.total ?? 0)];
  const isRight = x + PEAK_NAME < frame.right;
  return (
    <g class="timeline-peak" data-peak={frame.peak}>
      <line x1={x} x2={x} y1={y} y2={frame.bottom} />
      <circle cx={x} cy={y} r={3.5} />
      <text x={isRight ? x + 7 : x - 7} y={Math.max(frame.top + 22, y - 5)} text-anchor={isRight ? 'start' : 'end'}>
        peak
      </text>
    </g>
  );
}

/** The total at its present rate, until the limit or the edge of the chart. */
function Forecast({ report, frame }: Pick<Props, 'report' | 'frame'>) {
  const { forecast } = frame;
  const last = report.dump.length - 1;
  if (forecast === undefined) return null;
  const [x, y] = [frame.x(last), frame.y(report.total.last)];
  return (
    <g class="timeline-forecast" data-forecast={forecast.reaches ? 'reaches' : 'goes on'}>
      <rect x={x} width={Math.max(0, forecast.x - x)} y={frame.top} height={frame.bottom - frame.top} />
      <line x1={x} y1={y} x2={forecast.x} y2={forecast.y} />
      {forecast.reaches && <circle cx={forecast.x} cy={forecast.y} r={4} />}
      <text x={(x + forecast.x) / 2} y={frame.bottom - 8} text-anchor="middle">
        at this rate
      </text>
    </g>
  );
}

function areasOf(report: GrowthReport, stack: Stack, frame: Frame): readonly Area[] {
  return stack.bands.map((band) => {
    const path = outlineOf(band, frame.drawn, frame.x, frame.y);
    return { band, hue: bandClass(stack, band.row), path, label: labelOf(report, band, frame) };
  });
}

/** The longest name that has room in an area. */
function labelOf(report: GrowthReport, band: Band, frame: Frame): Area['label'] {
  const row = report.row[band.row]?.row;
  const forms = row === undefined ? ['all others'] : shortNames(functionOf(row) || row.name);
  const most = Math.max((frame.right - frame.left) / 3, 120);
  for (const text of forms) {
    if (text.length * LETTER > most) continue;
    const place = labelPlace(band, frame.drawn, frame.x, frame.y, { width: text.length * LETTER + 8, height: LABEL_HEIGHT });
    if (place !== undefined) return { ...place, text };
  }
  return undefined;
}

/** Lines behind the areas, labels, and a mark for each dump. */
function Grid({ report, frame }: Pick<Props, 'report' | 'frame'>) {
  const { left, right, top, bottom } = frame;
  const n = report.dump.length;
  const marks = (right - left) / Math.max(1, n) >= MARK_GAP ? frame.drawn : [];
  return (
    <g>
      {frame.down.map((tick) => {
        const y = top + (bottom - top) * (1 - tick.at);
        return (
          <g key={tick.label}>
            <line class="size-grid" x1={left} x2={right} y1={y} y2={y} />
            <text class="size-tick" x={left - 8} y={y + 4} text-anchor="end">
              {tick.label}
            </text>
          </g>
        );
      })}
      {frame.across.map((tick) => {
        const x = left + (right - left) * tick.at;
        return (
          <g key={tick.at}>
            <line class="size-axis" x1={x} x2={x} y1={bottom} y2={bottom + 5} />
            <text class="size-tick" x={x} y={bottom + 19} text-anchor={x > right - 24 ? 'end' : 'middle'}>
              {tick.label}
            </text>
          </g>
        );
      })}
      {marks.map((at) => (
        <line key={at} class="timeline-dump" x1={frame.x(at)} x2={frame.x(at)} y1={bottom} y2={bottom + 3} />
      ))}
    </g>
  );
}
