import type { Header, Row } from '../../api/types';
import { formatExact, formatValue } from '../../logic/text/format';
import { kindLabel, packageLabel } from '../../logic/ownership/package';
import { samplingErrorText, type SamplingError } from '../../logic/text/sampling-error';

/** A number in a table; every digit is in its title. */
export function Value({
  header,
  value,
  samplingError,
}: {
  readonly header: Header;
  readonly value: number;
  readonly samplingError?: SamplingError;
}) {
  const error = samplingErrorText(samplingError, header.unit, header.output_unit);
  return (
    <span class={value === 0 ? 'zero' : ''} title={`${formatExact(value, header.unit)}${error === '' ? '' : `; ${error}`}`}>
      {formatValue(value, header.unit, header.output_unit)}
    </span>
  );
}

export function Companion({ header, value }: { readonly header: Header; readonly value: number }) {
  const unit = header.companion_unit;
  return (
    <span class={value === 0 ? 'zero' : ''} title={formatExact(value, unit)}>
      {formatValue(value, unit)}
    </span>
  );
}

/** Dark part: self; light part: with callees. */
export function Bar({ flat, cum }: { readonly flat: number; readonly cum: number }) {
  return (
    <span class="cell-bar" aria-hidden="true">
      <i class="cum" style={{ width: `${Math.min(1, cum) * 100}%` }} />
      <i class="flat" style={{ width: `${Math.min(1, flat) * 100}%` }} />
    </span>
  );
}

/** Package and kind as text; the colour shows the same. */
export function PackageCell({ row }: { readonly row: Row }) {
  return (
    <bdi class="place" title={`${packageLabel(row)}, ${kindLabel(row.kind)}`}>
      {row.package} {row.version !== '' && <small>{row.version}</small>}
    </bdi>
  );
}
