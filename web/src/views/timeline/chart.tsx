import type { Signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { GrowthReport } from '../../api/types';
import { formatValue } from '../../logic/text/format';
import { bandAt, type Stack } from '../../logic/timeline/bands';
import { frameOf } from '../../logic/timeline/frame';
import { compare, moved, show, type Marks } from '../../logic/timeline/moves';
import { dumpNumbers, type Axis } from '../../logic/timeline/scale';
import { placeWord, whenOf } from '../../logic/timeline/text';
import type { Store } from '../../state/store';
import { TimelineAreas } from '../shared/stacked-areas';
import { TimelineOverlay, type Reach } from './overlay';
import { TimelineTip } from './tooltip';
import { useSize } from '../../ui/use-size';

interface Props {
  readonly store: Store;
  readonly report: GrowthReport;
  readonly stack: Stack;
  readonly axis: Axis;
  readonly marks: Marks;
  /** Band → it stands out. */
  readonly lit: readonly boolean[];
  readonly hovered: Signal<number>;
  /** Dump under the pointer or the keyboard cursor; a range while one is dragged. */
  readonly reach: Signal<Reach | undefined>;
}

const FIRST = { width: 900, height: 260 };
const CLICK_SLACK = 4;

/** Groupings whose rows are functions, so that the function menu applies. */
const WITH_MENU: ReadonlySet<string> = new Set(['culprits', 'functions', 'lines', 'files', 'stacks']);

/** The areas, and what hands and keys do to them: a click or Enter shows a dump, a drag or Shift compares two. */
export function TimelineChart({ store, report, stack, axis, marks, lit, hovered, reach }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box, FIRST);
  const { width, height } = size.value;
  const numbers = useMemo(() => dumpNumbers(report, store.meta.peek()?.dumps ?? []), [report]);
  const frame = useMemo(() => frameOf(report, stack, axis, width, height, numbers), [report, stack, axis, width, height, numbers]);
  const n = report.dump.length;
  const here = (event: MouseEvent): { at: number; x: number; y: number; height: number } => {
    const rect = box.current?.getBoundingClientRect();
    const y = event.clientY - (rect?.top ?? 0);
    return { at: frame.nearest(event.clientX - (rect?.left ?? 0)), x: event.clientX, y: event.clientY, height: y };
  };
  const bandUnder = (event: MouseEvent): number => {
    const { at, height: y } = here(event);
    return bandAt(stack, at, frame.valueAt(y))?.row ?? -1;
  };
  const point = (event: MouseEvent, from?: number): void => {
    const { at, x, y } = here(event);
    hovered.value = from === undefined ? bandUnder(event) : -1;
    reach.value = { at, from: from ?? at, x, y };
  };
  const press = (event: PointerEvent): void => {
    const element = event.currentTarget;
    if (event.button !== 0 || !(element instanceof HTMLElement) || n === 0) return;
    const { at: from, x } = here(event);
    let far = false;
    element.setPointerCapture(event.pointerId);
    const stop = new AbortController();
    const end = (): void => {
      stop.abort();
      reach.value = undefined;
    };
    const listen = (name: 'pointermove' | 'pointerup' | 'pointercancel', act: (e: PointerEvent) => void): void => {
      element.addEventListener(name, act, { signal: stop.signal });
    };
    listen('pointermove', (e) => {
      far ||= Math.abs(e.clientX - x) >= CLICK_SLACK;
      if (far) point(e, from);
    });
    listen('pointerup', (e) => {
      const { at } = here(e);
      end();
      store.go(far ? compare(report, store.url.value, from, at) : show(report, store.url.value, from));
    });
    listen('pointercancel', end);
    element.ownerDocument.addEventListener(
      'keydown',
      (e) => {
        if (e.key !== 'Escape') return;
        e.preventDefault();
        e.stopPropagation();
        end();
      },
      { signal: stop.signal, capture: true },
    );
  };
  const keyed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const now = reach.value;
    const at = now?.at ?? (marks.shown >= 0 ? marks.shown : n - 1);
    const from = now?.from ?? at;
    const to = moved(event.key, at, n);
    if (to !== undefined) reach.value = { at: to, from: event.shiftKey ? from : to, ...atTop(to) };
    else if (event.key === 'Enter') {
      reach.value = undefined;
      const start = event.shiftKey && from === at ? marks.shown : from;
      store.go(start >= 0 && start !== at ? compare(report, store.url.value, start, at) : show(report, store.url.value, at));
    } else if (event.key === 'Escape' && now !== undefined) reach.value = undefined;
    else if (event.key === 'Escape' && marks.base >= 0) store.go({ base: '', diff_base: '', zoom: '' });
    else return;
    hovered.value = -1;
    event.preventDefault();
    event.stopPropagation();
  };
  const atTop = (at: number): { x: number; y: number } => {
    const rect = box.current?.getBoundingClientRect();
    return { x: (rect?.left ?? 0) + frame.x(at), y: (rect?.top ?? 0) + 8 };
  };
  const bottom = (): number => (box.current?.getBoundingClientRect().bottom ?? 0) - 4;
  const spoken = reach.value?.at ?? marks.shown;
  const dump = report.dump[spoken];
  return (
    <div
      class="timeline-chart"
      ref={box}
      tabIndex={0}
      data-home
      role="slider"
      aria-label="Dumps over time. Arrows move, Enter shows the dump, Shift and arrows then Enter compare two. The tables below have the same numbers."
      aria-valuemin={1}
      aria-valuemax={n}
      aria-valuenow={Math.max(0, spoken) + 1}
      aria-valuetext={
        dump === undefined
          ? `${n} dumps`
          : `${placeWord(spoken, n)}, ${whenOf(report, spoken)}: ${formatValue(dump.total, report.header.unit, report.header.output_unit)}${spoken === marks.shown ? ', current' : ''}${spoken === marks.base ? ', baseline' : ''}`
      }
      onKeyDown={keyed}
      onPointerDown={press}
      onPointerMove={(e) => {
        if (e.buttons === 0) point(e);
      }}
      onPointerLeave={(e) => {
        if (e.buttons !== 0) return;
        reach.value = undefined;
        hovered.value = -1;
      }}
      onBlur={() => {
        reach.value = undefined;
      }}
      onContextMenu={(e) => {
        const row = report.row[bandUnder(e)]?.row;
        if (row === undefined || !WITH_MENU.has(report.by)) return;
        e.preventDefault();
        store.select(row);
        store.openMenu(row, e.clientX, e.clientY);
      }}
    >
      <TimelineAreas report={report} stack={stack} frame={frame} lit={lit} hovered={hovered} />
      <TimelineOverlay frame={frame} marks={marks} reach={reach} />
      {store.menu.value === undefined && <TimelineTip report={report} stack={stack} reach={reach} hovered={hovered} above={bottom} />}
    </div>
  );
}
