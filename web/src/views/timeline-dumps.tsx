import { useMemo } from 'preact/hooks';
import type { GrowthReport } from '../api/types';
import { formatValue } from '../logic/format';
import { baseName, functionOf } from '../logic/names';
import { valueAt, type Stack } from '../logic/timeline-bands';
import { whenOf } from '../logic/timeline-words';

interface Props {
  readonly report: GrowthReport;
  readonly stack: Stack;
}

/** The chart for those who do not see it: dump by dump, the total and each area. */
export function TimelineDumps({ report, stack }: Props) {
  return useMemo(() => {
    const { unit, output_unit: outputUnit } = report.header;
    return (
      <div class="sr">
        <table data-dumps>
          <caption>Memory by dump</caption>
          <thead>
            <tr>
              <th scope="col">Dump</th>
              <th scope="col">Taken</th>
              <th scope="col">Total</th>
              {stack.bands.map((band) => {
                const row = report.row[band.row]?.row;
                return (
                  <th key={band.key} scope="col">
                    {row === undefined ? 'all others' : functionOf(row)}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {report.dump.map((dump, at) => (
              <tr key={dump.dump}>
                <th scope="row">
                  {at + 1}: {baseName(dump.name)}
                </th>
                <td>{whenOf(report, at)}</td>
                <td>{formatValue(dump.total, unit, outputUnit)}</td>
                {stack.bands.map((band) => (
                  <td key={band.key}>{formatValue(valueAt(band, at), unit, outputUnit)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  }, [report, stack]);
}
