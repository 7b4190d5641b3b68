import type {
  AccessesReport,
  FlameReport,
  GraphReport,
  GrowthReport,
  Meta,
  PeekReport,
  Rules,
  Share,
  SizesReport,
  SourceReport,
  StartList,
  SummaryReport,
  TagsReport,
  TopReport,
  TypesReport,
} from './types';

/** Type guards for answers: they distinguish kinds, and do not validate every field. */

export type Tagged<K extends string, R> = R & { readonly kind: K };
export type AnyReport =
  | Tagged<'summary', SummaryReport>
  | Tagged<'top', TopReport>
  | Tagged<'flame', FlameReport>
  | Tagged<'graph', GraphReport>
  | Tagged<'peek', PeekReport>
  | Tagged<'sizes', SizesReport>
  | Tagged<'source', SourceReport>
  | Tagged<'types', TypesReport>
  | Tagged<'growth', GrowthReport>;

function has(body: unknown, ...keys: readonly string[]): boolean {
  return typeof body === 'object' && body !== null && keys.every((key) => key in body);
}

function hasKind(body: unknown, kind: string): boolean {
  return typeof body === 'object' && body !== null && Reflect.get(body, 'kind') === kind;
}

export function isPeek(body: unknown): body is Tagged<'peek', PeekReport> {
  return hasKind(body, 'peek') && has(body, 'header', 'entry');
}

export function isAccesses(body: unknown): body is Tagged<'accesses', AccessesReport> {
  return hasKind(body, 'accesses') && has(body, 'header', 'site');
}

export function isTop(body: unknown): body is Tagged<'top', TopReport> {
  return hasKind(body, 'top') && has(body, 'header', 'row', 'flat', 'cum');
}

/** Boxes for a table of the tree: only those that are open have others below them. */
export function isTree(report: FlameReport): boolean {
  return report.closed.length > 0;
}

export function isSource(body: unknown): body is Tagged<'source', SourceReport> {
  return hasKind(body, 'source') && has(body, 'header', 'entry');
}

export function isGrowth(body: unknown): body is Tagged<'growth', GrowthReport> {
  return hasKind(body, 'growth') && has(body, 'header', 'dump', 'row', 'total');
}

export function isTypes(body: unknown): body is Tagged<'types', TypesReport> {
  return hasKind(body, 'types') && has(body, 'header', 'row', 'rest');
}

export function isReport(body: unknown): body is AnyReport {
  return (
    isTop(body) ||
    isPeek(body) ||
    (hasKind(body, 'summary') && has(body, 'header', 'total', 'culprit', 'package')) ||
    (hasKind(body, 'flame') && has(body, 'header', 'row', 'node', 'depth', 'cum', 'id')) ||
    (hasKind(body, 'graph') && has(body, 'header', 'row', 'flat', 'cum', 'edges')) ||
    (hasKind(body, 'sizes') && has(body, 'header', 'row', 'class')) ||
    isTypes(body) ||
    isGrowth(body) ||
    isSource(body)
  );
}

export function isTags(body: unknown): body is Tagged<'tags', TagsReport> {
  return hasKind(body, 'tags') && has(body, 'header', 'tag');
}

export function isRules(body: unknown): body is Rules {
  return has(body, 'kinds', 'rule', 'toml');
}

export function isShare(body: unknown): body is Share {
  return has(body, 'addresses', 'token', 'command');
}

export function isStartList(body: unknown): body is StartList {
  return has(body, 'folder', 'here', 'recent', 'is_cut');
}

export function isMeta(body: unknown): body is Meta {
  return has(body, 'version', 'instance', 'query', 'file', 'dumps', 'value_types', 'symbols', 'warnings');
}
