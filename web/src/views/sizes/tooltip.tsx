import type { SizesReport } from '../../api/types';
import { formatExact, formatPercent, formatValue, plural } from '../../logic/text/format';
import { displayName, functionOf } from '../../logic/names/names';
import { baseOf, classExact, classLabel, unitOf, valueOf, type Measure } from '../../logic/size-chart';
import { Delta } from '../../ui/delta';
import { Swatch } from '../../ui/swatch';
import { Tooltip } from '../../ui/tooltip';
import type { Hover } from '../../ui/use-hover';

interface Props {
  readonly report: SizesReport;
  readonly measure: Measure;
  readonly hover: Hover;
}

/** Numbers of the size class under the pointer, and its largest functions. */
export function SizeTooltip({ report, measure, hover }: Props) {
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
