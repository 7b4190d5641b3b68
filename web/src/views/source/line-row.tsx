import type { Header, SourceEntry } from '../../api/types';
import { formatExact, formatValue } from '../../logic/text/format';
import { heatOf, netAt, untabbed } from '../../logic/source/lines';
import type { Piece } from '../../logic/source/syntax';
import { CodeText } from '../../ui/code-text';
import { Delta } from '../../ui/delta';

interface Props {
  readonly header: Header;
  readonly entry: SourceEntry;
  /** Index into the entry's lines. */
  readonly index: number;
  /** Value of the heaviest line. */
  readonly most: number;
  readonly pieces: readonly Piece[] | undefined;
  readonly isSelected: boolean;
  readonly isHit: boolean;
  readonly nSteps: number;
  readonly isOpen: boolean;
  readonly onSelect: (line: number) => void;
  readonly onToggle: (line: number) => void;
}

/** A line: its number, its values, their share as a bar, and its text. */
export function LineRow({ header, entry, index, most, pieces, isSelected, isHit, nSteps, isOpen, onSelect, onToggle }: Props) {
  const { number: numbers, text: texts, flat, cum, flat_base: flatBase, cum_base: cumBase } = entry.lines;
  const number = numbers[index] ?? 0;
  const text = texts[index];
  const net = netAt(cum, cumBase, index);
  const heat = heatOf(net, most);
  const value = (values: readonly number[]) => {
    const v = values[index] ?? 0;
    return v === 0 ? '' : <span title={formatExact(v, header.unit)}>{formatValue(v, header.unit, header.output_unit)}</span>;
  };
  const classes = ['source-line', `heat-${heat}`, net < 0 ? 'shrank' : '', isSelected ? 'selected' : '', isHit ? 'hit' : ''];
  return (
    <tr
      class={classes.filter((c) => c !== '').join(' ')}
      data-line={number}
      aria-selected={isSelected}
      onClick={() => {
        onSelect(number);
      }}
    >
      <td class="right source-number">{number > 0 ? number : '?'}</td>
      <td class="right">{value(flat)}</td>
      <td class="right">{value(cum)}</td>
      {header.has_base && (
        <td class="right">
          {net !== 0 && <Delta value={cum[index] ?? 0} base={cumBase[index] ?? 0} unit={header.unit} outputUnit={header.output_unit} />}
        </td>
      )}
      <td class="source-bar-cell">
        {heat > 0 && (
          <span class="source-heat" aria-hidden="true">
            <i style={{ width: `${Math.max(3, (Math.abs(net) / most) * 100)}%` }} />
            <b style={{ width: `${(Math.abs(netAt(flat, flatBase, index)) / most) * 100}%` }} />
          </span>
        )}
      </td>
      <td class="source-text">
        <Caret number={number} nSteps={nSteps} isOpen={isOpen} isSelected={isSelected} onToggle={onToggle} />
        {text === null || text === undefined ? (
          <span class="muted">{absent(entry, number)}</span>
        ) : (
          <CodeText pieces={pieces} text={untabbed(text)} />
        )}
      </td>
    </tr>
  );
}

/** Button that shows the calls of a line; space where it has none. */
function Caret({
  number,
  nSteps,
  isOpen,
  isSelected,
  onToggle,
}: Pick<Props, 'nSteps' | 'isOpen' | 'isSelected' | 'onToggle'> & { readonly number: number }) {
  if (nSteps === 0) return <span class="source-caret" />;
  return (
    <button
      type="button"
      class="source-caret"
      aria-expanded={isOpen}
      aria-label={`What line ${number} calls`}
      title={isOpen ? 'Close (Enter)' : 'What it calls (Enter)'}
      tabIndex={isSelected ? 0 : -1}
      onClick={(e) => {
        e.stopPropagation();
        onToggle(number);
      }}
    >
      {isOpen ? '▾' : '▸'}
    </button>
  );
}

/** Placeholder for a line without text. */
function absent(entry: SourceEntry, number: number): string {
  if (number <= 0) return 'line not known';
  return entry.problem === '' && entry.file !== '' ? 'not in this version of the file' : 'source unavailable';
}
