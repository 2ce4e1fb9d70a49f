/** Milliseconds since the Unix epoch. Callers pass the clock, so that a test decides the time. */
export type Clock = () => number;

/** The machine's own clock. */
export const systemClock: Clock = () => Date.now();

/** Epoch milliseconds as ISO 8601 UTC with `Z`, the form of every time in a response. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Seconds in a day, for the retention times that DynamoDB counts in seconds. */
export const DAY_SECONDS = 86_400;
