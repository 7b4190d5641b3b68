import { useMemo, useState } from 'preact/hooks';
import type { TopReport } from '../../api/types';
import { chosenColumns } from '../../logic/table/columns';
import { formatCount, plural } from '../../logic/text/format';
import { granularityNoun } from '../../logic/table/granularity';
import { orderOf } from '../../logic/table/order';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { ColumnChooser } from '../../ui/table/column-chooser';
import { topColumns } from '../shared/functions/columns';
import { FunctionTable } from '../shared/functions/table';
import { useSearchCount } from '../shared/use-search-count';

interface Props {
  readonly store: Store;
  readonly report: TopReport;
}

/** Functions (or lines, files, addresses) by weight, in any order. */
export function TopView({ store, report }: Props) {
  const { header } = report;
  const url = store.url.value;
  const pages = store.table.pages.value;
  const n = header.n_shown;
  const order = orderOf(param(url, 'order'), param(url, 'sort'), header.has_base);
  const columns = useMemo(() => topColumns({ header, pages, order }), [header, pages, order.key, order.reversed]);
  const chosen = useMemo(() => chosenColumns(param(url, 'cols'), columns), [columns, param(url, 'cols')]);
  const [drawn, setDrawn] = useState<readonly string[]>([]);
  useSearchCount(store, { count: () => report.n_found, of: n, noun: 'row' }, report);
  const noun = granularityNoun(param(url, 'g'));

  return (
    <div class="top">
      <div class="view-bar">
        <span>
          {n < header.n_total ? `${formatCount(n)} of ${plural(header.n_total, ...noun)}` : plural(n, ...noun)}
          {header.dropped_nodes > 0 && `, ${plural(header.dropped_nodes, 'small row')} hidden`}
        </span>
        <span class="hint">Enter or double-click: callers and callees</span>
        <span class="gap" />
        <ColumnChooser
          columns={columns}
          chosen={chosen}
          drawn={drawn}
          onChoose={(keys) => {
            store.go({ cols: keys.join(',') });
          }}
        />
      </div>
      <FunctionTable
        store={store}
        report={report}
        table={store.table}
        name="top"
        columns={columns}
        chosen={chosen}
        onColumns={setDrawn}
        order={order}
        onOpen={(row) => {
          store.act('callers', row);
        }}
      />
    </div>
  );
}
