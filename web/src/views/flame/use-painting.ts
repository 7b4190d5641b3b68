import { effect, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FlameReport } from '../../api/types';
import type { ColorBy } from '../../logic/flame/colors';
import type { FlameLayout, FlameView } from '../../logic/flame/layout';
import { createFlamePainter, type FlamePainter } from '../../paint/flame/painter';
import { FLAME_PAD } from '../../paint/flame/scene';
import { readTokens, type PaintTokens } from '../../paint/tokens';
import type { Hover } from '../../ui/use-hover';
import { viewOf, type FlameCamera } from './camera';

/** Input of a frame. */
export interface Painting {
  readonly report: FlameReport;
  readonly layout: FlameLayout;
  readonly camera: FlameCamera;
  readonly by: ColorBy;
  readonly matches: Uint8Array | undefined;
  readonly selected: Uint8Array | undefined;
  readonly hover: Signal<Hover | undefined>;
  /** Box at the keyboard cursor; −1 for none. */
  readonly cursor: Signal<number>;
  readonly shimmer: ReadonlySignal<number>;
  /** Changes with the theme. */
  readonly paintKey: ReadonlySignal<number>;
  /** Announces work; the returned function ends it. */
  readonly begin: () => () => void;
  /** Called when the window has stopped moving. */
  readonly onRest: (view: FlameView) => void;
}

const REST_MS = 140;

/** Paints the boxes on a canvas that fills the camera's box, again whenever its input changes; reports when the window has stopped moving. */
export function usePainting(canvas: RefObject<HTMLCanvasElement | null>, painting: Painting): void {
  const { camera, cursor, hover, paintKey, shimmer } = painting;
  const { scroller, size, top } = camera;
  const painter = useRef<FlamePainter | undefined>(undefined);
  const tokens = useRef<{ key: number; read: PaintTokens } | undefined>(undefined);
  // The signal effects below must run again when props change.
  const scene = useSignal(painting);
  useLayoutEffect(() => {
    scene.value = painting;
  });

  const paint = (): (() => void) => {
    const { report, layout, selected, matches, by, begin } = scene.value;
    const { height } = size.value;
    const [over, at, theme, shine] = [hover.value?.at ?? -1, cursor.value, paintKey.value, shimmer.value];
    const view = viewOf(camera);
    const scrollTop = top.value - FLAME_PAD;
    const end = begin();
    const frame = requestAnimationFrame(() => {
      const element = canvas.current;
      const host = scroller.current;
      const context = element?.getContext('2d') ?? null;
      if (element !== null && host !== null && context !== null && view.width > 0) {
        const ratio = host.ownerDocument.defaultView?.devicePixelRatio ?? 1;
        const [w, h] = [Math.round(view.width * ratio), Math.round(height * ratio)];
        if (element.width !== w || element.height !== h) Object.assign(element, { width: w, height: h });
        if (tokens.current?.key !== theme) tokens.current = { key: theme, read: readTokens(host) };
        painter.current ??= createFlamePainter(context);
        const marks = { matches, selected, hover: over, cursor: at };
        const palette = tokens.current.read;
        const n = painter.current.paint({
          ...{ report, layout, view, scrollTop, height },
          ...{ marks, tokens: palette, by, shimmer: shine },
        });
        element.dataset['painted'] = String(n);
      }
      end();
    });
    return () => {
      cancelAnimationFrame(frame);
      end();
    };
  };
  // Not useSignalEffect, which waits for a frame: boxes would follow the pointer one frame late.
  useLayoutEffect(() => {
    const stops = [effect(paint), effect(() => awaitRest(scene.value))];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
}

/** Reports the window once it has not moved for a moment. */
function awaitRest({ camera, onRest, begin }: Painting): (() => void) | undefined {
  const view = viewOf(camera);
  if (view.width === 0) return undefined;
  const end = begin();
  const timer = setTimeout(() => {
    onRest(view);
    end();
  }, REST_MS);
  return () => {
    clearTimeout(timer);
    end();
  };
}
