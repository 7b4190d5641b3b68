import { useState } from 'preact/hooks';
import type { Header, PeekLink } from '../../api/types';
import { formatCount, formatExact, formatGrowth, formatPercent, formatValue } from '../../logic/text/format';
import { displayName, functionOf } from '../../logic/names/names';
import { hitClass, peekPattern } from '../../logic/names/pattern';
import type { Store } from '../../state/store';
import { Delta } from '../../ui/delta';
import { Swatch } from '../../ui/swatch';

interface Props {
  readonly store: Store;
  readonly header: Header;
  readonly title: string;
  readonly links: readonly PeekLink[];
  /** Denominator of shares: the function in the middle, with callees. */
  readonly whole: number;
  readonly none: string;
}

/** Rows shown at first, and how many “more” adds. */
const FEW = 50;
const MORE = 500;

/** Callers or callees with what flows along each call, the heaviest (with a base: the most changed) first. */
export function CallersLinks({ store, header, title, links, whole, none }: Props) {
  const [most, setMost] = useState(FEW);
  const shown = links.slice(0, most);
  const hidden = links.length - shown.length;
  return (
    <section class="link-table" aria-label={title}>
      <div class="walk-heads">
        {links.length > 0 && <Heads header={header} />}
        <h2>
          {title} <small>{formatCount(links.length)}</small>
        </h2>
      </div>
      {links.length === 0 && <p class="muted">{none}</p>}
      <ul>
        {shown.map((link) => (
          <Link key={link.row.name} store={store} header={header} link={link} whole={whole} />
        ))}
        {hidden > 0 && (
          <li>
            <button
              type="button"
              class="link more"
              onClick={() => {
                setMost(most + MORE);
              }}
            >
              {formatCount(hidden)} more
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

/** Names of the columns; each row has its numbers as text as well. */
function Heads({ header }: { readonly header: Header }) {
  return (
    <>
      <span class="walk-value">{header.has_base ? 'current' : 'value'}</span>
      {header.has_base && <span class="walk-value walk-base">baseline</span>}
      {header.has_base && <span class="walk-delta">Δ</span>}
      {header.has_base && <span class="walk-growth">Δ %</span>}
      {header.companion_type !== '' && <span class="walk-beside">{header.companion_unit === 'count' ? 'objects' : 'bytes'}</span>}
      <span class="walk-share">share</span>
      <span class="track none" />
    </>
  );
}

interface LinkProps {
  readonly store: Store;
  readonly header: Header;
  readonly link: PeekLink;
  readonly whole: number;
}

function Link({ store, header, link, whole }: LinkProps) {
  const { unit, output_unit: outputUnit } = header;
  const name = functionOf(link.row);
  const share = whole === 0 ? 0 : Math.min(1, Math.abs(link.value / whole));
  return (
    <li class={hitClass(store.search.value, link.row)}>
      <button
        type="button"
        class="walk"
        title={`${name}\n${formatExact(link.value, unit)}`}
        data-walk={name}
        onClick={() => {
          store.go({ peek: peekPattern(name), sel: name });
        }}
        onContextMenu={(e) => {
          e.preventDefault();
          store.openMenu(link.row, e.clientX, e.clientY);
        }}
        onKeyDown={(e) => {
          if (e.key !== 'm' || e.ctrlKey || e.metaKey || e.altKey) return;
          e.preventDefault();
          e.stopPropagation();
          const { left, bottom } = e.currentTarget.getBoundingClientRect();
          store.openMenu(link.row, left + 240, bottom);
        }}
      >
        <span class="walk-value">{formatValue(link.value, unit, outputUnit)}</span>
        {header.has_base && <span class="walk-value walk-base">{formatValue(link.base, unit, outputUnit)}</span>}
        {header.has_base && (
          <span class="walk-delta">
            <Delta value={link.value} base={link.base} unit={unit} outputUnit={outputUnit} samplingError={link.spread} />
          </span>
        )}
        {header.has_base && <span class="walk-growth">{link.value === link.base ? '' : formatGrowth(link.value, link.base)}</span>}
        {header.companion_type !== '' && <span class="walk-beside">{formatValue(link.companion, header.companion_unit)}</span>}
        <span class="walk-share">{formatPercent(link.value, whole)}</span>
        <span class="track" aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
        </span>
        <Swatch row={link.row} />
        <bdi class="mono walk-name">{displayName(name)}</bdi>
        {link.inlined && <span class="tag">inlined</span>}
      </button>
    </li>
  );
}
