/** Nouns for the rows of a table. */
const NOUNS: Readonly<Record<string, readonly [string, string]>> = {
  functions: ['function', 'functions'],
  filefunctions: ['function in a file', 'functions in files'],
  files: ['file', 'files'],
  lines: ['line', 'lines'],
  addresses: ['address', 'addresses'],
  packages: ['package', 'packages'],
  modules: ['module', 'modules'],
  libraries: ['library', 'libraries'],
};

/** Singular and plural noun for rows of a granularity; an empty one means functions. */
export function granularityNoun(granularity: string): readonly [string, string] {
  return NOUNS[granularity === '' ? 'functions' : granularity] ?? ['row', 'rows'];
}
