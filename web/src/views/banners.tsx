import { useSignal } from '@preact/signals';
import { matchedBuilds } from '../logic/builds';
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
      <CutOff store={store} />
      <Names store={store} />
      <Builds store={store} />
    </div>
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
  // A dump that ends before its memory map has no names for that reason, which the banner above says.
  if (module.name === '' && cutOff(store.meta.value?.warnings ?? []).length > 0) return null;
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

/** Functions of several builds have one name: how many, and how they were matched. */
function Builds({ store }: Props) {
  const putAway = useSignal(false);
  const builds = store.meta.value?.builds;
  if (builds === undefined || builds === null || putAway.value) return null;
  return (
    <Banner
      label="Matched builds"
      kind="note"
      onClose={() => {
        putAway.value = true;
      }}
    >
      <bdi>{matchedBuilds(builds)}.</bdi>
    </Banner>
  );
}
