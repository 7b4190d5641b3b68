/** A bar as wide as a share of the whole, in the colour class `hue`. */
export function ShareBar({ share, hue }: { readonly share: number; readonly hue: string }) {
  return (
    <span class="share-bar" aria-hidden="true">
      <i class={hue} style={{ width: `${Math.min(1, share) * 100}%` }} />
    </span>
  );
}
