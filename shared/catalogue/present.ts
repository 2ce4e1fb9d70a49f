import { originPage, unknownPage } from './brand-keys.ts';
import type { Brands } from './brands.ts';
import { identityKey } from './identity.ts';
import { idsIn } from './definition.ts';
import { expand } from './expression.ts';
import type { Segment } from './types.ts';

/** Ids by key of a property's segments, as far as they have one. */
export type FindKeys = (keys: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/**
 * Segments as a version of the brands has them: a brand is called and stands as it says. One that is no more leads to what
 * the page stands for that it was born with; where it has given that its id, it is that.
 */
export const nameSegments = async (
  segments: readonly Segment[],
  brands: Brands,
  findKeys: FindKeys,
): Promise<readonly Segment[]> => {
  const seen = segments.map((segment) => seenBy(brands, segment));
  const wanted = seen.flatMap((one) => ('into' in one ? [one.into] : []));
  const ids = wanted.length === 0 ? new Map<string, number>() : await findKeys([...new Set(wanted)]);
  return seen.map((one) => {
    if (!('into' in one)) return one;
    const { segment, into } = one;
    const id = ids.get(into);
    const successor = { ...(brands.named(into) ?? unknownPage(originPage(into))), id: segment.id };
    if (id === segment.id) return successor;
    return { ...successor, key: identityKey(segment), retired: id === undefined ? {} : { mergedInto: id } };
  });
};

/** A segment that is as it is now, or the key of what it leads to. */
type Seen = Segment | { readonly segment: Segment; readonly into: string };

const seenBy = (brands: Brands, segment: Segment): Seen => {
  if (segment.type !== 'brand' && segment.type !== 'CATEGORY') return segment;
  const { id, aliases = [] } = segment;
  const own = [identityKey(segment), ...aliases];
  const named = own.map((key) => brands.named(key)).find((one) => one !== undefined);
  if (named) return { ...named, id };
  if (segment.type === 'CATEGORY') return { ...segment, retired: {} };
  // A page that no version knows goes by the first of its keys.
  const key = own.find((one) => brands.keyOf(originPage(one)) === one);
  if (key !== undefined) return { ...unknownPage(originPage(key)), key, id };
  return { segment, into: brands.keyOf(originPage(own.at(-1) ?? '')) };
};

/** What custom segments among these are made of, written out. */
export const membersOfCustomSegments = (segments: readonly Segment[]): readonly number[] => [
  ...new Set(segments.flatMap(({ custom }) => (custom ? idsIn(custom.members).map(({ id }) => id) : []))),
];

/** Custom segments that name brands which are no more hold whom those have led to. */
export const followSuccessors = (
  segments: readonly Segment[],
  members: readonly Segment[],
): readonly Segment[] => {
  const led = new Map(
    members.filter(({ retired }) => retired?.mergedInto !== undefined).map((one) => [one.id, one]),
  );
  if (led.size === 0) return segments;
  return segments.map((segment) =>
    segment.custom
      ? { ...segment, custom: { ...segment.custom, members: expand(segment.custom.members, led) } }
      : segment,
  );
};
