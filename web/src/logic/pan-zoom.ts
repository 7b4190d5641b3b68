/** A rectangle seen through a window: scale and offset, for the graph. */
export interface Camera {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export const MIN_SCALE = 0.05;
export const MAX_SCALE = 8;

/** All of `width × height` in the middle of the window, never above scale 1. */
export function fit(width: number, height: number, windowWidth: number, windowHeight: number, margin = 16): Camera {
  const scale = Math.max(MIN_SCALE, Math.min(1, (windowWidth - 2 * margin) / width, (windowHeight - 2 * margin) / height));
  return { scale, x: (windowWidth - width * scale) / 2, y: Math.max(margin, (windowHeight - height * scale) / 2) };
}

/** The smallest scale at which names in the graph can be read. */
const LEGIBLE = 0.85;

/**
 * All of it if that can be read; else legible, with (`x`, `y`) in the upper middle, or nearer to the edge where there
 * would be nothing beyond.
 */
export function openAt(width: number, height: number, windowWidth: number, windowHeight: number, x: number, y: number): Camera {
  const whole = fit(width, height, windowWidth, windowHeight);
  if (whole.scale >= LEGIBLE) return whole;
  return {
    scale: LEGIBLE,
    x: bounded(windowWidth / 2 - x * LEGIBLE, width * LEGIBLE, windowWidth),
    y: bounded(windowHeight * 0.4 - y * LEGIBLE, height * LEGIBLE, windowHeight),
  };
}

const MARGIN = 16;

/** An offset that leaves at most a margin beyond the edges; centres a drawing smaller than the window. */
function bounded(offset: number, size: number, window: number): number {
  if (size + 2 * MARGIN <= window) return (window - size) / 2;
  return Math.max(window - size - MARGIN, Math.min(MARGIN, offset));
}

/** The camera, moved as little as possible to show the surroundings of (`x`, `y`). */
export function bringIn(camera: Camera, windowWidth: number, windowHeight: number, x: number, y: number, halfWidth: number): Camera {
  const scale = camera.scale < LEGIBLE ? LEGIBLE : camera.scale;
  const base = scale === camera.scale ? camera : { scale, x: windowWidth / 2 - x * scale, y: windowHeight / 2 - y * scale };
  const [px, py] = [x * scale + base.x, y * scale + base.y];
  const [mx, my] = [Math.min(windowWidth / 2, halfWidth * scale + MARGIN), Math.min(windowHeight / 2, 60)];
  return {
    scale,
    x: base.x + Math.max(mx, Math.min(windowWidth - mx, px)) - px,
    y: base.y + Math.max(my, Math.min(windowHeight - my, py)) - py,
  };
}

/** Scaled by `factor` so that the point under (`px`, `py`) stays where it is. */
export function zoomAt(camera: Camera, factor: number, px: number, py: number): Camera {
  const scale = Math.max(MIN_SCALE, Math.min(MAX_SCALE, camera.scale * factor));
  const k = scale / camera.scale;
  return { scale, x: px - (px - camera.x) * k, y: py - (py - camera.y) * k };
}

/** A span that shows `x0` … `x1` at least `narrowest` of the window wide, moved and scaled as little as that takes. */
export function spanShowing(from: number, to: number, x0: number, x1: number, narrowest: number): readonly [number, number] {
  const width = x1 - x0;
  const size = Math.min(to - from, narrowest > 0 ? Math.max(width, width / narrowest) : 1);
  if (size < to - from) {
    const middle = (x0 + x1) / 2;
    return moveSpan(middle - size / 2, middle + size / 2, 0);
  }
  // Seen, if only the end of something wider than the window.
  if (x0 < to && x1 > from && (width >= to - from || (x0 >= from && x1 <= to))) return [from, to];
  return moveSpan(from, to, x0 < from ? x0 - from : Math.min(x0 - from, x1 - to));
}

/** Parses a span such as `0.125-0.25`; undefined if it is invalid. */
export function readSpan(text: string): readonly [number, number] | undefined {
  const [from = Number.NaN, to = Number.NaN, ...more] = text.split('-').map((part) => (part === '' ? Number.NaN : Number(part)));
  return more.length === 0 && from >= 0 && to <= 1 && to - from > 0 ? [from, to] : undefined;
}

/** A span for the address, exact to a fraction of a pixel; empty for everything. */
export function spanText(from: number, to: number): string {
  if (from <= 0 && to >= 1) return '';
  const digits = Math.min(12, Math.max(4, 5 - Math.floor(Math.log10(Math.max(1e-9, to - from)))));
  const text = (x: number): string => x.toFixed(digits).replace(/\.?0+$/, '');
  return `${text(from)}-${text(to)}`;
}

/** A span of 0…1 scaled about `at`, kept inside 0…1. */
export function zoomSpan(from: number, to: number, factor: number, at: number, smallest = 1e-6): readonly [number, number] {
  const size = Math.min(1, Math.max(smallest, (to - from) / factor));
  const start = at - ((at - from) / (to - from)) * size;
  return moveSpan(start, start + size, 0);
}

/** A span moved by `by`, kept inside 0…1. */
export function moveSpan(from: number, to: number, by: number): readonly [number, number] {
  const size = Math.min(1, to - from);
  const start = Math.max(0, Math.min(1 - size, from + by));
  return [start, start + size];
}
