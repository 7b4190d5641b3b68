import type { Header } from '../../../api/types';
import { numberAt } from '../../../logic/number-at';
import { formatMean, formatShare } from '../../../logic/text/format';
import { addressOf, functionOf, placeOf, shortPlace } from '../../../logic/names/names';
import { sortedState } from '../../../logic/table/order';
import { rowAt, type PlacedRow } from '../../../logic/table/row-pages';
import { FunctionName } from '../../../ui/function-name';
import { Swatch } from '../../../ui/swatch';
import type { Column } from '../../../ui/table/column';
import { MainType } from '../../../ui/type-name';
import { Bar, Companion, PackageCell, Value } from '../cells';
import { baseColumns } from './base-columns';
import { cellOf, numeric, sumAt, type TopContext } from './numeric-column';
import { ratioColumns } from './ratio-columns';

/** Columns of objects beside bytes (or bytes beside objects); none where the profile counts only one. */
function companionColumns(context: TopContext): readonly Column[] {
  const { header } = context;
  if (header.companion_type === '') return [];
  const isBytes = header.companion_unit !== 'count' && header.companion_unit !== '';
  const [label, own] = isBytes ? ['Bytes', 'Own bytes'] : ['Objects', 'Own objects'];
  return [
    numeric(context, {
      key: 'objects',
      sort: 'objects',
      label,
      hint: `${header.companion_type.replaceAll('_', ' ')}, including callees`,
      width: 80,
      spare: 4,
      show: ({ page, i }) => <Companion header={header} value={numberAt(page.cum_companion, i)} />,
    }),
    numeric(context, {
      key: 'ownobjects',
      sort: 'ownobjects',
      label: own,
      hint: `${header.companion_type.replaceAll('_', ' ')}, of the function itself`,
      width: 104,
      show: ({ page, i }) => <Companion header={header} value={numberAt(page.flat_companion, i)} />,
    }),
    numeric(context, {
      key: 'mean',
      sort: 'mean',
      label: 'Mean size',
      hint: 'Mean object size in bytes, including callees',
      width: 84,
      spare: 7,
      show: ({ page, i }) => {
        const [cum, beside] = [numberAt(page.cum, i), numberAt(page.cum_companion, i)];
        return formatMean(isBytes ? beside : cum, isBytes ? cum : beside, isBytes ? header.companion_unit : header.unit);
      },
    }),
  ];
}

function plainColumns(context: TopContext): readonly Column[] {
  const { header } = context;
  const { total } = header;
  return [
    numeric(context, {
      key: 'flat',
      sort: 'flat',
      label: 'Flat',
      hint: 'Allocated by the function itself',
      width: 88,
      spare: 0,
      show: ({ page, i }) => <Value header={header} value={numberAt(page.flat, i)} samplingError={page.flat_spread[i]} />,
    }),
    numeric(context, {
      key: 'flatshare',
      label: 'Flat %',
      hint: 'Share of the total',
      width: 80,
      spare: 3,
      show: ({ page, i }) => formatShare(numberAt(page.flat, i), total),
    }),
    numeric(context, {
      key: 'sumshare',
      label: 'Sum %',
      hint: 'Sum of this row and all above',
      width: 70,
      spare: 5,
      show: (placed) => formatShare(sumAt(placed), total),
    }),
    numeric(context, {
      key: 'cum',
      sort: 'cum',
      label: 'Cum',
      hint: 'The function with its callees',
      width: 88,
      spare: 0,
      show: ({ page, i }) => <Value header={header} value={numberAt(page.cum, i)} samplingError={page.cum_spread[i]} />,
    }),
    numeric(context, {
      key: 'cumshare',
      label: 'Cum %',
      hint: 'Share of the total',
      width: 80,
      spare: 0,
      show: ({ page, i }) => formatShare(numberAt(page.cum, i), total),
    }),
  ];
}

