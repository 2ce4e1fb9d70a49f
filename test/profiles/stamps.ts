import { stampOf } from '../../shared/profiles/hybrid-timestamp.ts';

/** How the times of the plain model stand for stamps, and back. */
export interface StampMap {
  readonly stampFor: (time: number) => string;
  readonly timeFor: (stamp: string) => number;
}

const START = Date.UTC(2026, 0, 15, 11);
/** Histories have ten records at most. */
const TIMES = Array.from({ length: 20 }, (_, time) => time);

const mapOf = (stampFor: (time: number) => string): StampMap => {
  const times = new Map(TIMES.map((time) => [stampFor(time), time]));
  return { stampFor, timeFor: (stamp) => times.get(stamp) ?? Number.NaN };
};

/** Three records share a millisecond, as rows of one file do. */
const stampFor = (time: number): string => stampOf(START + Math.floor(time / 3), time % 3);
export const straight = mapOf(stampFor);

/**
 * Stamps that compare the other way: every digit is taken from nine, so of two stamps the larger becomes the smaller. To
 * give these to the system is to turn its comparison of stamps round, everywhere at once; and `timeFor` turns what it
 * stores back, so that nothing else differs.
 */
export const turned = mapOf((time) => stampFor(time).replace(/\d/g, (digit) => String(9 - Number(digit))));
