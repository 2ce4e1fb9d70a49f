/** Finds the segments that somebody may have meant by a name that no segment has. */
import type { SegmentRef } from '../expression/types.ts';
import { editDistance } from './nearest.ts';
import type { SizedSegment } from './tree.ts';

const MOST = 5;

/** Letters of a name of which a part of a longer name may begin with it. */
const LEAST_LETTERS = 3;

/**
 * The segments near a name: those whose name, or a part of it (`Berlin` in `Berlin, DE`, `65+` in `Age: 65+`), is the same
 * without case and accents; then those with few typing errors; then those with a word that begins so. Of equally near ones
 * those of the type that was said come first, then those with the most people. Five at most.
 */
export const nearSegments = <Sized extends SizedSegment>(
  ref: Extract<SegmentRef, { readonly kind: 'name' }>,
  segments: readonly Sized[],
): readonly Sized[] => {
  const wanted = [ref.name, ...unknownPrefix(ref)].map(folded);
  return segments
    .filter(({ type }) => type !== 'moment' || ref.type === type)
    .map((segment) => ({ segment, far: Math.min(...wanted.map((name) => distanceOf(name, segment.name))) }))
    .filter(({ far }) => far < Infinity)
    .toSorted(
      (one, other) =>
        one.far - other.far ||
        Number(other.segment.type === ref.type) - Number(one.segment.type === ref.type) ||
        (other.segment.count ?? 0) - (one.segment.count ?? 0),
    )
    .slice(0, MOST)
    .map(({ segment }) => segment);
};

/** The name behind a prefix that is no type: `tags:Jazz`. */
const unknownPrefix = ({ name }: { readonly name: string }): readonly string[] =>
  /^[A-Za-z]+:\s*(\S.*)$/.exec(name)?.slice(1) ?? [];

/** Without case and accents; `ü` and `ue` are the same, as in names that were typed on another keyboard. */
const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[øœ]/g, 'o')
    .replaceAll('æ', 'a')
    .replaceAll(/([aou])e/g, '$1')
    .trim();

/** 0: the name or a part of it; the number of typing errors; then a word that begins so. Infinity: not near. */
const distanceOf = (wanted: string, name: string): number => {
  const whole = folded(name);
  const parts = [whole, ...whole.split(/, |: | > /)];
  if (wanted === '') return Infinity;
  if (parts.includes(wanted)) return 0;
  const errors = Math.min(...parts.map((part) => errorsBetween(wanted, part)));
  if (errors < Infinity) return errors;
  const begins = whole.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted));
  return begins && wanted.length >= LEAST_LETTERS ? wanted.length : Infinity;
};

/** Typing errors, if there are no more than a third of the letters and something else is left. */
const errorsBetween = (wanted: string, part: string): number => {
  const bound = Math.max(1, Math.floor(wanted.length / 3));
  if (Math.abs(wanted.length - part.length) > bound) return Infinity;
  const errors = editDistance(wanted, part);
  return errors <= bound && errors < Math.min(wanted.length, part.length) - 1 ? errors : Infinity;
};
