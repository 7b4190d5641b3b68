import type { FlameReport } from '../api/types';
import { get, type FlameLayout } from './flame-layout';

/**
 * The id of a box of the flame graph, which the server zooms by. The server does not send them all: half of an
 * answer would be hashes, and they follow from names (see FlameReport.id in the API).
 */

const START = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

function mix(hash: bigint, by: bigint): bigint {
  return BigInt.asUintN(64, (hash ^ by) * PRIME);
}

function hashName(name: string): bigint {
  return new TextEncoder().encode(name).reduce((hash, byte) => mix(hash, BigInt(byte)), START);
}

/** The id of a box with this name inside of a box with the id `around`. */
export function idInside(around: bigint, name: string, inlined: boolean): bigint {
  return mix(mix(around, hashName(name)), inlined ? 2n : 1n);
}

export function idText(id: bigint): string {
  return id.toString(16).padStart(16, '0');
}

/** What to ask for to zoom into a box; empty for everything and for what has no name. O(its depth). */
export function boxId(report: FlameReport, layout: Pick<FlameLayout, 'parent'>, box: number): string {
  const sent = report.id[box];
  if (sent !== undefined || box < 0) return sent ?? '';
  const path: number[] = [];
  let at = box;
  for (; at > 0; at = get(layout.parent, at)) path.push(at);
  const first = report.id[0] ?? '';
  let id = first === '' ? mix(START, report.inverted ? 1n : 0n) : BigInt(`0x${first}`);
  for (const part of path.reverse()) {
    const row = report.row[get(report.node, part)];
    if (row === undefined) return '';
    id = idInside(id, row.name, !report.inverted && get(report.inlined, part) !== 0);
  }
  return idText(id);
}
