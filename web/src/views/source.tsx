import type { SourceReport } from '../api/types';
import type { Store } from '../state/store';

interface Props {
  readonly store: Store;
  readonly report: SourceReport;
}

/** Source lines of functions with what they hold. */
export function SourceView({ report }: Props) {
  return <div class="source" data-n={report.header.n_shown} />;
}
