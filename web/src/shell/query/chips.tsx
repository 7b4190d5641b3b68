import { nameOf, pairOf, patchOf } from '../../logic/dumps';
import { facetChips, type Join } from '../../logic/labels/label-filters';
import { baseName } from '../../logic/names/names';
import { shownMoment, timesOf, timesPatch, wholePair } from '../../logic/recording';
import { momentName } from '../../logic/text/elapsed';
import { readable } from '../../logic/names/pattern';
import { foldedKinds, kindWords } from '../../logic/url/show-level';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { Chip } from '../../ui/chip';
import { belongsToLevel, noFilters, SETTINGS, untrimmedPatch } from '../../logic/url/filters';

interface Props {
  readonly store: Store;
}

/** Parameter, its long name, how its parts are joined, and the captions of chips for labels and for anything else. */
const TAGS: readonly (readonly [string, string, Join, string, string])[] = [
  ['tf', 'tagfocus', 'and', '', 'Labels'],
  ['ti', 'tagignore', 'or', 'not ', 'Without labels'],
];

/** Active filters and settings as chips that can be changed and removed. */
export function Chips({ store }: Props) {
  const url = store.url.value;
  const untrimmed = untrimmedPatch(url);
  const chips = SETTINGS.flatMap((setting) => {
    const value = setting.alias in untrimmed ? '' : param(url, setting.alias);
    // A switch that the address turns off is off by default, too.
    const isOff = setting.kind === 'flag' && /^(f|false|no?|0)$/i.test(value);
    if (belongsToLevel(setting.name, url) || value === '' || isOff) return [];
    return [<SettingChip key={setting.alias} store={store} setting={setting} value={value} />];
  });
  const tags = tagChips(store);
  return (
    <div class="chips">
      {chips}
      {Object.keys(untrimmed).length > 0 && (
        <Chip
          field="nodefraction"
          label="Small frames shown"
          text=""
          full="0"
          bare
          broken={false}
          onRemove={() => {
            store.go({ ...untrimmed, zoom: '' });
          }}
        />
      )}
      {tags}
      {momentChip(store)}
      {baseChips(store)}
      {chips.length + tags.length > 1 && (
        <button
          type="button"
          class="link"
          onClick={() => {
            store.go({ ...noFilters(store.url.value), zoom: '' });
          }}
        >
          Remove all
        </button>
      )}
    </div>
  );
}

/** The parameter that the server rejected. */
function brokenField(store: Store): string {
  return store.main.problem.value?.field ?? '';
}

interface SettingProps extends Props {
  readonly setting: (typeof SETTINGS)[number];
  readonly value: string;
}

function SettingChip({ store, setting: { alias, name, label, kind }, value }: SettingProps) {
  const set = (to: string): void => {
    store.go({ [alias]: to, zoom: '' });
  };
  const shown = kind === 'regex' ? readable(value) : kind === 'flag' ? '' : value;
  return (
    <Chip
      field={name}
      label={label}
      text={name === 'hide_kind' ? kindWords(foldedKinds(store.url.value)) : shown}
      full={value}
      bare={kind === 'flag'}
      regex={kind === 'regex'}
      broken={brokenField(store) === name}
      onRemove={() => {
        set('');
      }}
      onEdit={kind === 'flag' ? undefined : set}
    />
  );
}

function tagChips(store: Store) {
  const url = store.url.value;
  return TAGS.flatMap(([alias, name, join, not, all]) => {
    const set = (to: string): void => {
      store.go({ [alias]: to, zoom: '' });
    };
    return facetChips(param(url, alias), join).map(({ key, label, without }, i) => (
      <Chip
        key={`${alias}${i}${label}`}
        field={key === '' ? name : `${not}${key}`}
        label={key === '' ? all : `${not}${key}`}
        text={label}
        full={key === '' ? param(url, alias) : label}
        broken={brokenField(store) === name}
        onRemove={() => {
          set(without);
        }}
        onEdit={key === '' ? set : undefined}
      />
    ));
  });
}

/** The moment of a recording that is shown; removing it leads back to the whole recording. */
function momentChip(store: Store) {
  const { value: url } = store.url;
  const meta = store.meta.value;
  const times = timesOf(url);
  if (times !== '') {
    const set = (typed: string): void => {
      store.go(timesPatch(typed, url, meta?.dumps ?? []));
    };
    return (
      <Chip
        field="at"
        label={times.includes(' to ') ? 'Changed from' : 'Shown at'}
        text={times}
        full={times}
        broken={['at', 'from', 'to'].includes(brokenField(store))}
        onRemove={() => {
          set('');
        }}
        onEdit={set}
      />
    );
  }
  const moment = shownMoment(url, meta);
  if (moment === undefined) return null;
  return (
    <Chip
      field="dump"
      label="Shown at"
      text={momentName(moment)}
      full={`${momentName(moment)}; remove to show the whole recording`}
      broken={brokenField(store) === 'dump'}
      onRemove={() => {
        store.go(patchOf(url, wholePair(pairOf(url), meta?.dumps ?? [])));
      }}
    />
  );
}

function baseChips(store: Store) {
  const dumps = store.meta.value?.dumps ?? [];
  return ['base', 'diff_base'].flatMap((name) => {
    const base = param(store.url.value, name);
    if (base === '') return [];
    const names = base.split(',').map((n) => nameOf(n, dumps, baseName));
    return [
      <Chip
        key={name}
        field={name}
        label="Compared with"
        text={names.join(' + ')}
        full={base}
        broken={brokenField(store) === name}
        onRemove={() => {
          store.go({ [name]: '' });
        }}
      />,
    ];
  });
}
