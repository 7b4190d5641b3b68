interface Props {
  readonly mouse: string;
  readonly touch: string;
}

/** A hint for mouse or touch; styles show the one that fits the device. */
export function MouseOrTouch({ mouse, touch }: Props) {
  return (
    <>
      <span class="for-mouse">{mouse}</span>
      <span class="for-touch">{touch}</span>
    </>
  );
}
