import { useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { downloadsOf, fileName, type Download } from '../logic/downloads';
import { copied, drawn, standalone } from '../paint/picture';
import { reportText } from '../state/report-text';
import type { Store } from '../state/store';
import { Menu } from '../ui/menu';

interface Props {
  readonly store: Store;
}

/** What is seen, as files. */
export function DownloadMenu({ store }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const at = useSignal<{ x: number; y: number } | undefined>(undefined);
  const files = downloadsOf(store.url.value, store.browser.inFile);
  const act = (action: string): void => {
    at.value = undefined;
    const file = files.find((f) => f.label === action);
    const document = button.current?.ownerDocument;
    if (file === undefined || document === undefined) return;
    if (file.href !== undefined) save(document, file.href, '');
    else if (file.ask !== undefined) void written(store, document, file.ask);
    else void picture(store, document, file);
  };
  if (files.length === 0) return null;
  return (
    <>
      <button
        ref={button}
        type="button"
        class="quiet"
        name="download"
        aria-haspopup="menu"
        title="Keep what is seen as a file"
        onClick={(e) => {
          const box = e.currentTarget.getBoundingClientRect();
          at.value = { x: box.left, y: box.bottom + 4 };
        }}
      >
        Download
      </button>
      {at.value !== undefined && (
        <Menu
          label="this view as a file"
          items={files.map(({ label, hint }, i) => ({ action: label, label, hint, apart: i === 2 && !store.browser.inFile }))}
          x={at.value.x}
          y={at.value.y}
          onAct={act}
          onClose={() => {
            at.value = undefined;
          }}
        />
      )}
    </>
  );
}

function save(document: Document, href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

function nameOf(store: Store, ending: string): string {
  const header = store.main.report.value?.header;
  return fileName([header?.file ?? '', header?.value_type ?? '', header?.has_base === true ? 'diff' : '', store.url.value.view], ending);
}

async function written(store: Store, document: Document, path: string): Promise<void> {
  const end = store.busy.begin();
  const text = await reportText(path);
  end();
  if (text === undefined) store.say('This file cannot write that report');
  else saveText(document, text, nameOf(store, 'json'), 'application/json');
}

async function picture(store: Store, document: Document, { draw, ending }: Download): Promise<void> {
  const end = store.busy.begin();
  const background = getComputedStyle(document.body).backgroundColor;
  const svg = document.querySelector<SVGSVGElement>('.view .graph-svg, .view svg.size-svg, .view svg.timeline-svg');
  const canvas = document.querySelector<HTMLCanvasElement>('.view canvas[data-painted]');
  const text = svg === null ? '' : standalone(svg, background);
  let blob: Blob | undefined;
  if (draw === 'svg' && text !== '') blob = new Blob([text], { type: 'image/svg+xml' });
  else if (draw === 'png' && text !== '') blob = await drawn(text, document);
  else if (canvas !== null) blob = await copied(canvas, background);
  end();
  if (blob === undefined) {
    store.say('There is no picture yet: wait until it is drawn');
    return;
  }
  keep(document, blob, nameOf(store, ending));
}

function keep(document: Document, blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  save(document, url, name);
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
}

/** Gives the person a text as a file. */
export function saveText(document: Document, text: string, name: string, type: string): void {
  keep(document, new Blob([text], { type }), name);
}
