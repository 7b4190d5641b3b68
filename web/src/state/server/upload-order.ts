import { isBinary } from '../../logic/files';

/** Files in the order of their upload: binaries after the profiles, because a binary is refused where no open profile uses it. */
export async function uploadOrder<T extends Blob>(files: readonly T[]): Promise<T[]> {
  const known = await Promise.all(files.map(async (file) => ({ file, isLast: await isBinary(file) })));
  return [...known.filter(({ isLast }) => !isLast), ...known.filter(({ isLast }) => isLast)].map(({ file }) => file);
}
