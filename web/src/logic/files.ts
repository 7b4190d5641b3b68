/** First bytes of programs and libraries: ELF, Mach-O in both byte orders, universal Mach-O, PE. */
const MAGIC = ['7f454c46', 'cefaedfe', 'cffaedfe', 'feedface', 'feedfacf', 'cafebabe', '4d5a'];

/** Whether a file is a program, a library or separate debug information, by its first bytes; false if it cannot be read. */
export async function isBinary(file: Blob): Promise<boolean> {
  const head = await file
    .slice(0, 4)
    .arrayBuffer()
    .catch(() => new ArrayBuffer());
  const hex = Array.from(new Uint8Array(head), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return MAGIC.some((magic) => hex.startsWith(magic));
}
