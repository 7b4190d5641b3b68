import type { Meta } from '../api/types';
import { troubled } from '../logic/doctor';
import { baseName } from '../logic/names/names';
import { formatExact, formatPercent } from '../logic/text/format';

interface Props {
  readonly meta: Meta;
}

/** State of symbolization; opened: the files without names, and advice. */
export function Doctor({ meta }: Props) {
  const modules = troubled(meta.symbols.modules);
  const doubtful = modules.find((m) => m.is_doubtful && !m.is_system);
  const named = `${(meta.named_permille / 10).toFixed(1)}% of addresses have names`;
  const summary = doubtful === undefined ? named : `names${doubtful.name === '' ? '' : ` in ${baseName(doubtful.name)}`} may be wrong`;
  if (modules.length === 0) return <span title={meta.symbols.verdict}>{summary}</span>;
  return (
    <details class="warnings doctor" data-ill={doubtful !== undefined}>
      <summary title={meta.symbols.verdict}>{summary}</summary>
      <ul>
        {modules.map((m) => (
          <li key={m.name}>
            <b title={m.name}>
              <bdi>{m.name === '' ? 'unknown program' : baseName(m.name)}</bdi>
            </b>{' '}
            <span title={`${formatExact(m.function, '')} of ${formatExact(m.value, '')}`}>
              ({formatPercent(m.function, m.value)} with function names, {formatPercent(m.line, m.value)} with lines)
            </span>
            : <bdi>{m.problem}</bdi>
            {m.remedy.map((way) => (
              <pre key={way}>{way}</pre>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
