interface Props {
  readonly mouse: string;
  readonly touch: string;
}

/** A hint in the words of the device: styles show the one that fits. */
export function MouseOrTouch({ mouse, touch }: Props) {
  return (
    <>
      <span class="for-mouse">{mouse}</span>
      <span class="for-touch">{touch}</span>
    </>
  );
}
