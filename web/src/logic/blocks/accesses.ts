import type { AccessField, AccessSite } from '../../api/types';
import { formatCount, formatValue } from '../text/format';

/** Accesses of the bytes of a block: what is shown of its fields. */

/** `8–15`, or `8`. */
export function fieldRange({ start, bytes }: AccessField): string {
  return bytes === 1 ? formatCount(start) : `${formatCount(start)}–${formatCount(start + bytes - 1)}`;
}

/** Counts at which DHAT stops for a byte of one block. */
const CAP = 65_535;

export function fieldCount(site: Pick<AccessSite, 'blocks' | 'is_capped'>, { count }: AccessField): string {
  if (count === 0) return 'never';
  const most = site.is_capped && count >= CAP ? ' or more' : '';
  const each = count / Math.max(1, site.blocks);
  return site.blocks === 1 ? `${formatCount(count)}${most}` : `${formatCount(count)}${most} (${each.toFixed(each < 10 ? 2 : 0)} per block)`;
}

/** Shades of a field, from few to many accesses. */
const SHADES = 5;

/** Shade by the logarithm: counts differ by orders of magnitude. */
export function heatOfField(count: number, most: number): number {
  if (count <= 0 || most <= 0) return 0;
  const share = Math.log2(count + 1) / Math.log2(most + 1);
  return Math.min(SHADES, Math.max(1, Math.ceil(share * SHADES)));
}

/** What the map leaves open: bytes that nothing uses, and counts that are not complete. */
export function accessNote(site: Pick<AccessSite, 'accessed' | 'blocks' | 'counted' | 'counts' | 'size' | 'untouched'>): string {
  const most = site.counts === 'exact' ? '' : 'at most ';
  const all = formatValue(site.untouched * site.blocks, 'bytes');
  const holes =
    site.untouched > 0 ? `${most}${formatCount(site.untouched)} of ${formatCount(site.size)} B are never accessed, ${all} in all.` : '';
  const missing = formatCount(site.accessed - site.counted);
  const doubt = {
    exact: '',
    wrapped: `Counts wrapped around at 65,536: ${missing} accesses are missing.`,
    incomplete: `Counts are incomplete (${formatCount(site.counted)} of ${formatCount(site.accessed)}): DHAT drops those of resized blocks.`,
  }[site.counts];
  return [holes, doubt].filter((text) => text !== '').join(' ');
}
