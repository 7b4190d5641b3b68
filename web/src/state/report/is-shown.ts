import { isTree, type AnyReport } from '../../api/guards';
import { KIND_OF, type ViewName } from '../../logic/url/view-url';

/** Whether a report belongs to a view: while a view's report loads, that of the last view is still present. */
export function isShown(report: AnyReport | undefined, view: ViewName): boolean {
  if (report?.kind === 'flame') return KIND_OF[view] === 'flame' && (view === 'tree') === isTree(report);
  return report?.kind === KIND_OF[view] || ((view === 'callers' || view === 'source') && report?.kind === 'top');
}
