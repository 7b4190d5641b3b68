import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { Header, SourceEntry, SourceInstruction } from '../../api/types';
import { codeRows, partsOf, rowOfLine, type CodeRow } from '../../logic/source/code-rows';
import { formatExact, formatValue } from '../../logic/text/format';
import { displayName } from '../../logic/names/names';
import { heatOf } from '../../logic/source/lines';
import type { Store } from '../../state/store';
import { Delta } from '../../ui/delta';
import { Filler } from '../../ui/filler';
import { useRows } from '../../ui/use-rows';
import { openCall } from './call-row';

interface Props {
  readonly store: Store;
  readonly header: Header;
  readonly entry: SourceEntry;
  readonly line: number;
  readonly onLine: (line: number) => void;
}

const ROW_HEIGHT = 20;
const HEAD_HEIGHT = 28;

/** The instructions that the lines were compiled to, in step with the selected line. */
export function SourceCode({ store, header, entry, line, onLine }: Props) {
  const rows = useMemo(() => codeRows(entry), [entry]);
  const most = useMemo(() => entry.code.reduce((m, c) => Math.max(m, Math.abs(c.cum - c.cum_base)), 0), [entry]);
  const { first, last, box, onScroll, show } = useRows(rows.length, { rowHeight: ROW_HEIGHT, headHeight: HEAD_HEIGHT });
  useLayoutEffect(() => {
    const at = rowOfLine(rows, line);
    const element = box.current;
    if (element !== null && at >= 0) element.scrollTop = Math.max(0, at - 3) * ROW_HEIGHT;
    else show(rows.length - 1);
  }, [rows, line]);
  return (
    <div
      class="source-scroll source-code"
      ref={box}
      tabIndex={0}
      role="group"
      aria-label={`Machine code of ${entry.name}`}
      onScroll={onScroll}
    >
      {rows.length === 0 && <NoCode store={store} header={header} />}
      {rows.length > 0 && (
        <table class="source-table" aria-label="Machine code">
          <Head hasBase={header.has_base} />
          <tbody>
            <Filler rows={first} rowHeight={ROW_HEIGHT} columns={4} />
            {rows.slice(first, last).map((row, i) => (
              <tr
                key={first + i}
                class={`code-row code-${row.kind} ${row.line === line ? 'selected' : ''}`}
                data-code-line={row.line}
                onClick={() => {
                  onLine(row.line);
                }}
              >
                <Cells store={store} header={header} row={row} most={most} />
              </tr>
            ))}
            <Filler rows={rows.length - last} rowHeight={ROW_HEIGHT} columns={4} />
          </tbody>
        </table>
      )}
    </div>
  );
}

function Head({ hasBase }: { readonly hasBase: boolean }) {
  return (
    <>
      <colgroup>
        <col class="source-col-address" />
        <col class="source-col-value" />
        <col class="source-col-value" />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th scope="col" class="right">
            Address
          </th>
          <th scope="col" class="right">
            {hasBase ? 'Δ flat' : 'Flat'}
          </th>
          <th scope="col" class="right">
            {hasBase ? 'Δ cum' : 'Cum'}
          </th>
          <th scope="col">Instruction</th>
        </tr>
      </thead>
    </>
  );
}

interface CellsProps {
  readonly store: Store;
  readonly header: Header;
  readonly row: CodeRow;
  readonly most: number;
}

function Cells({ store, header, row, most }: CellsProps) {
  switch (row.kind) {
    case 'line':
      return (
        <>
          <td class="right source-number">{row.line > 0 ? row.line : '?'}</td>
          <td colSpan={3} class="source-text">
            <code>{row.text}</code>
          </td>
        </>
      );
    case 'gap':
      return (
        <td colSpan={4} class="muted source-text">
          <span class="sr">other code between</span>⋮
        </td>
      );
    case 'call':
      return (
        <>
          <td colSpan={3} />
          <td class="source-text">
            <span class="source-way" style={{ paddingLeft: `${Math.min(row.depth, 24) * 8}px` }}>
              <button
                type="button"
                class="link mono"
                tabIndex={-1}
                title={`${row.call.name}\n${row.call.file}:${row.call.line}\n${row.call.text}`}
                onClick={(e) => {
                  e.stopPropagation();
                  openCall(store, row.call, true);
                }}
              >
                <bdi>{displayName(row.call.name)}</bdi>
              </button>
              <span class="tag">inlined</span>
              <code class="muted">{row.call.text}</code>
            </span>
          </td>
        </>
      );
    case 'code':
      return <Instruction header={header} code={row.code} depth={row.depth} most={most} />;
    default:
      return row satisfies never;
  }
}

function Instruction({
  header,
  code,
  depth,
  most,
}: {
  readonly header: Header;
  readonly code: SourceInstruction;
  readonly depth: number;
  readonly most: number;
}) {
  const { mnemonic, operands, note } = partsOf(code.text);
  const { unit, output_unit: outputUnit } = header;
  const value = (now: number, base: number) => {
    if (now === base) return '';
    // With a base there is room for the change only.
    if (header.has_base) return <Delta value={now} base={base} unit={unit} outputUnit={outputUnit} />;
    return <span title={formatExact(now, unit)}>{formatValue(now, unit, outputUnit)}</span>;
  };
  return (
    <>
      <td class="right muted mono">{code.address.replace(/^0x/, '')}</td>
      <td class="right">{value(code.flat, code.flat_base)}</td>
      <td class={`right heat-${heatOf(code.cum - code.cum_base, most)}`}>{value(code.cum, code.cum_base)}</td>
      <td class="source-text" title={code.text.replace('\t', ' ')}>
        <code style={{ paddingLeft: `${Math.min(depth, 24) * 8}px` }}>
          {code.text === '' ? <span class="muted">program file not found</span> : <b>{mnemonic}</b>} <bdi>{operands}</bdi>
          {note !== '' && <bdi class="code-note"> {note}</bdi>}
        </code>
      </td>
    </>
  );
}

/** Why there are no instructions. */
function NoCode({ store, header }: { readonly store: Store; readonly header: Header }) {
  const why = header.warnings.find((warning) => warning.startsWith('no instructions'));
  return (
    <div class="source-missing" role="status">
      <h3>No machine code</h3>
      <p class="muted">
        {why ?? (store.main.loading.value ? 'Reading the program…' : 'No address of this function has memory in this view.')}
      </p>
    </div>
  );
}
