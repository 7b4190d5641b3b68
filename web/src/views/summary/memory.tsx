import type { MemorySeries, ProcessMemory, SummaryReport, Waterfall } from '../../api/types';
import { barClass, beginText, columnsOf, legendOf, placesOf, sourceText } from '../../logic/memory/waterfall';
import { baseName } from '../../logic/names/names';
import { formatExact, formatValue, plural } from '../../logic/text/format';

interface Props {
  readonly report: SummaryReport;
}

/** From the bytes in use of the profile to the resident memory of its process. */
export function SummaryMemory({ report }: Props) {
  const { memory, header } = report;
  const waterfall = memory?.waterfall ?? undefined;
  if (memory === null || memory === undefined || waterfall === undefined) return null;
  return (
    <section class="summary-part memory" aria-labelledby="resident-memory">
      <div class="summary-head">
        <h2 id="resident-memory">What the profile does not see</h2>
        <span class="hint">
          {formatValue(waterfall.rss, 'bytes', header.output_unit)} resident ({waterfall.rss_source})
          {waterfall.pid !== null && waterfall.pid !== undefined && `, process ${waterfall.pid}`}
          {beginText(memory, header.value_type)}
        </span>
      </div>
      <Known memory={memory} waterfall={waterfall} unit={header.output_unit} />
    </section>
  );
}

/** How to see that, where nothing is known of the process. */
export function MemoryHint({ report: { memory } }: Props) {
  const isKnown = memory?.waterfall !== null && memory?.waterfall !== undefined;
  return memory === null || memory === undefined || isKnown || memory.hint === '' ? null : <p class="memory-hint">{memory.hint}.</p>;
}

function Known({ memory, waterfall, unit }: { readonly memory: ProcessMemory; readonly waterfall: Waterfall; readonly unit: string }) {
  const { series, warnings, hint, sentence } = memory;
  return (
    <>
      {warnings.map((warning) => (
        <p key={warning} class="memory-warning" role="note">
          {warning}
        </p>
      ))}
      <p class="memory-sentence">{sentence}</p>
      <div class={series === null || series === undefined ? 'memory-pictures' : 'memory-pictures memory-both'}>
        <Bars waterfall={waterfall} unit={unit} />
        {series !== null && series !== undefined && <Columns series={series} unit={unit} />}
      </div>
      <ul class="memory-notes">
        {[...waterfall.note, ...waterfall.source.map(sourceText), ...(hint === '' ? [] : [hint])].map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </>
  );
}

/** One row for each bar; a click shows how it is computed, from which files, and what can be done about it. */
function Bars({ waterfall, unit }: { readonly waterfall: Waterfall; readonly unit: string }) {
  const places = placesOf(waterfall);
  return (
    <ul class="memory-bars" aria-label="From bytes in use to resident memory">
      {waterfall.bar.map((bar, nth) => {
        const files = bar.source.flatMap((at) => waterfall.source[at] ?? []).map(sourceText);
        const explained = [bar.formula, ...files, bar.advice].filter((text) => text !== '');
        const { left, width } = places[nth] ?? { left: 0, width: 0 };
        return (
          <li key={`${bar.part} ${bar.name}`} class="memory-row">
            <details>
              <summary title={`${bar.name}: ${formatExact(bar.bytes, 'bytes')}\n${explained.join('\n')}`}>
                <span class="memory-name">{bar.name}</span>
                <span class="memory-size">
                  {bar.bytes > 0 && nth > 0 && '+'}
                  {formatValue(bar.bytes, 'bytes', unit)}
                </span>
                <span class="memory-track" aria-hidden="true">
                  <i class={barClass(bar)} style={{ left: `${left}%`, width: `${width}%` }} />
                </span>
              </summary>
              <p>{bar.formula}</p>
              {files.map((file) => (
                <p key={file}>{file}</p>
              ))}
              {bar.advice !== '' && <p class="memory-advice">{bar.advice}</p>}
            </details>
          </li>
        );
      })}
      <li class="memory-total">
        <span class="memory-name">RSS</span>
        <span class="memory-size">{formatValue(waterfall.rss, 'bytes', unit)}</span>
      </li>
    </ul>
  );
}

/** A stacked column for each dump that has files about its process. */
function Columns({ series, unit }: { readonly series: MemorySeries; readonly unit: string }) {
  const columns = columnsOf(series);
  return (
    <figure class="memory-series">
      <figcaption>RSS of {plural(series.rss.length, 'dump')}</figcaption>
      <div class="memory-columns">
        {columns.map((segments, nth) => {
          const parts = segments
            .filter(({ bytes }) => bytes !== 0)
            .map(({ name, bytes }) => `${name}: ${formatValue(bytes, 'bytes', unit)}`);
          const name = `${baseName(series.name[nth] ?? '')}: ${formatValue(series.rss[nth] ?? 0, 'bytes', unit)}`;
          return (
            <div
              key={series.dump[nth]}
              class="memory-column"
              role="img"
              aria-label={[name, ...parts].join(', ')}
              title={[name, ...parts].join('\n')}
            >
              {segments.map((segment) => (
                <i key={segment.class} class={segment.class} style={{ height: `${segment.height}%` }} />
              ))}
            </div>
          );
        })}
      </div>
      <ul class="memory-legend">
        {legendOf(series).map((group) => (
          <li key={group.class}>
            <i class={group.class} aria-hidden="true" />
            {group.name}
          </li>
        ))}
      </ul>
    </figure>
  );
}
