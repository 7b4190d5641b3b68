/** A name without leading dots and arguments, as pprof prunes by it. */
export function simpleName(name: string): string {
  const bare = name.replace(/^\.+/, '');
  for (let at = bare.indexOf('('); at >= 0; at = bare.indexOf('(', at + 1)) {
    const isName = bare.startsWith('(anonymous namespace)', at) || (bare.slice(0, at).endsWith('operator') && bare.startsWith('()', at));
    if (!isName) return bare.slice(0, at);
  }
  return bare;
}
