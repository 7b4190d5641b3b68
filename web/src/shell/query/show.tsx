import { foldedText, hasLevels, LEVEL_LABELS, levelOf, LEVELS, type Level } from '../../logic/url/show-level';
import type { Store } from '../../state/store';
import { Select } from '../../ui/select';
import { RulesMenu } from './rules-menu';

interface Props {
  readonly store: Store;
}

const CUSTOM = { value: 'custom', label: 'Custom' };

/** Level of frames, number of folded ones, and the ownership menu. */
export function ShowControl({ store }: Props) {
  const url = store.url.value;
  if (!hasLevels(url.view)) return <RulesMenu store={store} />;
  const level = levelOf(url);
  const levels = LEVELS.map((value) => ({ value, label: LEVEL_LABELS[value] }));
  return (
    <>
      <div class="show-control">
        <Select
          name="show"
          label="Frames to show; memory of folded frames is charged to their callers"
          caption="Show"
          value={level ?? CUSTOM.value}
          onChange={(value) => {
            const chosen = LEVELS.find((of) => of === value);
            if (chosen !== undefined) store.show.choose(chosen);
          }}
          options={level === undefined ? [...levels, CUSTOM] : levels}
        />
        <FoldedNote store={store} level={level} />
      </div>
      <RulesMenu store={store} />
    </>
  );
}

/** `63 runtime frames folded · Show all`, or why nothing is folded. */
function FoldedNote({ store, level }: Props & { readonly level: Level | undefined }) {
  const header = store.main.report.value?.header;
  const widened = store.show.widened.value;
  if (widened !== undefined && widened === level)
    return (
      <span class="folded-note hint" role="status">
        {widened === 'all' ? 'No code of yours found: nothing is folded' : 'Little of this is your code: libraries are shown'}
      </span>
    );
  const folded = header === undefined ? undefined : foldedText(header.folded);
  if (folded === undefined) return null;
  return (
    <span class="folded-note hint" title={`${folded.detail}. Their memory is charged to their callers.`}>
      {folded.count} <span class="folded-noun">{folded.noun} </span>folded ·{' '}
      <button
        type="button"
        class="link"
        onClick={() => {
          store.show.choose('all');
        }}
      >
        Show all
      </button>
    </span>
  );
}
