/** Custom segments: parses and writes their items, and decides which of them are current. */
import * as v from 'valibot';
import { creatorSchema } from '../http/api-user.ts';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { bornAs } from '../references/lifecycle.ts';
import { expressionSchema } from './definition.ts';
import { nameKey, type CustomSegment } from './identity.ts';
import type { CustomFacts, Segment } from './types.ts';

const json = v.pipe(v.string(), v.parseJson(), expressionSchema);

/**
 * Release 0.2.0 stores the successor of an edit as pending. It is committed once the segment that it `replaces` names it in
 * `replaced_by`, and may say `pending` for ever.
 */
const customItem = v.object({
  id: v.number(),
  name: v.string(),
  definition: json,
  members: json,
  moments: v.array(v.number()),
  created: v.number(),
  created_by: creatorSchema,
  lifecycle: v.picklist(['current', 'pending', 'replaced']),
  replaces: v.nullable(v.number()),
  replaced_by: v.nullable(v.number()),
});
type CustomItem = v.InferOutput<typeof customItem>;

/** A custom segment that has no id yet. */
export type CustomDraft = Omit<CustomFacts, 'replaced_by'> & Pick<Segment, 'name'>;

/** Parses the item of a custom segment in any live state. */
export const parseCustomSegment = (item: StoredItem): CustomItem => v.parse(customItem, item);

/** Whether a pending custom segment is committed: `replaced`, the segment that it replaces, names it. */
const isCommitted = ({ id }: CustomItem, replaced: StoredItem | undefined): boolean =>
  replaced?.['replaced_by'] === id;

/** The custom segment of a draft. */
export const customSegmentOf = (
  id: number,
  { name, definition, members, moments, created, created_by }: CustomDraft,
  replaced_by: number | null,
): CustomSegment => {
  const custom = { definition, members, moments, created, created_by, replaced_by };
  return { id, type: 'custom', path: ['Custom'], name, custom };
};

/** The custom segments of live items, without pending segments that are not committed. */
export const visibleCustomSegments = async (
  table: Table,
  property: number,
  items: readonly StoredItem[],
): Promise<readonly Segment[]> => {
  const customs = items.map(parseCustomSegment);
  const replaced = customs.flatMap(({ lifecycle, replaces }) =>
    lifecycle === 'pending' && replaces !== null ? [replaces] : [],
  );
  const stored =
    replaced.length === 0 ? [] : await table.getMany(replaced.map((id) => keys.segment(property, id)));
  const byId = new Map(replaced.map((id, index) => [id, stored[index]]));
  return customs
    .filter((one) => one.lifecycle !== 'pending' || isCommitted(one, byId.get(one.replaces ?? 0)))
    .map((one) => customSegmentOf(one.id, one, one.replaced_by));
};

/** Inserts the item of a custom segment. */
export const customWrite = (property: number, { id, name, custom }: CustomSegment): Write => ({
  kind: 'insert',
  key: keys.segment(property, id),
  set: {
    ...custom,
    id,
    type: 'custom',
    name,
    definition: JSON.stringify(custom.definition),
    members: JSON.stringify(custom.members),
    created_by: { ...custom.created_by },
    ...bornAs('current'),
    replaces: null,
  },
});

/** The keys by which lists and trees find a current custom segment. */
export const finderKeys = (property: number, { id, name }: Segment) => [
  nameKey(property, name, id),
  keys.customSegment(property, id),
];
