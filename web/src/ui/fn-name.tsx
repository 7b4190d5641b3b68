import { displayName, splitName } from '../logic/names/names';

/** A function's short name; where room is short the path before it goes first, the function itself stays. */
export function FnName({ name }: { readonly name: string }) {
  const [path, end] = splitName(displayName(name));
  return (
    <bdi class="mono name fn-name">
      {path !== '' && <span class="fn-path">{path}</span>}
      <span class="fn-end">{end}</span>
    </bdi>
  );
}
