import { useSignal } from '@preact/signals';
import { misleading } from '../logic/doctor';
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
      <Names store={store} />
    </div>
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
        {module.is_doubtful ? 'Names are probably wrong' : 'Names are missing'} in <bdi>{baseName(module.name)}</bdi>:
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
