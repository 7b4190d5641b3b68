import { useSignal } from '@preact/signals';
import { cutOff, misleading } from '../logic/doctor';
import { baseName } from '../logic/names';
import type { Store } from '../state/store';
import { Banner } from '../ui/banner';

interface Props {
  readonly store: Store;
}

/** What makes the whole page doubtful, said above it. */
export function Banners({ store }: Props) {
  return (
    <div class="banners">
      <LinkNote store={store} />
      <CutOff store={store} />
      <Names store={store} />
    </div>
  );
}

/** A link that was made for other files. */
function LinkNote({ store }: Props) {
  const note = store.linkNote.value;
  if (note === '') return null;
  return (
    <Banner
      label="Link"
      onClose={() => {
        store.linkNote.value = '';
      }}
    >
      <bdi>{note}</bdi>
    </Banner>
  );
}

/** A file ended too early: what is missing comes before everything else. */
function CutOff({ store }: Props) {
  const putAway = useSignal('');
  const said = cutOff(store.meta.value?.warnings ?? []);
  const [first] = said;
  if (first === undefined || putAway.value === said.join('\n')) return null;
  return (
    <Banner
      label="Cut off"
      onClose={() => {
        putAway.value = said.join('\n');
      }}
    >
      <b>{said.length === 1 ? 'This profile is incomplete' : `${said.length} warnings say that files are incomplete`}:</b>{' '}
      <bdi>{first}</bdi>. Totals are too low by what is missing.
    </Banner>
  );
}

/** The program's own names are wrong or missing: the footer says of which files else. */
function Names({ store }: Props) {
  const putAway = useSignal('');
  const symbols = store.meta.value?.symbols;
  const module = symbols === undefined || symbols.state === 'working' ? undefined : misleading(symbols.modules);
  if (module === undefined || putAway.value === module.problem) return null;
  const [way] = module.remedy;
  return (
    <Banner
      label="Names"
      onClose={() => {
        putAway.value = module.problem;
      }}
    >
      <b>
        {module.is_doubtful ? 'Names are probably wrong' : 'Names are missing'}
        {module.name !== '' && (
          <>
            {' '}
            in <bdi>{baseName(module.name)}</bdi>
          </>
        )}
        :
      </b>{' '}
      <bdi>{module.problem}</bdi>.
      {way !== undefined && (
        <>
          {' '}
          What helps: <bdi>{way}</bdi>
        </>
      )}
    </Banner>
  );
}
