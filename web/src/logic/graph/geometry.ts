/** Graphviz's `json0` output as positions in pixels, y downwards. */

export interface Place {
  readonly x: number;
  readonly y: number;
}
export interface EdgePlace {
  /** SVG path of the curve. */
  readonly path: string;
  /** Last point of the curve and the tip of the arrow. */
  readonly from: Place;
  readonly tip: Place;
  readonly label: Place | undefined;
}
export interface GraphGeometry {
  readonly width: number;
  readonly height: number;
  /** `n3`, `t0` → centre. */
  readonly nodes: ReadonlyMap<string, Place>;
  /** `e7`, `t0` → curve. */
  readonly edges: ReadonlyMap<string, EdgePlace>;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}

function text(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : '';
}

function list(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

function numbers(source: string): readonly number[] {
  return source
    .split(/[\s,]+/)
    .map(Number)
    .filter(Number.isFinite);
}

/** Reads a layout; places that are missing are left out. */
export function readGeometry(json: unknown): GraphGeometry {
  const box = numbers(text(json, 'bb'));
  const [width, height] = [box[2] ?? 0, box[3] ?? 0];
  const place = (source: string): Place | undefined => {
    const [x, y] = numbers(source);
    return x === undefined || y === undefined ? undefined : { x, y: height - y };
  };
  const nodes = new Map<string, Place>();
  for (const node of list(json, 'objects')) {
    const at = place(text(node, 'pos'));
    if (at !== undefined) nodes.set(text(node, 'name'), at);
  }
  const edges = new Map<string, EdgePlace>();
  for (const edge of list(json, 'edges')) {
    const curve = readCurve(text(edge, 'pos'), place);
    if (curve !== undefined) edges.set(text(edge, 'id'), { ...curve, label: place(text(edge, 'lp')) });
  }
  return { width, height, nodes, edges };
}

/** `e,tipx,tipy x,y x,y …`: the arrow's tip, then one point and threes of Bézier points. */
function readCurve(source: string, place: (text: string) => Place | undefined): Omit<EdgePlace, 'label'> | undefined {
  const parts = source.split(' ');
  const tipPart = parts.find((p) => p.startsWith('e,'));
  const points = parts.filter((p) => !/^[se],/.test(p)).flatMap((p) => place(p) ?? []);
  const [first, ...rest] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const curves = rest.map((p, i) => `${i % 3 === 0 ? 'C' : ''}${round(p.x)} ${round(p.y)}`);
  return {
    path: `M${round(first.x)} ${round(first.y)} ${curves.join(' ')}`,
    from: last,
    tip: (tipPart === undefined ? undefined : place(tipPart.slice(2))) ?? last,
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The corners of an arrow head from `from` to `tip`, `half` wide to each side. */
export function arrowHead(from: Place, tip: Place, half: number): string {
  const [dx, dy] = [tip.x - from.x, tip.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [(-dy / length) * half, (dx / length) * half];
  return [
    [from.x + nx, from.y + ny],
    [tip.x, tip.y],
    [from.x - nx, from.y - ny],
  ]
    .map(([x = 0, y = 0]) => `${round(x)},${round(y)}`)
    .join(' ');
}
