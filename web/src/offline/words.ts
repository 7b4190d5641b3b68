/** Words in messages and canonical values, as the server writes them (`src/query/`). */

/** A number without an exponent, as the server writes it. */
export function plainNumber(value: number): string {
  const text = String(value);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const shift = Number(exponent);
  return shift < 0 ? `${sign}0.${'0'.repeat(-shift - 1)}${whole}${fraction}` : `${sign}${whole}${fraction.padEnd(shift, '0')}`;
}

/** As Rust's debug format quotes it, near enough. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** The name nearest to a mistyped one, if any is near. */
export function nearest(name: string, among: readonly string[]): string | undefined {
  const found = among.map((n) => [distance(name, n), n] as const).sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1))[0];
  return found !== undefined && found[0] <= 1 + Math.floor(name.length / 4) ? found[1] : undefined;
}

/** Edits that make one word of the other; two neighbours that changed places are one. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  let second = above;
  for (let i = 0; i < a.length; i++) {
    const row = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const same = a.charAt(i) === b.charAt(j);
      let least = Math.min((above[j] ?? 0) + (same ? 0 : 1), (above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1);
      if (i > 0 && j > 0 && a.charAt(i) === b.charAt(j - 1) && a.charAt(i - 1) === b.charAt(j))
        least = Math.min(least, (second[j - 1] ?? 0) + 1);
      row.push(least);
    }
    [second, above] = [above, row];
  }
  return above[b.length] ?? 0;
}
