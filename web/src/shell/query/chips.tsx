import { facetChips, type Join } from '../../logic/labels/facets';
import { baseName } from '../../logic/names/names';
import { readable } from '../../logic/names/pattern';
import { foldedKinds, kindWords } from '../../logic/url/show';
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
  const broken = store.main.problem.value?.field ?? '';
  const dumps = store.meta.value?.dumps ?? [];
  const set = (alias: string, value: string): void => {
    store.go({ [alias]: value, zoom: '' });
  };
  const untrimmed = untrimmedPatch(url);
  const chips = SETTINGS.flatMap(({ alias, name, label, kind }) => {
    const value = alias in untrimmed ? '' : param(url, alias);
    // A switch that is off by the address is off by default, too.
    if (belongsToLevel(name, url) || value === '' || (kind === 'flag' && /^(f|false|no?|0)$/i.test(value))) return [];
    return [
      <Chip
        key={alias}
        field={name}
        label={label}
        text={name === 'hide_kind' ? kindWords(foldedKinds(url)) : kind === 'regex' ? readable(value) : kind === 'flag' ? '' : value}
        full={value}
        bare={kind === 'flag'}
        regex={kind === 'regex'}
        broken={broken === name}
        onRemove={() => {
          set(alias, '');
        }}
        onEdit={
          kind === 'flag'
            ? undefined
            : (text) => {
                set(alias, text);
              }
        }
      />,
    ];
  });
  const tags = TAGS.flatMap(([alias, name, join, not, all]) =>
    facetChips(param(url, alias), join).map(({ key, label, without }, i) => (
      <Chip
        key={`${alias}${i}${label}`}
        field={key === '' ? name : `${not}${key}`}
        label={key === '' ? all : `${not}${key}`}
        text={label}
        full={key === '' ? param(url, alias) : label}
        broken={broken === name}
        onRemove={() => {
          set(alias, without);
        }}
        onEdit={
          key === ''
            ? (text) => {
                set(alias, text);
              }
            : undefined
        }
      />
    )),
  );
  const bases = ['base', 'diff_base'].flatMap((name) => {
    const base = param(url, name);
    if (base === '') return [];
    const names = base.split(',').map((n) => baseName(dumps[Number(n)]?.name ?? `dump ${n}`));
    return [
      <Chip
        key={name}
        field={name}
        label="Compared with"
        text={names.join(' + ')}
        full={base}
        broken={broken === name}
        onRemove={() => {
          store.go({ [name]: '' });
        }}
      />,
    ];
  });
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
      {bases}
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
