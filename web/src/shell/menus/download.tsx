import { useRef } from 'preact/hooks';
import { downloadsOf, fileName, markdownPath, type Download } from '../../logic/url/downloads';
import { scopeOf, valueLabel } from '../../logic/recording';
import { fenced } from '../../logic/text/markdown';
import { VIEW_LABELS } from '../../logic/url/view-url';
import { canvasToPng, svgToPng, standaloneSvg } from '../../paint/export-image';
import { summaryMarkdown } from '../../state/report/summary-markdown';
import { plainText, reportFile } from '../../state/report/report-text';
import type { Store } from '../../state/store';
import { Menu } from '../../ui/menu';
import { PopoverButton } from '../../ui/popover/button';

interface Props {
  readonly store: Store;
}

/** The view as files, or on the clipboard. */
export function DownloadMenu({ store }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const files = downloadsOf(store.url.value, store.meta.value?.may_open === true, store.browser.kind === 'server');
  const items = files.map(({ label, hint, copy }, i) => ({
    action: label,
    label,
    hint,
    // A line between what is copied and what is saved as a file.
    apart: copy === undefined && files[i - 1]?.copy !== undefined,
  }));
  const act = (action: string): void => {
    const file = files.find((f) => f.label === action);
    const document = box.current?.ownerDocument;
    if (file !== undefined && document !== undefined) start(store, document, file);
  };
  if (files.length === 0) return null;
  return (
    <div ref={box}>
      <PopoverButton name="download" buttonClass="quiet" text="Download" title="Download or copy this view" haspopup="menu" align="start">
        {(close) => <Menu label="Export this view" items={items} onAct={act} onClose={close} />}
      </PopoverButton>
    </div>
  );
}

function start(store: Store, document: Document, file: Download): void {
  if (file.copy === 'markdown') void copyMarkdown(store);
  else if (file.copy === 'image') void copyImage(store, document);
  else if (file.href !== undefined && store.browser.kind !== 'server') void answered(store, document, file.href);
  else if (file.href !== undefined) save(document, file.href, '');
  else void picture(store, document, file);
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

/** Saves what the engine answers: there is no server that the browser could load it from. */
async function answered(store: Store, document: Document, path: string): Promise<void> {
  const end = store.busy.begin();
  const file = await reportFile(path);
  end();
  if ('problem' in file) store.notify(file.problem);
  else keep(document, file.blob, file.name);
}

async function picture(store: Store, document: Document, { draw, ending }: Download): Promise<void> {
  const end = store.busy.begin();
  const text = draw === 'svg' ? svgText(document) : '';
  const blob = text === '' ? await png(document) : new Blob([text], { type: 'image/svg+xml' });
  end();
  if (blob === undefined) store.notify('Nothing is drawn yet: try again in a moment');
  else keep(document, blob, nameOf(store, ending));
}

function svgText(document: Document): string {
  const svg = document.querySelector<SVGSVGElement>('.view .graph-svg, .view svg.size-svg, .view svg.timeline-svg');
  return svg === null ? '' : standaloneSvg(svg, getComputedStyle(document.body).backgroundColor);
}

/** Image of the view at twice the page's resolution. */
async function png(document: Document): Promise<Blob | undefined> {
  const text = svgText(document);
  const canvas = document.querySelector<HTMLCanvasElement>('.view canvas[data-painted]');
  if (text !== '') return svgToPng(text, document);
  return canvas === null ? undefined : canvasToPng(canvas, getComputedStyle(document.body).backgroundColor);
}

async function copyImage(store: Store, document: Document): Promise<void> {
  const end = store.busy.begin();
  const isCopied = await store.browser.copyImage(() => png(document));
  end();
  store.notify(isCopied ? 'Image copied' : 'The browser did not allow copying the image; download the PNG instead');
}

async function copyMarkdown(store: Store): Promise<void> {
  const end = store.busy.begin();
  const text = await viewMarkdown(store);
  const isCopied = text !== undefined && (await store.browser.copy(text));
  end();
  store.notify(
    isCopied ? 'Copied as Markdown' : text === undefined ? 'This view has no text version' : 'The browser did not allow copying',
  );
}

/** The view as Markdown: the summary, or the text of its report with a heading. */
async function viewMarkdown(store: Store): Promise<string | undefined> {
  const url = store.url.peek();
  const path = markdownPath(url);
  if (path === undefined) return summaryMarkdown(url);
  const text = await plainText(path);
  if (text === undefined) return undefined;
  const header = store.main.report.peek()?.header;
  const of = [header?.file ?? '', valueLabel(header?.value_type ?? '', scopeOf(url, store.meta.value)), VIEW_LABELS[url.view]].filter(
    (part) => part !== '',
  );
  return fenced(of.join(' · '), text);
}

function keep(document: Document, blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  save(document, url, name);
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
}

/** Saves a text as a file. */
export function saveText(document: Document, text: string, name: string, type: string): void {
  keep(document, new Blob([text], { type }), name);
}
