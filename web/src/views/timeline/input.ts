import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import type { GrowthReport } from '../../api/types';
import { bandAt, type Stack } from '../../logic/timeline/bands';
import { pointAt, timesBetween, type ChartPoint } from '../../logic/timeline/any-time';
import type { Frame } from '../../logic/timeline/chart-geometry';
import { runOf, timesPatch } from '../../logic/recording';
import { compare, moved, show, type Marks } from '../../logic/timeline/shown-dumps';
import type { Store } from '../../state/store';
import type { Reach } from './overlay';

interface Chart {
  readonly store: Store;
  readonly report: GrowthReport;
  readonly stack: Stack;
  readonly marks: Marks;
  readonly frame: Frame;
  readonly box: RefObject<HTMLElement | null>;
  readonly hovered: Signal<number>;
  readonly reach: Signal<Reach | undefined>;
}

const CLICK_SLACK = 4;

/** Groupings whose rows are functions, so that the function menu applies. */
const WITH_MENU: ReadonlySet<string> = new Set(['culprits', 'functions', 'lines', 'files', 'stacks']);

/** Handlers of pointer and keys on the chart: a click or Enter shows a dump or a time between two, a drag or Shift compares two. */
export function chartInput(chart: Chart) {
  const { store, report, hovered, reach } = chart;
  return {
    onKeyDown: (event: KeyboardEvent): void => {
      press(chart, event);
    },
    onPointerDown: (event: PointerEvent): void => {
      drag(chart, event);
    },
    onPointerMove: (event: PointerEvent): void => {
      if (event.buttons === 0) point(chart, event);
    },
    onPointerLeave: (event: PointerEvent): void => {
      if (event.buttons !== 0) return;
      reach.value = undefined;
      hovered.value = -1;
    },
    onBlur: (): void => {
      reach.value = undefined;
    },
    onContextMenu: (event: MouseEvent): void => {
      const row = report.row[bandUnder(chart, event)]?.row;
      if (row === undefined || !WITH_MENU.has(report.by)) return;
      event.preventDefault();
      store.select(row);
      store.openMenu(row, event.clientX, event.clientY);
    },
  };
}

/** What is under the pointer, the pointer in the window, and its height in the chart. */
function here({ box, frame, report, store }: Chart, event: MouseEvent): ChartPoint & { x: number; y: number; height: number } {
  const rect = box.current?.getBoundingClientRect();
  const y = event.clientY - (rect?.top ?? 0);
  const run = runOf(String(report.dump[0]?.dump ?? ''), store.meta.value);
  const point = pointAt(frame, report, event.clientX - (rect?.left ?? 0), report.axis === 's' && run?.has_any_time === true);
  return { ...point, x: event.clientX, y: event.clientY, height: y };
}

function bandUnder(chart: Chart, event: MouseEvent): number {
  const { at, height } = here(chart, event);
  return bandAt(chart.stack, at, chart.frame.valueAt(height))?.row ?? -1;
}

function point(chart: Chart, event: MouseEvent, from?: ChartPoint): void {
  const { at, time, x, y } = here(chart, event);
  chart.hovered.value = from === undefined ? bandUnder(chart, event) : -1;
  const times = from === undefined ? undefined : timesBetween(chart.report, from, { at, time });
  chart.reach.value = { at, from: from?.at ?? at, times, x, y };
}

function drag(chart: Chart, event: PointerEvent): void {
  const { store, report, reach } = chart;
  const element = event.currentTarget;
  if (event.button !== 0 || !(element instanceof HTMLElement) || report.dump.length === 0) return;
  const from = here(chart, event);
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
    far ||= Math.abs(e.clientX - from.x) >= CLICK_SLACK;
    if (far) point(chart, e, from);
  });
  listen('pointerup', (e) => {
    const to = here(chart, e);
    end();
    const url = store.url.value;
    const times = far ? timesBetween(report, from, to)?.join(' to ') : from.time;
    if (times !== undefined && times !== '') store.go(timesPatch(times, url, store.meta.value?.dumps ?? []));
    else store.go(far ? compare(report, url, from.at, to.at) : show(report, url, from.at));
  });
  listen('pointercancel', end);
  const escape = (e: KeyboardEvent): void => {
    if (e.key !== 'Escape') return;
    e.preventDefault();
    e.stopPropagation();
    end();
  };
  element.ownerDocument.addEventListener('keydown', escape, { signal: stop.signal, capture: true });
}

function press(chart: Chart, event: KeyboardEvent): void {
  const { store, report, marks, hovered, reach } = chart;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const n = report.dump.length;
  const now = reach.value;
  const at = now?.at ?? (marks.shown >= 0 ? marks.shown : n - 1);
  const from = now?.from ?? at;
  const to = moved(event.key, at, n);
  if (to !== undefined) reach.value = { at: to, from: event.shiftKey ? from : to, ...atTop(chart, to) };
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
}

/** Position of a dump's tooltip while keys move: at the top of the chart. */
function atTop({ box, frame }: Chart, at: number): { x: number; y: number } {
  const rect = box.current?.getBoundingClientRect();
  return { x: (rect?.left ?? 0) + frame.x(at), y: (rect?.top ?? 0) + 8 };
}
