/** Strictness: the limits of AWS that the embedded cloud imitates on request, because they slow down a laptop. */

/** Request units that a table serves in a second. */
export interface TableUnits {
  readonly write: number;
  readonly read: number;
}

/** Milliseconds that a call to a table takes in the median, and at most in 99 of 100 calls. */
export interface LatencyRange {
  readonly p50: number;
  readonly p99: number;
}

/** The limits to imitate. Without a limit, the embedded cloud is kinder than AWS in this respect. */
export interface Strictness {
  /** Each table throttles beyond these units. */
  readonly tableUnits?: TableUnits;
  /** AWS calls and cold starts take the time that they take in AWS. */
  readonly latency?: LatencyRange;
  /** A message whose function failed stays invisible for the visibility timeout of the template. */
  readonly realVisibility?: boolean;
  /** Functions and mappings are as wide as the template says, up to this number of concurrent executions in all. */
  readonly realConcurrency?: number;
}

/**
 * The limits of a new AWS account.
 *
 * - Table: a new on-demand table serves 4,000 writes and 12,000 reads a second ("Pre-warming a table for on-demand
 *   capacity mode", DynamoDB Developer Guide).
 * - Latency: DynamoDB answers in single-digit milliseconds; 4 and 10 ms are the times of an SDK in the same region.
 * - Concurrency: "New AWS accounts have reduced concurrency and memory quotas" (Lambda quotas); it is 10 in practice.
 */
export const newAccount = {
  tableUnits: { write: 4_000, read: 12_000 },
  latency: { p50: 4, p99: 10 },
  realVisibility: true,
  realConcurrency: 10,
} as const satisfies Required<Strictness>;

/** Reads `<write>:<read>`, both positive whole numbers. Returns undefined for another text. */
export const parseTableUnits = (text: string): TableUnits | undefined => {
  const [, write, read] = /^(\d{1,9}):(\d{1,9})$/.exec(text) ?? [];
  const units = { write: Number(write), read: Number(read) };
  return units.write > 0 && units.read > 0 ? units : undefined;
};

/** Reads `<p50>:<p99>` in milliseconds, the second not below the first. Returns undefined for another text. */
export const parseLatency = (text: string): LatencyRange | undefined => {
  const [, p50, p99] = /^(\d{1,5}(?:\.\d{1,3})?):(\d{1,5}(?:\.\d{1,3})?)$/.exec(text) ?? [];
  const range = { p50: Number(p50), p99: Number(p99) };
  return range.p50 > 0 && range.p99 >= range.p50 ? range : undefined;
};

/** Reads a positive number of concurrent executions. Returns undefined for another text. */
export const parseConcurrency = (text: string): number | undefined => {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return count > 0 ? count : undefined;
};