function nameColumns(context: TopContext): readonly Column[] {
  const { header, pages, order } = context;
  const share = shareOf(header);
  return [
    {
      key: 'name',
      label: 'Name',
      hint: 'Function, coloured by package',
      width: 360,
      grows: true,
      spare: 0,
      align: 'left',
      sorted: sortedState(order, 'name'),
      cell: (at) => {
        const placed = rowAt(pages, at);
        if (placed === undefined) return <span class="skeleton" aria-label="loading" />;
        return <NameCell placed={placed} share={share} />;
      },
    },
    typeColumn(context),
    {
      key: 'package',
      label: 'Package',
      hint: 'Package and version',
      width: 110,
      spare: 9,
      align: 'left',
      sorted: sortedState(order, 'package'),
      cell: cellOf(pages, ({ row }) => <PackageCell row={row} />),
    },
    placeColumn(context),
    {
      key: 'object',
      label: 'Module',
      hint: 'Program or library that contains the code',
      width: 150,
      align: 'left',
      cell: cellOf(pages, ({ row }) => <bdi class="place">{row.object}</bdi>),
    },
  ];
}

function typeColumn({ header, pages, order }: TopContext): Column {
  return {
    key: 'type',
    label: 'Type',
    hint: 'Container type of most of its memory',
    width: 220,
    align: 'left',
    sorted: sortedState(order, 'type'),
    cell: cellOf(pages, ({ page, i }) => {
      const types = page.type[i];
      if (types === undefined) return '';
      const whole = numberAt(page.flat, i) - (page.flat_base[i] ?? 0) || numberAt(page.cum, i) - (page.cum_base[i] ?? 0);
      return <MainType type={types} whole={whole} unit={header.unit} outputUnit={header.output_unit} />;
    }),
  };
}

function placeColumn({ pages, order }: TopContext): Column {
  return {
    key: 'place',
    label: 'Source',
    hint: 'File and line',
    width: 164,
    spare: 6,
    align: 'left',
    sorted: sortedState(order, 'place'),
    cell: cellOf(pages, ({ row }) => {
      const place = placeOf(row);
      return (
        <span class="mono place end" title={place}>
          <bdi>{shortPlace(place)}</bdi>
        </span>
      );
    }),
  };
}

/** Share of a value of what is shown; with a base that of its change. */
type Share = (now: readonly number[], base: readonly number[], i: number) => number;

function shareOf(header: Header): Share {
  // With a base bars show the change.
  const { gross, has_base: hasBase } = header;
  const changed = gross === null || gross === undefined ? 0 : Math.max(gross.grown, Math.abs(gross.shrunk));
  const whole = Math.max(
    1,
    hasBase ? changed : Math.abs(header.value_total),
    hasBase ? Math.abs(header.value_total - header.base_total) : 0,
  );
  return (now, base, i) => Math.abs(numberAt(now, i) - (hasBase ? numberAt(base, i) : 0)) / whole;
}

function NameCell({ placed: { page, i, row }, share }: { readonly placed: PlacedRow; readonly share: Share }) {
  const inlining = page.inlining[i] ?? 'none';
  const name = functionOf(row);
  return (
    <span class="name-cell" title={name}>
      <Bar flat={share(page.flat, page.flat_base, i)} cum={share(page.cum, page.cum_base, i)} />
      <Swatch row={row} />
      {addressOf(row) !== '' && <span class="mono muted address">{addressOf(row).replace(/^0+/, '')}</span>}
      <FunctionName name={name} />
      {inlining !== 'none' && <span class="tag">{inlining === 'inline' ? 'inlined' : 'partly inlined'}</span>}
    </span>
  );
}

/** All columns, in order. */
export function topColumns(context: TopContext): readonly Column[] {
  return [
    ...(context.header.has_base ? baseColumns(context) : plainColumns(context)),
    ...companionColumns(context),
    ...ratioColumns(context),
    ...nameColumns(context),
  ];
}
