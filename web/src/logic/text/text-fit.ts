/** Chooses the longest of several texts that fits a width. */

/** Width in pixels of every printable ASCII character, measured once per font. */
export interface CharWidths {
  readonly ascii: Float32Array;
  readonly other: number;
}

export function measureWith(width: (text: string) => number): CharWidths {
  const ascii = new Float32Array(128);
  for (let code = 32; code < 127; code++) ascii[code] = width(String.fromCharCode(code));
  return { ascii, other: width('M') };
}

export function textWidth(text: string, widths: CharWidths): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    sum += code < 128 ? (widths.ascii[code] ?? widths.other) : widths.other;
  }
  return sum;
}

/** The first of `forms` (longest first) that fits; else the last one cut with `…`; empty when not even two letters fit. */
export function fitText(forms: readonly string[], room: number, widths: CharWidths): string {
  for (const form of forms) {
    if (form.length * 3 < room * 4 && textWidth(form, widths) <= room) return form;
  }
  return cutText(forms.at(-1) ?? '', room, widths);
}

export function cutText(text: string, room: number, widths: CharWidths): string {
  if (textWidth(text.slice(0, 400), widths) <= room && text.length <= 400) return text;
  let sum = widths.other;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    sum += code < 128 ? (widths.ascii[code] ?? widths.other) : widths.other;
    if (sum > room) return i < 2 ? '' : `${text.slice(0, i)}…`;
  }
  return text;
}
