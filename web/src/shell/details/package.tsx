import type { Row } from '../../api/types';
import { kindLabel, packageLabel } from '../../logic/ownership/package';
import type { Store } from '../../state/store';
import { KindSelect } from '../query/rules-menu';

interface Props {
  readonly store: Store;
  readonly row: Row;
}

/** Package and kind of a function; the user can change the kind of the whole package. */
export function PackageFact({ store, row }: Props) {
  if (row.package === '' && row.kind === 'unknown') return null;
  return (
    <>
      <dt>Package</dt>
      <dd>
        {row.package === '' ? kindLabel(row.kind) : `${packageLabel(row)} · `}
        {row.package !== '' && (
          <KindSelect
            label={`All of ${row.package} is`}
            kind={row.kind}
            onChange={(kind) => {
              store.changeRules({ package: row.package, to: kind });
            }}
          />
        )}
      </dd>
    </>
  );
}
