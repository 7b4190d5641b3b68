import type { ColorBy } from '../../logic/flame/colors';
import { displayName } from '../../logic/names/names';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { MouseOrTouch } from '../../ui/mouse-or-touch';
import { Crumbs } from './crumbs';
import { Legend } from './legend';
import type { FlameBoxes } from './use-boxes';

interface Props {
  readonly store: Store;
  readonly boxes: FlameBoxes;
  readonly by: ColorBy;
}

/** Line below the controls: the zoomed box or the function in the middle, and the legend. */
export function InfoLine({ store, boxes, by }: Props) {
  const { report, layout, middle, isMissing } = boxes;
  const url = store.url.value;
  return (
    <div class="flame-line">
      {middle !== '' || isMissing ? (
        <span class="flame-middle">
          {isMissing ? 'No stack in view goes through ' : 'Callers above, callees below '}
          <bdi class="mono" title={middle}>
            {displayName(middle || param(url, 'around')).slice(0, 120)}
          </bdi>
          <button
            type="button"
            class="link"
            onClick={() => {
              store.go({ around: '', span: '' });
            }}
          >
            All stacks
          </button>
        </span>
      ) : report.root > 0 ? (
        <Crumbs store={store} report={report} layout={layout} />
      ) : (
        <span class="hint">
          <MouseOrTouch
            mouse="double-click: zoom · Ctrl+wheel: zoom · drag: pan · s: callers and callees"
            touch="tap: select · double-tap or pinch: zoom · drag: pan"
          />
        </span>
      )}
      <Legend report={report} layout={layout} by={by} />
    </div>
  );
}
