/** Estimate: how many people of a property meet a condition, by a sample of them. */

/** What was seen: so many of the people who were looked at meet the condition. */
export interface Sample {
  /** People who were looked at, drawn without replacement, each as likely as any other. */
  readonly size: number;
  /** Those of them who meet the condition. */
  readonly matches: number;
  /** All people: exact. */
  readonly population: number;
}

/** A number of people: the most plausible one, and the bounds of 95 %. */
export interface Estimate {
  readonly count: number;
  readonly low: number;
  readonly high: number;
}

/** The share of samples whose bounds miss the true number on one side: 2.5 %. */
const MISSED = 0.025;

/**
 * The estimate by a sample. The bounds are all numbers that the sample does not refute: those with which a sample has so many
 * matches or more, and so many or fewer, in more than 2.5 % of all samples (exact hypergeometric bounds; J. P. Buonaccorsi, A
 * Note on Confidence Intervals for Proportions in Finite Populations, The American Statistician 41, 1987). So they hold
 * for at least 95 % of samples, whatever the true number is. Whoever looked at everybody knows it.
 */
export const estimateOf = ({ size, matches, population }: Sample): Estimate => {
  const share = size === 0 ? 0 : matches / size;
  const high = mostOf({ size, matches, population });
  // Who does not meet the condition is counted the same way.
  const low = population - mostOf({ size, matches: size - matches, population });
  return { count: Math.min(high, Math.max(low, Math.round(share * population))), low, high };
};

/** The largest number of people who may meet the condition. It is at most that of those who were not seen to fail. */
const mostOf = ({ size, matches, population }: Sample): number => {
  let most = matches;
  let refuted = population - (size - matches) + 1;
  while (refuted - most > 1) {
    const tried = Math.floor((most + refuted) / 2);
    if (chanceOfAtMost({ size, matches, population }, tried) > MISSED) most = tried;
    else refuted = tried;
  }
  return most;
};

/** Terms smaller than this do not change a chance. */
const NEGLIGIBLE = 1e-12;

/** The chance that a sample has at most so many matches where `members` of the population meet the condition. */
const chanceOfAtMost = ({ size, matches, population }: Sample, members: number): number => {
  const others = population - members;
  const logAll = logChoose(population, size);
  let log = logChoose(members, matches) + logChoose(others, size - matches) - logAll;
  let chance = 0;
  for (let found = matches; found >= 0 && size - found <= others; found -= 1) {
    const term = Math.exp(log);
    chance += term;
    // The terms grow up to the expected number of matches, and fall below it.
    if (term < NEGLIGIBLE && found * population < size * members) break;
    log += Math.log((found * (others - size + found)) / ((members - found + 1) * (size - found + 1)));
  }
  return chance;
};

const logChoose = (all: number, chosen: number): number =>
  logFactorial(all) - logFactorial(chosen) - logFactorial(all - chosen);

/** From here on, the series is exact to 14 digits. */
const LARGE = 20;

const small: readonly number[] = Array.from({ length: LARGE }).reduce<readonly number[]>(
  (logs, _, index) => [...logs, index === 0 ? 0 : (logs[index - 1] ?? 0) + Math.log(index)],
  [],
);

/** The logarithm of `n!`, by Stirling's series (NIST Digital Library of Mathematical Functions, 5.11.1). */
const logFactorial = (n: number): number =>
  small[n] ??
  (n + 0.5) * Math.log(n) -
    n +
    Math.log(2 * Math.PI) / 2 +
    1 / (12 * n) -
    1 / (360 * n ** 3) +
    1 / (1_260 * n ** 5);
