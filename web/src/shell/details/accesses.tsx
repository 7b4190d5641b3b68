import type { AccessSite } from '../../api/types';
import { accessNote, fieldCount, fieldRange, heatOfField } from '../../logic/blocks/accesses';
import { functionOf } from '../../logic/names/names';
import { formatCount, plural } from '../../logic/text/format';
import type { Store } from '../../state/store';
import { FunctionName } from '../../ui/function-name';

interface Props {
  readonly store: Store;
}

/** Byte maps of the blocks that the selected function allocates, from recordings of DHAT. */
export function AccessMaps({ store }: Props) {
  const report = store.accesses.report.value;
  if (report === undefined || report.site.length === 0) return null;
  const rest = report.n_sites - report.site.length;
  return (
    <section class="links accesses" aria-label="Accesses by byte">
      <h3>Accesses by byte</h3>
      {report.site.map((site, i) => (
        <Site key={i} site={site} />
      ))}
      {rest > 0 && <p class="muted">{plural(rest, 'other site')} with smaller totals</p>}
    </section>
  );
}

function Site({ site }: { readonly site: AccessSite }) {
  const most = site.field.reduce((largest, field) => Math.max(largest, field.count), 0);
  const note = accessNote(site);
  const what = `${plural(site.blocks, 'block')} of ${formatCount(site.size)} B`;
  return (
    <div class="access-site">
      <p class="access-head">
        <FunctionName name={functionOf(site.row)} /> <span class="muted">{what}</span>
      </p>
      <div
        class="access-map"
        role="img"
        aria-label={`${what}: ${plural(site.field.length, 'field')}, ${formatCount(site.untouched)} B never accessed`}
      >
        {site.field.map((field) => (
          <span
            key={field.start}
            class={field.count === 0 ? 'access-field hole' : `access-field heat-${heatOfField(field.count, most)}`}
            style={{ flexGrow: field.bytes }}
            title={`Bytes ${fieldRange(field)}: ${fieldCount(site, field)}`}
          />
        ))}
      </div>
      {note !== '' && <p class={site.counts === 'exact' ? 'hint' : 'hint access-doubt'}>{note}</p>}
      <details>
        <summary>{plural(site.field.length, 'field')}</summary>
        <table class="access-fields">
          <thead>
            <tr>
              <th scope="col">Bytes</th>
              <th scope="col">Accesses</th>
            </tr>
          </thead>
          <tbody>
            {site.field.slice(0, MOST_FIELDS).map((field) => (
              <tr key={field.start}>
                <td class="mono">{fieldRange(field)}</td>
                <td>{fieldCount(site, field)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}

/** Rows of the table of fields. */
const MOST_FIELDS = 200;
