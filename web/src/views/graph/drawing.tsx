import { memo } from '../../ui/memo';
import type { Row } from '../../api/types';
import { diffStep, hueOf, N_DIFF_STEPS } from '../../logic/color';
import { edgeWidth, shownTags } from '../../logic/graph/dot';
import { numberAt } from '../../logic/number-at';
import { formatExact } from '../../logic/text/format';
import { arrowHead, type EdgePlace } from '../../logic/graph/geometry';
import { baselines, edgeText, tagText, type NodeBox } from '../../logic/graph/node-text';
import type { GraphStep } from '../../logic/graph/walk';
import { functionOf } from '../../logic/names/names';
import { measureWith } from '../../logic/text/text-fit';
import type { PlacedGraph } from './use-layout';

interface Props {
  readonly placed: PlacedGraph;
  readonly selected: string;
  readonly matches: Uint8Array | undefined;
  readonly onSelect: (row: Row) => void;
  readonly onFocus: (row: Row) => void;
  /** An arrow key on a node. */
  readonly onWalk: (node: number, step: GraphStep) => void;
  readonly onMenu: (row: Row, x: number, y: number) => void;
}

/** Edges, then labels of edges, then nodes. Names are text nodes, so markup in them is not interpreted. */
export const GraphDrawing = memo(
  function GraphDrawing(props: Props) {
    const {
      placed: { report, geometry },
    } = props;
    return (
      <>
        <g class="edges">
          {report.edges.from.map((_, i) => (
            <Edge key={i} {...props} edge={i} />
          ))}
          {shownTags(report).map((tag) => (
            <Curve key={`t${tag}`} place={geometry.edges.get(`t${tag}`)} width={1} kind="edge tag-edge" />
          ))}
        </g>
        {shownTags(report).map((tag) => (
          <Tag key={tag} {...props} tag={tag} />
        ))}
        <g class="nodes">
          {report.row.map((row, i) => (
            <Node key={row.name} {...props} row={row} node={i} />
          ))}
        </g>
      </>
    );
  },
  (a, b) => a.placed === b.placed && a.selected === b.selected && a.matches === b.matches,
);

function Curve({ place, width, kind }: { readonly place: EdgePlace | undefined; readonly width: number; readonly kind: string }) {
  if (place === undefined) return null;
  return (
    <g class={kind}>
      <path d={place.path} stroke-width={width} />
      <polygon points={arrowHead(place.from, place.tip, 2.2 + width * 0.7)} />
    </g>
  );
}

const ARROWS: Readonly<Record<string, GraphStep>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };
const NO_WIDTHS = measureWith(() => 0);

function Edge({ placed: { report, geometry }, selected, edge }: Props & { readonly edge: number }) {
  const place = geometry.edges.get(`e${edge}`);
  const [from, to] = [report.row[numberAt(report.edges.from, edge)], report.row[numberAt(report.edges.to, edge)]];
  if (place === undefined || from === undefined || to === undefined) return null;
  const { edges, header } = report;
  const [value, base] = [numberAt(edges.value, edge), numberAt(edges.base, edge)];
  const touched = selected !== '' && (functionOf(from) === selected || functionOf(to) === selected);
  const kind = [
    'edge',
    numberAt(edges.residual, edge) === 0 ? '' : 'residual',
    touched ? 'touched' : '',
    header.has_base ? `diff-${diffStep(value, base) + N_DIFF_STEPS}` : '',
  ].join(' ');
  const residual = numberAt(edges.residual, edge) === 0 ? '' : ', over functions not shown';
  return (
    <g>
      <title>{`${functionOf(from)} → ${functionOf(to)}: ${formatExact(value, header.unit)}${residual}`}</title>
      <Curve place={place} width={edgeWidth(value, header.value_total)} kind={kind} />
      {place.label !== undefined && (
        <text class={touched ? 'edge-label touched' : 'edge-label'} x={place.label.x} y={place.label.y + 4}>
          {edgeText(report, edge, NO_WIDTHS).text}
        </text>
      )}
    </g>
  );
}

function Tag({ placed: { report, geometry }, tag }: Props & { readonly tag: number }) {
  const place = geometry.nodes.get(`t${tag}`);
  if (place === undefined) return null;
  const text = tagText(report, tag);
  const width = text.length * 6.2 + 10;
  return (
    <g class="graph-tag">
      <rect x={place.x - width / 2} y={place.y - 10} width={width} height={20} rx={10} />
      <text x={place.x} y={place.y + 4}>
        {text}
      </text>
    </g>
  );
}

function Node({
  placed: { report, nodes, geometry },
  selected,
  matches,
  row,
  node,
  onSelect,
  onFocus,
  onWalk,
  onMenu,
}: Props & { readonly row: Row; readonly node: number }) {
  const place = geometry.nodes.get(`n${node}`);
  const box = nodes[node];
  if (place === undefined || box === undefined) return null;
  const { header } = report;
  const { width, height } = box.size;
  const name = functionOf(row);
  const diff = header.has_base ? `diff-${diffStep(numberAt(report.cum, node), numberAt(report.cum_base, node)) + N_DIFF_STEPS}` : '';
  const hit = matches === undefined ? '' : numberAt(matches, node) === 1 ? 'hit' : 'miss';
  // Speech input needs an accessible name that begins with the visible text.
  const seen = box.lines.map((line) => line.text).join(' ');
  const onKeyDown = (event: KeyboardEvent): void => {
    const rect = event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : undefined;
    const step = ARROWS[event.key];
    if (step !== undefined) onWalk(node, step);
    else if (event.key === ' ') onSelect(row);
    else if (event.key === 'Enter') onFocus(row);
    else if (event.key === 'm') onMenu(row, rect?.left ?? 0, rect?.bottom ?? 0);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <g
      class={`node ${diff} ${hit} ${name === selected ? 'selected' : ''}`}
      transform={`translate(${place.x - width / 2} ${place.y - height / 2})`}
      tabIndex={0}
      role="button"
      aria-label={`${seen}: ${name}, ${formatExact(numberAt(report.flat, node), header.unit)} itself, ${formatExact(numberAt(report.cum, node), header.unit)} with callees`}
      data-node={name}
      onClick={() => {
        onSelect(row);
      }}
      onFocus={() => {
        if (name !== selected) onSelect(row);
      }}
      onDblClick={() => {
        onFocus(row);
      }}
      onKeyDown={onKeyDown}
      onContextMenu={(e) => {
        e.preventDefault();
        onMenu(row, e.clientX, e.clientY);
      }}
    >
      <title>{name}</title>
      <NodeBody row={row} box={box} />
    </g>
  );
}

/** Box, share, colour and text of a node. */
function NodeBody({ row, box }: { readonly row: Row; readonly box: NodeBox }) {
  const { width, height } = box.size;
  const ys = baselines(box);
  return (
    <>
      <rect class="node-box" width={width} height={height} rx={5} />
      <rect class="node-share" y={height - 3} width={width * box.share} height={3} rx={1.5} />
      <rect class={`node-hue hue-${hueOf(row)}`} width={4} height={height} rx={2} />
      {box.lines.map((line, i) => (
        <text key={line.kind + String(i)} class={`node-${line.kind}`} x={width / 2} y={ys[i]} font-size={line.size}>
          {`${line.text} `}
        </text>
      ))}
    </>
  );
}
