import { boxId } from '../../logic/flame/box-id';
import type { RootedFlame } from '../../logic/flame/callers';
import { numberAt } from '../../logic/number-at';
import type { FlameLayout } from '../../logic/flame/layout';
import { displayName, functionOf } from '../../logic/names/names';
import type { Store } from '../../state/store';

interface Props {
  readonly store: Store;
  readonly report: RootedFlame;
  readonly layout: FlameLayout;
}

const HEAD = 1;
const TAIL = 2;

/** Callers of the zoomed box, as links that zoom out: the first, the last ones, and how many are between them. */
export function Crumbs({ store, report, layout }: Props) {
  const callers = Array.from({ length: Math.max(0, report.root - 1) }, (_, i) => i + 1);
  const shown = callers.length <= HEAD + TAIL + 1 ? callers : [...callers.slice(0, HEAD), -1, ...callers.slice(-TAIL)];
  const current = report.row[numberAt(report.node, report.root)];
  const link = (zoom: string, text: string, title: string) => (
    <a
      class="crumb-link"
      href={store.href({ zoom })}
      title={title}
      onClick={(e) => {
        if (e.ctrlKey || e.metaKey) return;
        e.preventDefault();
        store.go({ zoom });
      }}
    >
      <bdi>{text}</bdi>
    </a>
  );
  return (
    <nav class="flame-crumbs" aria-label="Zoomed into">
      <ol>
        <li class="crumb-all">{link('', 'all memory', 'Reset zoom (0)')}</li>
        {shown.map((box) => {
          const row = report.row[numberAt(report.node, box)];
          if (box < 0 || row === undefined)
            return (
              <li key="gap" class="crumb-gap" title={`${callers.length - HEAD - TAIL} more callers`}>
                …
              </li>
            );
          const name = functionOf(row);
          return <li key={box}>{link(boxId(report, layout, box), displayName(name).slice(0, 80), name)}</li>;
        })}
        {current !== undefined && (
          <li class="crumb-current" aria-current="location" title={functionOf(current)}>
            <bdi>{displayName(functionOf(current)).slice(0, 120)}</bdi>
          </li>
        )}
      </ol>
    </nav>
  );
}
