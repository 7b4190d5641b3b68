/** First bytes of programs and libraries: ELF, Mach-O in both byte orders, universal Mach-O, PE. */
const MAGIC = ['7f454c46', 'cefaedfe', 'cffaedfe', 'feedface', 'feedfacf', 'cafebabe', '4d5a'];

async function isBinary(file: Blob): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const hex = Array.from(head, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return MAGIC.some((magic) => hex.startsWith(magic));
}

/** Files in the order of their upload: binaries after the profiles, because a binary is refused where no open profile uses it. */
export async function uploadOrder<T extends Blob>(files: readonly T[]): Promise<T[]> {
  const known = await Promise.all(files.map(async (file) => ({ file, isLast: await isBinary(file).catch(() => false) })));
  return [...known.filter(({ isLast }) => !isLast), ...known.filter(({ isLast }) => isLast)].map(({ file }) => file);
}
