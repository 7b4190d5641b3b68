/** Pictures of the page as files: an SVG with its styles inside, a PNG svgToPng from it or from a canvas. */

const LOOKS = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor'];
const FINE = 2;
const LARGEST = 16_000;

/** The picture as self-contained SVG: computed styles are written into it. */
export function standaloneSvg(svg: SVGSVGElement, background: string): string {
  const copy = svg.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) return '';
  const [from, to] = [[...svg.querySelectorAll('*')], [...copy.querySelectorAll('*')]];
  from.forEach((element, i) => {
    const looks = getComputedStyle(element);
    const target = to[i];
    if (target === undefined) return;
    for (const look of LOOKS) target.setAttribute(look, looks.getPropertyValue(look));
    target.removeAttribute('class');
  });
  const box = svg.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(Math.ceil(box.width)));
  copy.setAttribute('height', String(Math.ceil(box.height)));
  const ground = svg.ownerDocument.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const view = copy.viewBox.baseVal;
  const whole: Readonly<Record<string, string | number>> =
    view === null || view.width === 0
      ? { width: '100%', height: '100%' }
      : { x: view.x, y: view.y, width: view.width, height: view.height };
  for (const [name, value] of Object.entries({ ...whole, fill: background })) ground.setAttribute(name, String(value));
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

function toBlob(canvas: HTMLCanvasElement): Promise<Blob | undefined> {
  return new Promise((done) => {
    canvas.toBlob((blob) => {
      done(blob ?? undefined);
    }, 'image/png');
  });
}

/** A PNG of an SVG, two pixels for each. */
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
  const scale = Math.min(FINE, LARGEST / Math.max(1, image.width, image.height));
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return toBlob(canvas);
}

/** A PNG of what a canvas shows, two pixels for each of the page's. */
export async function canvasToPng(canvas: HTMLCanvasElement, background: string): Promise<Blob | undefined> {
  const copy = canvas.ownerDocument.createElement('canvas');
  copy.width = canvas.clientWidth * FINE;
  copy.height = canvas.clientHeight * FINE;
  const context = copy.getContext('2d');
  if (context === null) return undefined;
  context.fillStyle = background;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0, copy.width, copy.height);
  return toBlob(copy);
}
