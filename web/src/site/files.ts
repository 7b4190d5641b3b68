/** Files that are open together. */
export interface OpenFileList {
  /** Opened first, as one profile. */
  readonly first: readonly File[];
  /** Added to it, one after another. */
  readonly added: readonly File[];
  /** Programs, libraries and debug files, for names. */
  readonly binaries: readonly File[];
}

export const NO_FILES: OpenFileList = { first: [], added: [], binaries: [] };

/** The list with more files: dumps open beside those that are there. `isBinary`: by index. */
export function withFiles(list: OpenFileList, given: readonly File[], isBinary: readonly boolean[]): OpenFileList {
  const dumps = given.filter((_, i) => isBinary[i] !== true);
  const binaries = [...list.binaries, ...given.filter((_, i) => isBinary[i] === true)];
  return list.first.length === 0 ? { ...list, first: dumps, binaries } : { ...list, added: [...list.added, ...dumps], binaries };
}

export function withoutFiles({ first, added, binaries }: OpenFileList, gone: ReadonlySet<File>): OpenFileList {
  const left = (files: readonly File[]): readonly File[] => files.filter((file) => !gone.has(file));
  return { first: left(first), added: left(added), binaries: left(binaries) };
}
