/** Erasure items: the receipts of erasures of many people, from their begin. */
import * as v from 'valibot';
import { segmentTypes } from '../catalogue/types.ts';
import { isoTime } from '../runtime/clock.ts';
import { folderOf } from '../properties/folders.ts';
import { keys } from '../table/keys.ts';
import { scopedId } from '../table/scoped-ids.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';

const whole = v.pipe(v.number(), v.safeInteger());

/** Why people are erased: a request for the members of a segment, or the rule of a property. */
export const erasureCauses = ['segment', 'retention'] as const;

/** Times are in epoch milliseconds. */
const erasureItem = v.object({
  id: whole,
  cause: v.picklist(erasureCauses),
  /** The segment whose members are erased; null for the retention of a property. */
  segment: v.nullable(v.object({ id: whole, type: v.picklist(segmentTypes), name: v.string() })),
  /** Of a retention: profiles that were last stored before this time are erased. */
  stored_before: v.nullable(v.number()),
  /** The object with the ordinals of the members. */
  members: v.nullable(v.string()),
  profiles: whole,
  forgotten: whole,
  /** Members below this ordinal are forgotten. */
  at: whole,
  created: v.number(),
  /** The id of the user; null for a retention. */
  created_by: v.nullable(whole),
  finished: v.nullable(v.number()),
});

/** Names of the states of an erasure. */
export const erasureStatuses = ['running', 'complete', 'incomplete'] as const;
type ErasureStatus = (typeof erasureStatuses)[number];

/** The erasure of many people. */
export type Erasure = Readonly<v.InferOutput<typeof erasureItem>>;

export const parseErasure = (item: StoredItem): Erasure => v.parse(erasureItem, item);

/** The key of the object with the members of an erasure. Each attempt at its request makes one of its own. */
export const membersKey = (property: number, id: number, attempt: string): string =>
  `${folderOf('erasures', property)}${id}-${attempt}`;

/** A new id of an erasure. */
export const nextErasureId = async (table: Pick<Table, 'increment'>, property: number): Promise<number> =>
  scopedId(property, await table.increment(keys.counter(property, 'erasure'), 1));

/** The write that stores a new erasure. It is refused for one that is stored already. */
export const erasureWrite = (property: number, { segment, ...erasure }: Erasure): Write => {
  const set = { ...erasure, segment: segment && { ...segment } };
  return { kind: 'insert', key: keys.erasure(property, erasure.id), set };
};

/** How far an erasure is. `incomplete`: it was under way in a backup, and ended for the restored table. */
const statusOf = ({ finished, forgotten, profiles }: Erasure): ErasureStatus => {
  if (finished === null) return 'running';
  return forgotten < profiles ? 'incomplete' : 'complete';
};

/** An erasure as the API shows it. */
export const erasureView = (erasure: Erasure) => ({
  id: erasure.id,
  cause: erasure.cause,
  status: statusOf(erasure),
  segment: erasure.segment,
  stored_before: erasure.stored_before === null ? null : isoTime(erasure.stored_before),
  profiles: erasure.profiles,
  forgotten: erasure.forgotten,
  created: isoTime(erasure.created),
  created_by: erasure.created_by,
  finished: erasure.finished === null ? null : isoTime(erasure.finished),
});
