import type { ReadonlySignal } from '@preact/signals';
import type { FlameReport, Header } from '../../api/types';
import { numberAt } from '../../logic/number-at';
import { formatExact, formatGrowth, formatPercent, formatValue } from '../../logic/text/format';
import { functionOf, placeOf } from '../../logic/names/names';
import { ownerOf } from '../../logic/ownership/package';
import { boxSamplingError, grossText, isNoise, samplingErrorText } from '../../logic/text/sampling-error';
import type { Store } from '../../state/store';
import { BreakableText } from '../../ui/breakable-text';
import { Delta } from '../../ui/delta';
import { Swatch } from '../../ui/swatch';
import { Tooltip } from '../../ui/tooltip';
import type { Hover } from '../../ui/use-hover';

interface Props {
  /** Box that fills the width. */
  readonly root: number;
  readonly report: FlameReport;
  readonly hover: Hover;
}

/** Tooltip of the box under the pointer; rendered apart from the view, because it follows the pointer. */
export function FlameTooltip({
  store,
  report,
  root,
  hover,
}: Pick<Props, 'report' | 'root'> & { readonly store: Store; readonly hover: ReadonlySignal<Hover | undefined> }) {
  const at = hover.value;
  return at === undefined || store.menu.value !== undefined ? null : <BoxTooltip report={report} root={root} hover={at} />;
}

/** Values of a box: shares, exact bytes, the difference, and the place of its code. */
function BoxTooltip({ report, root, hover: { at: box, x, y } }: Props) {
  const { header } = report;
  const row = report.row[numberAt(report.node, box)];
  const [cum, flat] = [numberAt(report.cum, box), numberAt(report.flat, box)];
  const name = row === undefined ? (box === 0 ? 'all memory shown' : 'smaller ones, folded together') : functionOf(row);
  const from = row === undefined ? [] : [ownerOf(row), placeOf(row), row.object].filter((t) => t !== '');
  const samplingError = boxSamplingError(report, box);
  const { unit, output_unit: outputUnit } = header;
  const gross = grossText(report.cum_grown[box] ?? 0, report.cum_shrunk[box] ?? 0, unit, outputUnit);
  const hidden = isNoise(cum, report.cum_base[box] ?? cum, samplingError) ? 'change within sampling noise' : '';
  const notes = [samplingErrorText(samplingError, unit, outputUnit), gross, hidden].filter((text) => text !== '').join(' · ');
  return (
    <Tooltip x={x} y={y}>
      <div class="tooltip-name mono">
        {row !== undefined && <Swatch row={row} />}
        <BreakableText text={name.length > 400 ? `${name.slice(0, 400)}…` : name} />
      </div>
      {from.length > 0 && (
        <div class="tooltip-from">
          <bdi>{from.join(' · ')}</bdi>
        </div>
      )}
      {!Number.isNaN(cum) && (
        <table>
          <tbody>
            <Sums header={header} label="total" value={cum} base={numberAt(report.cum_base, box)} />
            <Sums header={header} label="self" value={flat} base={numberAt(report.flat_base, box)} />
          </tbody>
        </table>
      )}
      <div class="tooltip-from">
        {box < root && <>caller of the zoomed frame · double-click zooms out to it</>}
        {box > root && (
          <>
            {formatPercent(cum, numberAt(report.cum, root))} of the {root > 0 ? 'zoomed frame' : 'root'}
          </>
        )}
        {header.total !== header.value_total && !header.has_base && !Number.isNaN(cum) && (
          <> · {formatPercent(cum, header.total)} of the whole profile</>
        )}
        {notes !== '' && <> · {notes}</>}
        {numberAt(report.inlined, box) !== 0 && <> · ↳ inlined into its caller</>}
      </div>
    </Tooltip>
  );
}

interface SumsProps {
  readonly header: Header;
  readonly label: string;
  readonly value: number;
  readonly base: number;
}

/** Rows of a value and, with a baseline, of its change. */
function Sums({ header, label, value, base }: SumsProps) {
  const { unit, output_unit: outputUnit } = header;
  return (
    <>
      <tr>
        <th scope="row">{label}</th>
        <td>{formatValue(value, unit, outputUnit)}</td>
        <td>{formatPercent(value, header.value_total)}</td>
        <td class="exact">{formatExact(value, unit)}</td>
      </tr>
      {header.has_base && (
        <tr>
          <th scope="row">since baseline</th>
          <td>
            <Delta value={value} base={base} unit={unit} outputUnit={outputUnit} />
          </td>
          <td>{formatGrowth(value, base)}</td>
          <td class="exact">{formatExact(base, unit)} before</td>
        </tr>
      )}
    </>
  );
}
