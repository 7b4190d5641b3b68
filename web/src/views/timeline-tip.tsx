import type { ReadonlySignal } from '@preact/signals';
import type { GrowthReport } from '../api/types';
import { formatPercent, formatValue } from '../logic/format';
import { baseName, displayName, functionOf } from '../logic/names';
import { valueAt, type Stack } from '../logic/timeline-bands';
import { bandClass } from '../logic/timeline-colors';
import { lengthBetween, placeWord, whenOf } from '../logic/timeline-words';
import { Delta } from '../ui/delta';
import { Tooltip } from '../ui/tooltip';
import type { Reach } from './timeline-overlay';

interface Props {
  readonly report: GrowthReport;
  readonly stack: Stack;
  readonly reach: ReadonlySignal<Reach | undefined>;
  readonly hovered: ReadonlySignal<number>;
}

/** What a dump holds, or what changed from one to another, band by band as they lie. */
export function TimelineTip({ report, stack, reach, hovered }: Props) {
  const now = reach.value;
  const dump = report.dump[now?.at ?? -1];
  if (now === undefined || dump === undefined) return null;
  const { unit, output_unit: outputUnit } = report.header;
  const [early, late] = [Math.min(now.from, now.at), Math.max(now.from, now.at)];
  const isRange = early !== late;
  const before = report.dump[isRange ? early : now.at - 1];
  const after = report.dump[isRange ? late : now.at];
  const value = (v: number) => formatValue(v, unit, outputUnit);
  return (
    <Tooltip x={now.x} y={now.y}>
      <div class="tooltip-name">
        {isRange ? `From ${placeWord(early, report.dump.length)} to ${late + 1}` : <bdi>{baseName(dump.name)}</bdi>}
      </div>
      <div class="tooltip-from">
        {isRange
          ? `${whenOf(report, early)} to ${whenOf(report, late)}, ${lengthBetween(report, early, late)}`
          : `${placeWord(now.at, report.dump.length)} · ${whenOf(report, now.at)}`}
      </div>
      <table class="timeline-tip">
        <tbody>
          <tr class="total">
            <th scope="row">Total</th>
            <td>{value(after?.total ?? 0)}</td>
            <td>
              {before !== undefined && after !== undefined && (
                <Delta value={after.total} base={before.total} unit={unit} outputUnit={outputUnit} />
              )}
            </td>
            {!isRange && <td />}
          </tr>
          {stack.bands.toReversed().map((band) => {
            const row = report.row[band.row]?.row;
            const held = valueAt(band, late);
            if (!isRange && held === 0 && band.row !== hovered.value) return null;
            return (
              <tr key={band.key} class={band.row >= 0 && band.row === hovered.value ? 'over' : ''}>
                <th scope="row">
                  <span class={`swatch ${bandClass(stack, band.row)}`} aria-hidden="true" />
                  <bdi class={row === undefined ? '' : 'mono'}>{row === undefined ? 'all others' : displayName(functionOf(row))}</bdi>
                </th>
                <td>{value(isRange ? held : valueAt(band, now.at))}</td>
                <td>
                  {before !== undefined && (
                    <Delta value={held} base={valueAt(band, isRange ? early : now.at - 1)} unit={unit} outputUnit={outputUnit} />
                  )}
                </td>
                {!isRange && <td class="exact">{formatPercent(valueAt(band, now.at), dump.total)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
      <div class="tooltip-from">
        {isRange
          ? 'Let go: the difference in every view'
          : before === undefined
            ? 'Click: show this dump'
            : 'Differences are to the dump before'}
      </div>
    </Tooltip>
  );
}
