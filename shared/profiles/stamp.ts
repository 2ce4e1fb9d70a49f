import type { Stamp } from './types.ts';

const MS_DIGITS = 13;
const ORDER_DIGITS = 9;
const ORDERS = 10 ** ORDER_DIGITS;

/** The stamp of the `order`-th record (from 0) accepted at `ms` (epoch milliseconds). */
export const stampOf = (ms: number, order = 0): Stamp =>
  `${String(ms).padStart(MS_DIGITS, '0')}.${String(order).padStart(ORDER_DIGITS, '0')}`;

/** When what a stamp was given to had been accepted, in epoch milliseconds. */
export const stampTime = (stamp: Stamp): number => Number(stamp.slice(0, MS_DIGITS));

/** Older than every record: the stamp of a tombstone that stands for nobody. */
export const NEVER: Stamp = stampOf(0);

/** The smallest stamp after this one. */
const nextStamp = (stamp: Stamp): Stamp => {
  const ms = stampTime(stamp);
  const order = Number(stamp.slice(MS_DIGITS + 1)) + 1;
  return order < ORDERS ? stampOf(ms, order) : stampOf(ms + 1);
};

/** The smallest stamp that is not before this one, and after all others that there are. */
export const raisedAbove = (others: readonly (Stamp | undefined)[], stamp: Stamp): Stamp =>
  others.reduce<Stamp>(
    (least, other) => (other !== undefined && other >= least ? nextStamp(other) : least),
    stamp,
  );

/** Whether a text is a stamp. */
export const isStamp = (text: string): boolean => /^\d{13}\.\d{9}$/.test(text);
