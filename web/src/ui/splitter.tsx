import { useRef } from 'preact/hooks';

interface Props {
  readonly label: string;
  /** Pixels of the pane on the right. */
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly usual: number;
  /** Id of that pane. */
  readonly controls: string;
  readonly onChange: (width: number, done: boolean) => void;
  readonly onCollapse: () => void;
}

const STEP = 24;

/** A splitter between two panes: drag it or use the arrow keys; a double click resets it, Enter closes the pane. */
export function Splitter({ label, value, min, max, usual, controls, onChange, onCollapse }: Props) {
  const drag = useRef<{ readonly x: number; readonly width: number } | undefined>(undefined);
  return (
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={Math.round(value)}
      title="Drag to resize; double-click to reset"
      onPointerDown={(e) => {
        if (e.button !== 0) return;
        e.preventDefault();
        e.currentTarget.setPointerCapture(e.pointerId);
        e.currentTarget.focus();
        drag.current = { x: e.clientX, width: value };
      }}
      onPointerMove={(e) => {
        const from = drag.current;
        if (from !== undefined) onChange(from.width + from.x - e.clientX, false);
      }}
      onPointerUp={(e) => {
        const from = drag.current;
        drag.current = undefined;
        if (from !== undefined) onChange(from.width + from.x - e.clientX, true);
      }}
      onPointerCancel={() => {
        drag.current = undefined;
      }}
      onDblClick={() => {
        onChange(usual, true);
      }}
      onKeyDown={(e) => {
        const to = { ArrowLeft: value + STEP, ArrowRight: value - STEP, Home: max, End: min }[e.key];
        if (to !== undefined) onChange(to, true);
        else if (e.key === 'Enter') onCollapse();
        else return;
        e.preventDefault();
        e.stopPropagation();
      }}
    />
  );
}
