/**
 * Scale: how much the slow tests try. `npm run test:full` tries everything, `npm test` tries a sample of it. No test is
 * left out of the sample.
 */
/** Whether this run tries everything. */
export const isFull = process.env['TEST_SCALE'] === 'full';

/**
 * How many cases a test tries. The environment variable of the given name overrides both numbers, for example to replay a
 * failure or to search longer.
 */
export const casesOf = (variable: string, { full, sample }: { full: number; sample: number }): number =>
  Number(process.env[variable] ?? (isFull ? full : sample));

/** All items in `npm run test:full`; otherwise the first item and every `step`-th item after it. */
export const sampleOf = <T>(all: readonly T[], step: number): readonly T[] =>
  isFull ? all : all.filter((_, index) => index % step === 0);

/** How many states of a scene a model checker visits. The sample goes deep first, so that it reaches ends. */
export const sampledStates = casesOf('MODEL_STATES', { full: Infinity, sample: 2_500 });
