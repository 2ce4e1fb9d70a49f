/** Hybrid timestamps: the order of the versions of a value. */
/**
 * A hybrid timestamp orders the versions of a value: 13 digits of epoch milliseconds, a dot, 9 digits of order
 * within that millisecond (the row of a file or batch). Strings compare as times do. The timestamp is fixed at
 * acceptance, so redelivery never changes it.
 */
export type HybridTimestamp = string;

const MS_DIGITS = 13;
const ORDER_DIGITS = 9;
const ORDERS = 10 ** ORDER_DIGITS;

/** The timestamp of the `order`-th record (from 0) accepted at `ms` (epoch milliseconds). */
export const stampOf = (ms: number, order = 0): HybridTimestamp =>
  `${String(ms).padStart(MS_DIGITS, '0')}.${String(order).padStart(ORDER_DIGITS, '0')}`;

/** The acceptance time in a timestamp, in epoch milliseconds. */
export const stampTime = (stamp: HybridTimestamp): number => Number(stamp.slice(0, MS_DIGITS));

/** A timestamp older than every record, for tombstones of nobody. */
export const NEVER: HybridTimestamp = stampOf(0);

/** The smallest timestamp after this one. */
const nextStamp = (stamp: HybridTimestamp): HybridTimestamp => {
  const ms = stampTime(stamp);
  const order = Number(stamp.slice(MS_DIGITS + 1)) + 1;
  return order < ORDERS ? stampOf(ms, order) : stampOf(ms + 1);
};

/** The smallest timestamp that is not before this one and that is after all the others. */
export const raisedAbove = (
  others: readonly (HybridTimestamp | undefined)[],
  stamp: HybridTimestamp,
): HybridTimestamp =>
  others.reduce<HybridTimestamp>(
    (least, other) => (other !== undefined && other >= least ? nextStamp(other) : least),
    stamp,
  );

/** Whether a text is a timestamp. */
export const isStamp = (text: string): boolean => /^\d{13}\.\d{9}$/.test(text);
