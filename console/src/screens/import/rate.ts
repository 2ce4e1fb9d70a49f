/** How fast a number grows, as a plain function. */

/** A number at a time in milliseconds. */
export interface Sample {
  readonly at: number;
  readonly done: number;
}

/** The growth a second between the oldest and the newest sample of the last 15 seconds; `undefined` before there are two. */
export const rateOf = (samples: readonly Sample[]): number | undefined => {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < 900) return undefined;
  return (1_000 * (last.done - first.done)) / (last.at - first.at);
};
