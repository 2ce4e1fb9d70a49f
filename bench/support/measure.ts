/** Measure: runs work many times, and times it. */

/** Times of many calls. */
export interface Load {
  readonly calls: number;
  readonly seconds: number;
  /** Milliseconds of each call, sorted. */
  readonly latencies: readonly number[];
}

/** Runs `work` for 0 … `calls` − 1, `atOnce` at a time. */
export const load = async (
  calls: number,
  atOnce: number,
  work: (index: number) => Promise<unknown>,
): Promise<Load> => {
  const latencies: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < calls; index = next++) {
      const started = performance.now();
      await work(index);
      latencies.push(performance.now() - started);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: Math.min(atOnce, calls) }, worker));
  const seconds = (performance.now() - started) / 1000;
  return { calls, seconds, latencies: latencies.toSorted((a, b) => a - b) };
};

/** Calls a second. */
export const rateOf = ({ calls, seconds }: Load): number => calls / seconds;

/** The latency below which a share of the calls stays. */
export const quantile = ({ latencies }: Load, share: number): number =>
  latencies[Math.max(0, Math.ceil(share * latencies.length) - 1)] ?? NaN;

/** The middle value, or the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [below, above] = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)];
  return ((sorted[below] ?? NaN) + (sorted[above] ?? NaN)) / 2;
};

/** The middle of some values, with the least and the greatest. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** The spread of some values. */
export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
});

/** Runs work, and returns its result with its seconds. */
export const timed = async <T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> => {
  const started = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - started) / 1000 };
};

/**
 * Runs two loads in turn, a few rounds each, so that a busy machine slows both alike. Returns all calls of each as one
 * load, and the spread of the ratios of the pairs. The first round of each warms up and is not counted.
 */
export const interleaved = async (
  rounds: number,
  one: (round: number) => Promise<Load>,
  other: (round: number) => Promise<Load>,
): Promise<{ readonly one: Load; readonly other: Load; readonly ratio: Spread }> => {
  const loads: { one: Load; other: Load }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { one: await one(round), other: await other(round) };
    if (round > 0) loads.push(pair);
  }
  return {
    one: joined(loads.map((pair) => pair.one)),
    other: joined(loads.map((pair) => pair.other)),
    ratio: spreadOf(loads.map((pair) => perCall(pair.one) / perCall(pair.other))),
  };
};

/** Seconds of a call, with calls side by side. */
const perCall = ({ calls, seconds }: Load): number => seconds / calls;

const joined = (loads: readonly Load[]): Load => ({
  calls: loads.reduce((sum, { calls }) => sum + calls, 0),
  seconds: loads.reduce((sum, { seconds }) => sum + seconds, 0),
  latencies: loads.flatMap(({ latencies }) => latencies).toSorted((a, b) => a - b),
});
