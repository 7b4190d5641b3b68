import type { Row } from '../../api/types';
import { moved } from '../../logic/ownership/edit-rules';
import { kindLabel, packageLabel } from '../../logic/ownership/package';
import { param } from '../../logic/url/view-url';
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
              store.go({ kinds: moved(param(store.url.peek(), 'kinds'), row.package, kind), zoom: '' });
            }}
          />
        )}
      </dd>
    </>
  );
}
