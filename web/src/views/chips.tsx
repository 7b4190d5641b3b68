import { facetChips, type Join } from '../logic/facets';
import { baseName } from '../logic/names';
import { readable } from '../logic/pattern';
import { param } from '../logic/view-url';
import type { Store } from '../state/store';
import { Chip } from '../ui/chip';
import { NO_FILTERS, SETTINGS } from './links';

interface Props {
  readonly store: Store;
}

const TAGS: readonly (readonly [string, string, Join, string])[] = [
  ['tf', 'tagfocus', 'and', ''],
  ['ti', 'tagignore', 'or', 'not '],
];

/** All that is in force, each with a way to change it and to take it off. */
export function Chips({ store }: Props) {
  const url = store.url.value;
  const broken = store.main.problem.value?.field ?? '';
  const dumps = store.meta.value?.dumps ?? [];
  const set = (alias: string, value: string): void => {
    store.go({ [alias]: value, zoom: '' });
  };
  const chips = SETTINGS.flatMap(({ alias, name, kind }) => {
    const value = param(url, alias);
    // A switch that is off by the address is off by default, too.
    if (value === '' || (kind === 'flag' && /^(f|false|no?|0)$/i.test(value))) return [];
    return [
      <Chip
        key={alias}
        field={name}
        text={kind === 'regex' ? readable(value) : kind === 'flag' ? '' : value}
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
  const tags = TAGS.flatMap(([alias, name, join, not]) =>
    facetChips(param(url, alias), join).map(({ key, label, without }, i) => (
      <Chip
        key={`${alias}${i}${label}`}
        field={key === '' ? name : `${not}${key}`}
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
      {tags}
      {bases}
      {chips.length + tags.length > 1 && (
        <button
          type="button"
          class="link"
          onClick={() => {
            store.go({ ...NO_FILTERS, zoom: '' });
          }}
        >
          Remove all
        </button>
      )}
    </div>
  );
}
