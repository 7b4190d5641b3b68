import type { Granularity } from '../view';

/** What the rows of growth are (`GrowthBy` of the server). */

const NAMES = ['culprits', 'functions', 'lines', 'files', 'packages', 'modules', 'types', 'stacks'] as const;
export type GrowthBy = (typeof NAMES)[number];

/** What is asked for, else what the granularity says. */
export function growthBy({ texts }: { readonly texts: ReadonlyMap<string, string> }): GrowthBy {
  const asked = NAMES.find((name) => name === texts.get('by'));
  return asked ?? ofGranularity(texts.get('granularity') ?? '');
}

function ofGranularity(granularity: string): GrowthBy {
  switch (granularity) {
    case 'functions':
    case 'filefunctions':
    case 'addresses':
      return 'functions';
    case 'packages':
    case 'libraries':
      return 'packages';
    case 'files':
    case 'lines':
    case 'modules':
      return granularity;
    default:
      return 'culprits';
  }
}

/** What frames are grouped by for it. */
export function granularityFor(by: GrowthBy): Granularity {
  return by === 'culprits' || by === 'types' || by === 'stacks' ? 'functions' : by;
}

/** Whether stacks end at their culprits. */
export function endsAtCulprits(by: GrowthBy): boolean {
  return by !== 'functions' && by !== 'types' && by !== 'stacks';
}
