import type { ReadonlySignal } from '@preact/signals';
import type { GrowthDump, GrowthReport } from '../../api/types';
import { formatPercent, formatValue } from '../../logic/text/format';
import { baseName, displayName, functionOf } from '../../logic/names/names';
import { valueAt, type Stack } from '../../logic/timeline/bands';
import { bandClass } from '../../logic/timeline/colors';
import { isOfMoments } from '../../logic/recording';
import { dumpNoun, placeWord, whenOf } from '../../logic/timeline/text';
import { Delta } from '../../ui/delta';
import { Tooltip } from '../../ui/tooltip';
import type { Reach } from './overlay';

interface Props {
  readonly report: GrowthReport;
  readonly stack: Stack;
  readonly reach: ReadonlySignal<Reach | undefined>;
  readonly hovered: ReadonlySignal<number>;
  /** Bottom of the chart in the window: nothing below it is covered. */
  readonly above: () => number;
}

/** What a recording knows of a moment besides its stacks. */
function NotInBands({ report, dump }: { readonly report: GrowthReport; readonly dump: GrowthDump }) {
  const point = report.curve?.findLast(({ at }) => at <= dump.at);
  const rows: readonly (readonly [string, number | undefined])[] = [
    ['Heap overhead', point?.extra],
    ['Stacks', point?.stacks],
    ['RSS of the process', dump.rss],
  ];
  return rows.map(
    ([name, bytes]) =>
      bytes !== undefined &&
      bytes > 0 && (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{formatValue(bytes, 'bytes', report.header.output_unit)}</td>
          <td />
          <td />
        </tr>
      ),
  );
}

/** Value of each band at a dump, and its change since the dump before. */
export function TimelineTip({ report, stack, reach, hovered, above }: Props) {
  const now = reach.value;
  const dump = report.dump[now?.at ?? -1];
  // While two dumps are chosen, the line below the chart has the difference: nothing may cover the range.
  if (now === undefined || dump === undefined || now.from !== now.at) return null;
  const { unit, output_unit: outputUnit } = report.header;
  const before = report.dump[now.at - 1];
  const value = (v: number) => formatValue(v, unit, outputUnit);
  return (
    <Tooltip x={now.x} y={now.y} above={above()}>
      <div class="tooltip-name">
        <bdi>{isOfMoments(report) ? whenOf(report, now.at) : baseName(dump.name)}</bdi>
      </div>
      <div class="tooltip-from">{placeWord(report, now.at) + (isOfMoments(report) ? '' : ` · ${whenOf(report, now.at)}`)}</div>
      <table class="timeline-tip">
        <tbody>
          <tr class="total">
            <th scope="row">Total</th>
            <td>{value(dump.total)}</td>
            <td>{before !== undefined && <Delta value={dump.total} base={before.total} unit={unit} outputUnit={outputUnit} />}</td>
            <td />
          </tr>
          {stack.bands.toReversed().map((band) => {
            const row = report.row[band.row]?.row;
            const inBand = valueAt(band, now.at);
            if (inBand === 0 && band.row !== hovered.value) return null;
            return (
              <tr key={band.key} class={band.row >= 0 && band.row === hovered.value ? 'over' : ''}>
                <th scope="row">
                  <span class={`swatch ${bandClass(stack, band.row)}`} aria-hidden="true" />
                  <bdi class={row === undefined ? '' : 'mono'}>{row === undefined ? 'all others' : displayName(functionOf(row))}</bdi>
                </th>
                <td>{value(inBand)}</td>
                <td>
                  {before !== undefined && <Delta value={inBand} base={valueAt(band, now.at - 1)} unit={unit} outputUnit={outputUnit} />}
                </td>
                <td class="exact">{formatPercent(inBand, dump.total)}</td>
              </tr>
            );
          })}
          <NotInBands report={report} dump={dump} />
        </tbody>
      </table>
      <div class="tooltip-from">
        {before === undefined ? `Click to show this ${dumpNoun(report)}` : `Changes since the ${dumpNoun(report)} before`}
      </div>
    </Tooltip>
  );
}
