/** Images of the page as files: an SVG with its styles inside, a PNG made of it or of a canvas. */

const STYLES = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor'];
/** Pixels of an image for each pixel of the page, and the longest side of an image. */
const SCALE = 2;
const LARGEST = 16_000;

/** A self-contained copy of an SVG, as text: computed styles are written into it. */
export function standaloneSvg(svg: SVGSVGElement, background: string): string {
  const copy = svg.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) return '';
  const [from, to] = [[...svg.querySelectorAll('*')], [...copy.querySelectorAll('*')]];
  from.forEach((element, i) => {
    const computed = getComputedStyle(element);
    const target = to[i];
    if (target === undefined) return;
    for (const name of STYLES) target.setAttribute(name, computed.getPropertyValue(name));
    target.removeAttribute('class');
  });
  const box = svg.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(Math.ceil(box.width)));
  copy.setAttribute('height', String(Math.ceil(box.height)));
  const backdrop = svg.ownerDocument.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const view = copy.viewBox.baseVal;
  const area: Readonly<Record<string, string | number>> =
    view === null || view.width === 0
      ? { width: '100%', height: '100%' }
      : { x: view.x, y: view.y, width: view.width, height: view.height };
  for (const [name, value] of Object.entries({ ...area, fill: background })) backdrop.setAttribute(name, String(value));
  copy.prepend(backdrop);
  return new XMLSerializer().serializeToString(copy);
}

function toBlob(canvas: HTMLCanvasElement): Promise<Blob | undefined> {
  return new Promise((done) => {
    canvas.toBlob((blob) => {
      done(blob ?? undefined);
    }, 'image/png');
  });
}

/** PNG of an SVG's text, at twice its size. */
export async function svgToPng(text: string, document: Document): Promise<Blob | undefined> {
  const image = new Image();
  const url = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  const loaded = new Promise<boolean>((done) => {
    image.onload = () => {
      done(true);
    };
    image.onerror = () => {
      done(false);
    };
  });
  image.src = url;
  if (!(await loaded)) return undefined;
  const canvas = document.createElement('canvas');
  const scale = Math.min(SCALE, LARGEST / Math.max(1, image.width, image.height));
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return toBlob(canvas);
}

/** PNG of a canvas, at twice its size on the page. */
export async function canvasToPng(canvas: HTMLCanvasElement, background: string): Promise<Blob | undefined> {
  const copy = canvas.ownerDocument.createElement('canvas');
  copy.width = canvas.clientWidth * SCALE;
  copy.height = canvas.clientHeight * SCALE;
  const context = copy.getContext('2d');
  if (context === null) return undefined;
  context.fillStyle = background;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0, copy.width, copy.height);
  return toBlob(copy);
}
