import type { Gross, Header, PeekEntry, Spread } from '../../api/types';
import { formatExact, formatGrowth, formatMean, formatPercent, formatValue } from '../../logic/text/format';
import { numberWithError } from '../../logic/text/sampling-error';
import { Delta } from '../../ui/delta';

interface Props {
  readonly entry: PeekEntry;
  readonly header: Header;
}

/** Values of the selected function, in itself and with its callees. */
export function Sums({ entry, header }: Props) {
  return (
    <table class="sums">
      <thead>
        <tr>
          <th scope="col">
            <span class="sr">What</span>
          </th>
          <th scope="col">value</th>
          <th scope="col">of view</th>
        </tr>
      </thead>
      <tbody>
        <Sum
          label="Self"
          value={entry.flat}
          base={entry.flat_base}
          samplingError={entry.flat_spread}
          gross={entry.flat_gross}
          header={header}
        />
        <Sum
          label="Total"
          value={entry.cum}
          base={entry.cum_base}
          samplingError={entry.cum_spread}
          gross={entry.cum_gross}
          header={header}
        />
        <Companion entry={entry} header={header} />
      </tbody>
    </table>
  );
}

interface SumProps {
  readonly label: string;
  readonly value: number;
  readonly base: number;
  readonly samplingError: Spread | null | undefined;
  readonly gross: Gross | null | undefined;
  readonly header: Header;
}

function Sum({ label, value, base, samplingError, gross, header }: SumProps) {
  const { unit, output_unit: outputUnit } = header;
  return (
    <>
      <tr>
        <th scope="row">{label}</th>
        <td>
          <b>{formatValue(value, unit, outputUnit)}</b>
        </td>
        <td>{formatPercent(value, header.value_total)}</td>
      </tr>
      <tr class="exact">
        <td colSpan={3}>{numberWithError(formatExact(value, unit), samplingError, gross, unit, outputUnit)}</td>
      </tr>
      {header.has_base && (
        <tr>
          <th scope="row">since baseline</th>
          <td>
            <Delta value={value} base={base} unit={unit} outputUnit={outputUnit} samplingError={samplingError} />
          </td>
          <td>{formatGrowth(value, base)}</td>
        </tr>
      )}
    </>
  );
}

/** Total in the second value type, and the mean size of an object. */
function Companion({ entry, header }: Props) {
  if (header.companion_type === '') return null;
  const isBytes = header.companion_unit !== 'count';
  const mean = isBytes
    ? formatMean(entry.cum_companion, entry.cum, header.companion_unit)
    : formatMean(entry.cum, entry.cum_companion, header.unit);
  return (
    <tr>
      <th scope="row">{isBytes ? 'Bytes' : 'Objects'}</th>
      <td>
        <b>{formatValue(entry.cum_companion, header.companion_unit)}</b>
      </td>
      <td title="Mean object size in bytes">{mean === '' ? '' : `${mean} each`}</td>
    </tr>
  );
}
