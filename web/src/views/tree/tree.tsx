import { useEffect, useMemo } from 'preact/hooks';
import type { FlameReport, Row } from '../../api/types';
import { numberAt } from '../../logic/number-at';
import { plural } from '../../logic/text/format';
import { displayName, functionOf } from '../../logic/names/names';
import { matchesRow } from '../../logic/names/pattern';
import { rowOfKey, treeRows, treeState, type TreeRows } from '../../logic/table/tree-rows';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { Segmented } from '../../ui/select';
import { DataTable } from '../../ui/table/table';
import { treeColumns } from './columns';
import { useTreeActions } from './use-actions';

interface Props {
  readonly store: Store;
  readonly report: FlameReport;
}

const DIRECTIONS = [
  { value: '', label: 'Top-down' },
  { value: 't', label: 'Bottom-up' },
];

/** The call tree as a table whose rows open. Open rows are in the address; the server sends only rows in open ones. */
export function TreeView({ store, report }: Props) {
  const rows = useMemo(() => treeRows(report), [report]);
  const columns = useMemo(() => treeColumns(report, rows), [report, rows]);
  const rowOf = (at: number): Row | undefined => report.row[numberAt(report.node, numberAt(rows.box, at))];
  const pattern = store.search.value;
  const cursor = cursorOf(store, report, rows);
  const hits = useMemo(() => report.row.map((row) => matchesRow(pattern, row)), [report, pattern]);
  useEffect(() => {
    const seen = rows.box.reduce((n, box) => n + (hits[numberAt(report.node, box)] === true ? 1 : 0), 0);
    store.found.value = pattern.kind === 'ok' ? { count: seen, noun: 'open row' } : undefined;
    return () => {
      store.found.value = undefined;
    };
  }, [hits]);

  const { select, toggle, hottest, onKey } = useTreeActions(store, report, rows);

  return (
    <div class="tree">
      <TreeBar
        store={store}
        report={report}
        n={rows.n}
        onHottest={() => {
          hottest(cursor);
        }}
      />
      <DataTable
        label={report.inverted ? 'Holders and their callers' : 'Call tree'}
        columns={columns}
        n={rows.n}
        selected={cursor}
        version={columns}
        rowClass={(at) => {
          const box = numberAt(rows.box, at);
          const row = rowOf(at);
          const hit = pattern.kind !== 'ok' ? '' : hits[numberAt(report.node, box)] === true ? 'hit' : 'miss';
          const same = row !== undefined && functionOf(row) === store.selected.value;
          return `${same ? 'selected' : ''} ${hit} ${treeState(report, rows, at)}`;
        }}
        rowState={(at) => {
          const state = treeState(report, rows, at);
          return { level: numberAt(rows.level, at), open: state === 'leaf' ? undefined : state === 'open' };
        }}
        onSelect={select}
        onPick={(at, target) => {
          select(at);
          if (target.closest('[data-twist]') !== null || treeState(report, rows, at) === 'folded') toggle(at);
        }}
        onOpen={toggle}
        onMenu={(at, x, y) => {
          store.openMenu(rowOf(at), x, y);
        }}
        onKey={onKey}
      />
    </div>
  );
}

function TreeBar({ store, report, n, onHottest }: Props & { readonly n: number; readonly onHottest: () => void }) {
  return (
    <div class="view-bar">
      <Segmented
        name="inverted"
        label="Direction"
        value={report.inverted ? 't' : ''}
        options={DIRECTIONS}
        onChange={(v) => {
          store.go({ inverted: v, zoom: '', open: '', at: '' });
        }}
      />
      <button
        type="button"
        class="small"
        name="hottest"
        title="Open the largest row of every level, from the selected one on (e)"
        onClick={onHottest}
      >
        Expand hottest path
      </button>
      <button
        type="button"
        class="small"
        name="collapse"
        onClick={() => {
          store.go({ open: 'none', at: '' });
        }}
      >
        Collapse all
      </button>
      <span>{plural(n, 'row')}</span>
      <Zoomed store={store} report={report} />
      <span class="hint">→ open · ← close · e: hottest path · m: menu</span>
    </div>
  );
}

/** The row that the address names, as long as it is the selected function's; else that function's first. */
function cursorOf(store: Store, report: FlameReport, rows: TreeRows): number {
  const at = rowOfKey(report, rows, param(store.url.value, 'node'));
  const name = store.selected.value;
  const nameOf = (row: number): string | undefined => {
    const found = report.row[numberAt(report.node, numberAt(rows.box, row))];
    return found === undefined ? undefined : functionOf(found);
  };
  if (at >= 0 && (nameOf(at) === undefined || nameOf(at) === name)) return at;
  if (name === '') return -1;
  for (let row = 0; row < rows.n; row++) if (nameOf(row) === name) return row;
  return -1;
}

/** Button that leaves the box the flame graph zoomed into. */
function Zoomed({ store, report }: Props) {
  const row = report.row[numberAt(report.node, 0)];
  if (param(store.url.value, 'zoom') === '' || row === undefined) return null;
  return (
    <span class="zoomed">
      below <bdi class="mono">{displayName(functionOf(row)).slice(0, 60)}</bdi>{' '}
      <button
        type="button"
        class="link"
        onClick={() => {
          store.go({ zoom: '', open: '' });
        }}
      >
        show everything
      </button>
    </span>
  );
}
