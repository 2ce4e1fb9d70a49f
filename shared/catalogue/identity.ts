/**
 * Segment identity: the built-in segments, the keys under which segments are claimed and compared, and which kind
 * of segment one is.
 */
import { hash } from 'node:crypto';
import type { ConsentState } from '../profiles/consent.ts';
import type { Referent } from '../references/references.ts';
import { visibleLine } from '../runtime/visible-text.ts';
import { keys } from '../table/keys.ts';
import { scopedId } from '../table/scoped-ids.ts';
import type { HiddenType, IndexedIdentity, Segment, SegmentIdentity, SegmentType } from './types.ts';

/** The built-in segment of all profiles: the base of every `not`. */
export const everyone: SegmentIdentity = { type: 'everyone', path: [], name: 'everyone' };

/** The segment of the people who have given or withdrawn their consent on a channel. */
export const consentSegment = (channel: string, state: ConsentState): SegmentIdentity => ({
  type: 'consent',
  path: ['Consent', channel],
  name: `${channel}: ${state}`,
});

/** The id of `everyone`: the first id of each property. It is never claimed. */
export const everyoneId = (property: number): number => scopedId(property, 1);

/** The segment `everyone` of a property. */
export const everyoneOf = (property: number): Segment => ({ ...everyone, id: everyoneId(property) });

/** Whether a segment is in the catalogue, and not only in the index. */
export const isShown = (identity: IndexedIdentity): identity is SegmentIdentity =>
  identity.type !== 'calendar';

/** The identity of a segment as one string. Two identities with the same key are the same segment. */
export const identityKey = ({ type, path, name, key }: IndexedIdentity): string =>
  key ?? JSON.stringify([type, path, name]);

/** A segment with its key. */
export type Keyed = readonly [key: string, identity: SegmentIdentity];

export const keyed = (identity: SegmentIdentity): Keyed => [identityKey(identity), identity];

/** A value as the name of a segment: as people see it (`visibleLine`); undefined when nothing is visible. */
export const segmentName = (value: string | null): string | undefined => {
  const name = value === null ? '' : visibleLine(value);
  return name === '' ? undefined : name;
};

/** A name for comparisons: names that differ only in case, spaces or invisible characters fold to one string. */
export const foldName = (name: string): string =>
  // Upper before lower: ß and ss, final and inner sigma fold together.
  (segmentName(name) ?? '').toUpperCase().toLowerCase().normalize('NFC');

/** The key of an identity's claim. */
export const claimKey = (property: number, identity: SegmentIdentity) =>
  claimOf(property, identityKey(identity));

/** The key of the claim on an identity key. */
export const claimOf = (property: number, key: string) => keys.segmentClaim(property, hash('sha256', key));

/** The key of a segment in the partition of its name. */
export const nameKey = (property: number, name: string, segment: number) =>
  keys.segmentByName(property, hash('sha256', foldName(name)), segment);

/**
 * Types of the segments that follow from one value of a profile. A client may delete such a segment while it has no
 * members. Brands and categories are no such types: their ids belong to the brand catalogue.
 */
const valueTypes: ReadonlySet<string> = new Set<SegmentType>([
  'tag',
  'source',
  'demographic',
  'location',
  'consent',
]);

/** Whether a segment is a value segment. */
export const isValueSegment = ({ type }: { readonly type: SegmentType | HiddenType }): boolean =>
  valueTypes.has(type);

/** A custom segment: the definition of a client. */
export type CustomSegment = Segment & Required<Pick<Segment, 'custom'>>;

export const isCustom = (segment: Segment): segment is CustomSegment => segment.custom !== undefined;

/** Whether a segment is a condition whose members are not all in the index yet: nothing shows it but its own list. */
export const isPreparing = ({ condition }: Segment): boolean => condition?.ready === false;

/** Whether lists and trees show a segment: neither replaced custom segments nor retired brands. */
export const isCurrent = ({ custom, retired }: Segment): boolean =>
  retired === undefined && (custom === undefined || custom.replaced_by === null);

/**
 * The segments that can be deleted, so that their referrers must add references: current custom segments,
 * conditions, and value segments.
 */
export const referentsAmong = (segments: Iterable<Segment>): readonly Referent[] =>
  [...segments]
    .filter(
      (segment) =>
        isValueSegment(segment) ||
        segment.condition !== undefined ||
        (isCustom(segment) && isCurrent(segment)),
    )
    .map(({ id }) => ({ kind: 'segment', id }));
