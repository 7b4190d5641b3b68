import type { Header, SourceCall, SourceEntry, SourceStep } from '../../api/types';
import { formatExact, formatValue } from '../../logic/text/format';
import { displayName } from '../../logic/names/names';
import { exactly } from '../../logic/names/pattern';
import type { Store } from '../../state/store';
import { Delta } from '../../ui/delta';

interface Props {
  readonly store: Store;
  readonly header: Header;
  readonly entry: SourceEntry;
  readonly step: SourceStep;
}

/** Parameters that show the source around a call. */
export function openCall(store: Store, call: SourceCall, isLine: boolean): void {
  store.go(
    { list: exactly(call.name), sel: call.name, in: call.file, line: isLine && call.line > 0 ? String(call.line) : '', lines: '' },
    'source',
  );
}

/** A function that a line calls, or that was inlined into it; a click leads to its source. */
export function CallRow({ store, header, entry, step }: Props) {
  const call = entry.call[step.call];
  if (call === undefined) return null;
  const place = call.file === '' ? '' : `${call.file.split('/').slice(-2).join('/')}${call.line > 0 ? `:${call.line}` : ''}`;
  return (
    <tr class="source-step">
      <td />
      <td />
      <td class="right">
        <span title={formatExact(step.value, header.unit)}>{formatValue(step.value, header.unit, header.output_unit)}</span>
      </td>
      {header.has_base && (
        <td class="right">
          <Delta value={step.value} base={step.base} unit={header.unit} outputUnit={header.output_unit} />
        </td>
      )}
      <td />
      <td class="source-text">
        <span class="source-way" style={{ paddingLeft: `${24 + Math.min(step.depth, 24) * 14}px` }}>
          <span aria-hidden="true">↳</span>
          <button
            type="button"
            class="link mono"
            title={`${call.name}\n${call.file}`}
            data-step={call.name}
            onClick={() => {
              openCall(store, call, step.inlined);
            }}
          >
            <bdi>{displayName(call.name)}</bdi>
          </button>
          {step.inlined && <span class="tag">inlined</span>}
          <bdi class="muted">{place}</bdi>
          {call.text !== '' && <code class="muted">{call.text}</code>}
        </span>
      </td>
    </tr>
  );
}
