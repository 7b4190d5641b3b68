import { useMemo } from 'preact/hooks';
import type { GrowthReport } from '../../api/types';
import { formatCount, formatValue } from '../../logic/text/format';
import { baseName, functionOf } from '../../logic/names/names';
import { drawnDumps, valueAt, type Stack } from '../../logic/timeline/bands';
import { dumpNoun, whenOf } from '../../logic/timeline/text';

/** Most rows; with more dumps some are left out, but no peak. */
const MOST = 240;

interface Props {
  readonly report: GrowthReport;
  readonly stack: Stack;
}

/** The chart as a table for screen readers: the total and each area by dump. */
export function ScreenReaderTable({ report, stack }: Props) {
  return useMemo(() => {
    const { unit, output_unit: outputUnit } = report.header;
    const n = report.dump.length;
    const listed = drawnDumps(
      report.dump.map(({ total }) => total),
      report.dump.map((_, at) => at / Math.max(1, n - 1)),
      MOST / 2,
    );
    return (
      <div class="sr">
        <table data-dumps>
          <caption>
            Memory by {dumpNoun(report)}
            {listed.length < n && `, ${formatCount(listed.length)} of ${formatCount(n)} of them`}
          </caption>
          <thead>
            <tr>
              <th scope="col">{dumpNoun(report) === 'dump' ? 'Dump' : 'Moment'}</th>
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
            {listed.map((at) => (
              <tr key={at}>
                <th scope="row">
                  {at + 1}: {baseName(report.dump[at]?.name ?? '')}
                </th>
                <td>{whenOf(report, at)}</td>
                <td>{formatValue(report.dump[at]?.total ?? 0, unit, outputUnit)}</td>
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
