/** How fast a number grows. */
import { useRef } from 'preact/hooks';

/** A number at a time in milliseconds. */
interface Sample {
  readonly at: number;
  readonly done: number;
}

/** The time over which the rate is taken: long enough for a steady number, short enough to notice a change. */
const WINDOW_MS = 15_000;

/** The growth a second between the oldest and the newest sample of the last 15 seconds; `undefined` before there are two. */
export const rateOf = (samples: readonly Sample[]): number | undefined => {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < 900) return undefined;
  return (1_000 * (last.done - first.done)) / (last.at - first.at);
};

/** The growth of `done` a second, as far as this part has seen it. */
export const useRate = (done: number): number | undefined => {
  const samples = useRef<readonly Sample[]>([]);
  const at = performance.now();
  const last = samples.current.at(-1);
  if (last === undefined || at - last.at >= 500)
    samples.current = [...samples.current.filter((one) => at - one.at <= WINDOW_MS), { at, done }];
  return rateOf(samples.current);
};
