import { sparkPath } from '../logic/timeline/sparkline';

interface Props {
  readonly values: readonly number[];
  readonly places: readonly number[];
  readonly hue: string;
}

const [WIDTH, HEIGHT] = [64, 18];

/** A word-sized line chart. */
export function Sparkline({ values, places, hue }: Props) {
  const { line, area } = sparkPath(values, places, WIDTH, HEIGHT);
  return (
    <svg class={`sparkline ${hue}`} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path class="spark-area" d={area} />
      <path class="spark-line" d={line} />
    </svg>
  );
}
