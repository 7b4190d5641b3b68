import type { Meta } from '../api/types';
import { toBase85 } from '../engine/base85';

/** What a report file is made of. */
export interface ReportParts {
  /** A file of the site. */
  readonly load: (name: string) => Promise<ArrayBuffer>;
  /** Answer of the engine. */
  readonly ask: (path: string) => Promise<Response>;
  readonly meta: Meta;
}

/** Where the page asks for a report file. */
export const REPORT_PATH = '/api/v1/report.html';

/** The open profile as a report file, as a server answers `path`; its first view is in the path's `address`. */
export async function reportFile(path: string, { load, ask, meta }: ReportParts): Promise<Response> {
  const address = new URLSearchParams(path.split('?', 2)[1]).get('address') ?? '';
  const made = Math.floor(Date.now() / 1000);
  const data = await ask(`/api/v1/report-data?${new URLSearchParams({ address, made: String(made) }).toString()}`);
  if (!data.ok) return data;
  const [shell, engine, layout] = await Promise.all(['report.html', 'heapview.wasm.zst', 'layout.js.zst'].map(load));
  const text = new TextDecoder().decode(shell);
  const title = [meta.file, meta.default_value_type, 'heapview report'].filter((part) => part !== '').join(' · ');
  const content: Readonly<Record<string, string>> = {
    made: new Date(made * 1000).toISOString().replace('.000', ''),
    title: escaped(title),
    address: escaped(address),
    engine: toBase85(new Uint8Array(engine ?? [])),
    layout: toBase85(new Uint8Array(layout ?? [])),
    data: await data.text(),
  };
  const page = text.replace(/@(made|title|address|engine|layout|data)@/g, (_, name: string) => content[name] ?? '');
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-disposition': data.headers.get('content-disposition') ?? '' };
  return new Response(page, { headers });
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
