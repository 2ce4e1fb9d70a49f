/** Milliseconds since the Unix epoch. Callers pass the clock, so that a test decides the time. */
export type Clock = () => number;

/** The machine's own clock. */
export const systemClock: Clock = () => Date.now();

/** Epoch milliseconds as ISO 8601 UTC with `Z`, the form of every time in a response. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Milliseconds in a minute. */
export const MINUTE_MS = 60_000;

/** Milliseconds in an hour. */
export const HOUR_MS = 60 * MINUTE_MS;

/** Milliseconds in a day. */
export const DAY_MS = 24 * HOUR_MS;

/** The `ttl` of an item that nobody needs after a time (epoch milliseconds). DynamoDB counts in whole seconds. */
export const ttlAt = (time: number): number => Math.ceil(time / 1_000);
