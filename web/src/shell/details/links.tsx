import type { PeekLink, Row } from '../../api/types';
import { formatExact, formatPercent, formatValue } from '../../logic/text/format';
import { functionOf } from '../../logic/names/names';
import type { Store } from '../../state/store';
import { Delta } from '../../ui/delta';
import { FunctionName } from '../../ui/function-name';
import { Swatch } from '../../ui/swatch';

interface Props {
  readonly store: Store;
  readonly title: string;
  readonly links: readonly PeekLink[];
  readonly whole: number;
  readonly none: string;
}

const MOST = 12;

/** Callers or callees of the selected function, the largest few. */
export function DetailsLinks({ store, title, links, whole, none }: Props) {
  const header = store.details.report.value?.header;
  if (header === undefined) return null;
  const menu =
    (row: Row) =>
    (event: MouseEvent): void => {
      event.preventDefault();
      store.openMenu(row, event.clientX, event.clientY);
    };
  return (
    <section class="links">
      <h3>{title}</h3>
      {links.length === 0 && <p class="muted">{none}</p>}
      <ul>
        {links.slice(0, MOST).map((link) => (
          <li key={link.row.name}>
            <button
              type="button"
              class="link-row"
              title={link.row.name}
              onClick={() => {
                store.select(link.row);
              }}
              onContextMenu={menu(link.row)}
            >
              <Swatch row={link.row} />
              <span class="link-name">
                <FunctionName name={functionOf(link.row)} />
              </span>
              <span class="link-value" title={formatExact(link.value, header.unit)}>
                {header.has_base ? (
                  <Delta
                    value={link.value}
                    base={link.base}
                    unit={header.unit}
                    outputUnit={header.output_unit}
                    samplingError={link.spread}
                  />
                ) : (
                  formatValue(link.value, header.unit, header.output_unit)
                )}
              </span>
              <span class="link-share">{formatPercent(link.value, whole)}</span>
            </button>
          </li>
        ))}
      </ul>
      {links.length > MOST && <p class="muted">{links.length - MOST} more in the Callers view</p>}
    </section>
  );
}
