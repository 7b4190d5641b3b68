/** What a row of a table stands for. */
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

/** One and many of what the granularity's rows are; an empty one means functions. */
export function granularityNoun(granularity: string): readonly [string, string] {
  return NOUNS[granularity === '' ? 'functions' : granularity] ?? ['row', 'rows'];
}
