import { displayName, splitName } from '../logic/names/names';

/** A function's short name; in a narrow column its path is cut first, the function name stays. */
export function FunctionName({ name }: { readonly name: string }) {
  const [path, end] = splitName(displayName(name));
  return (
    <bdi class="mono name fn-name">
      {path !== '' && <span class="fn-path">{path}</span>}
      <span class="fn-end">{end}</span>
    </bdi>
  );
}
