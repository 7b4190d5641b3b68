import { instance } from '@viz-js/viz';

/** DOT → places, by Graphviz compiled to WebAssembly, off the main thread. */

export type LayoutAnswer = { readonly ok: true; readonly json: unknown } | { readonly ok: false; readonly error: string };

const viz = instance();

addEventListener('message', (event: MessageEvent<unknown>) => {
  void answer(typeof event.data === 'string' ? event.data : '').then((result) => {
    postMessage(result);
  });
});

async function answer(dot: string): Promise<LayoutAnswer> {
  try {
    const graphviz = await viz;
    const result = graphviz.render(dot, { format: 'json0', engine: 'dot' });
    if (result.status === 'success') return { ok: true, json: JSON.parse(result.output) };
    return { ok: false, error: result.errors.map((e) => e.message).join('; ') };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}
