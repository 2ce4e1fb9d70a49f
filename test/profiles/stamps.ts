import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';

/** Maps the times of the plain model to stamps, and back. */
export interface StampMap {
  readonly stampFor: (time: number) => string;
  readonly timeFor: (stamp: string) => number;
}

const START = Date.UTC(2026, 0, 15, 11);

/** Histories have at most ten records. */
const TIMES = Array.from({ length: 20 }, (_, time) => time);

const mapOf = (stampFor: (time: number) => string): StampMap => {
  const times = new Map(TIMES.map((time) => [stampFor(time), time]));
  return { stampFor, timeFor: (stamp) => times.get(stamp) ?? Number.NaN };
};

/** Three records share a millisecond, as rows of one file do. */
const stampFor = (time: number): string => stampOf(START + Math.floor(time / 3), time % 3);
export const straight = mapOf(stampFor);

/**
 * Stamps in reverse order: every digit is subtracted from nine, so the larger of two stamps becomes the smaller. A test
 * that gives these stamps to the service reverses every comparison of stamps at once. `timeFor` maps the stored stamps
 * back, so nothing else differs.
 */
export const turned = mapOf((time) => stampFor(time).replace(/\d/g, (digit) => String(9 - Number(digit))));
