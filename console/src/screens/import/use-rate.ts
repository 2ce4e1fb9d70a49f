/** How fast a number grows. */
import { useRef } from 'preact/hooks';
import { rateOf, type Sample } from './rate.ts';

/** The time over which the rate is taken: long enough for a steady number, short enough to notice a change. */
const WINDOW_MS = 15_000;

/** The growth of `done` a second, as far as this part has seen it. */
export const useRate = (done: number): number | undefined => {
  const samples = useRef<readonly Sample[]>([]);
  const at = performance.now();
  const last = samples.current.at(-1);
  if (last === undefined || at - last.at >= 500)
    samples.current = [...samples.current.filter((one) => at - one.at <= WINDOW_MS), { at, done }];
  return rateOf(samples.current);
};
