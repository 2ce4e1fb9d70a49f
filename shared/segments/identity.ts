import { scopedId } from '../table/scoped-ids.ts';
import type { Segment, SegmentIdentity } from './types.ts';

/** The built-in segment of all profiles: the base of every `not`. */
export const everyone: SegmentIdentity = { type: 'everyone', path: [], name: 'everyone' };

/** The id of `everyone`: the first of each property, never claimed in the catalogue. */
export const everyoneId = (property: number): number => scopedId(property, 1);

/** `everyone` of a property as the catalogue answers it. */
export const everyoneOf = (property: number): Segment => ({ ...everyone, id: everyoneId(property) });

/** A segment's identity as one string: equal keys, same segment. */
export const identityKey = ({ type, path, name }: SegmentIdentity): string =>
  JSON.stringify([type, path, name]);

/** A value as segments name it: trimmed, NFC; undefined when nothing is left. */
export const segmentName = (value: string | null): string | undefined => {
  const name = value?.normalize('NFC').trim();
  return name === '' ? undefined : name;
};

/** A name as the lookup compares it: two names that differ only in case or Unicode form fold to one string. */
export const foldName = (name: string): string =>
  // Upper before lower: ß and ss, final and inner sigma fold together.
  name.normalize('NFC').trim().toUpperCase().toLowerCase().normalize('NFC');
