import type { FlameReport } from '../api/types';
import type { Store } from '../state/store';

interface Props {
  readonly store: Store;
  readonly report: FlameReport;
}

/** The tree of stacks as a table whose rows open. */
export function TreeView({ report }: Props) {
  return <div class="tree" data-n={report.header.n_shown} />;
}
