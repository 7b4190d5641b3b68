import { NOISE } from '../logic/noise';
import { param } from '../logic/view-url';
import type { Store } from '../state/store';
import { Select } from '../ui/select';
import { RulesMenu } from './rules-menu';

interface Props {
  readonly store: Store;
}

/** What is folded away, whom stacks are charged to, and whose code is what. */
export function Noise({ store }: Props) {
  const url = store.url.value;
  return (
    <>
      <Select
        name="hide_kind"
        label="Kinds of code to fold away: what they hold is charged to their callers"
        caption="noise"
        value={param(url, 'hide_kind')}
        onChange={(v) => {
          store.go({ hide_kind: v, zoom: '' });
        }}
        options={NOISE}
      />
      {url.view !== 'summary' && (
        <label class="check" title="End each stack at its innermost frame of own code, else of a third party, and charge it with all below">
          <input
            type="checkbox"
            name="culprit"
            checked={/^(t|true|y|yes|1)$/i.test(param(url, 'culprit'))}
            onChange={(e) => {
              store.go({ culprit: e.currentTarget.checked ? 't' : '', zoom: '' });
            }}
          />
          culprits
        </label>
      )}
      <RulesMenu store={store} />
    </>
  );
}
