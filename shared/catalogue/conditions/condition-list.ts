/**
 * The list of the conditions of a property: what every process that derives segments reads, and what is left to do about
 * each. One item, so that one small read tells whether anything has changed.
 */
import * as v from 'valibot';
import { keys } from '../../table/keys.ts';
import type { StoredItem, Table, Write } from '../../table/table.ts';

const dated = v.object({
  id: v.number(),
  /**
   * Epoch milliseconds at which a look has seen it in this state; null before. Whoever stores a state cannot know when it is
   * stored: the write may be on its way for long.
   */
  since: v.nullable(v.number()),
});
const listItem = v.object({
  w: v.string(),
  /** Derived by writers; not all members are in the index yet. */
  preparing: v.array(dated),
  /** The index has all members. */
  ready: v.array(v.number()),
  /** Deleted, and no longer derived; their chunks may be there still. */
  dropped: v.array(dated),
});

/** A condition that waits for its preparation or for its removal. */
export type DatedCondition = Readonly<v.InferOutput<typeof dated>>;

/** The list of a property. */
export interface ConditionList {
  readonly preparing: readonly DatedCondition[];
  readonly ready: readonly number[];
  readonly dropped: readonly DatedCondition[];
}

/** The list as read. Without `w` the property never had a condition. */
export type SeenList = ConditionList & { readonly w?: string };

/** The list of a property that never had a condition. */
const noConditions: SeenList = { preparing: [], ready: [], dropped: [] };

/** A stored list. */
const parseList = (item: StoredItem | undefined): SeenList => (item ? v.parse(listItem, item) : noConditions);

/** Reads the list of a property. */
export const readConditions = async (table: Pick<Table, 'get'>, property: number): Promise<SeenList> =>
  parseList(await table.get(keys.conditions(property)));

/** The write of a changed list, refused when another writer has changed it since it was read. */
export const conditionsWrite = (
  property: number,
  { w }: SeenList,
  { preparing, ready, dropped }: ConditionList,
): Write => {
  const key = keys.conditions(property);
  const set = {
    preparing: preparing.map(({ id, since }) => ({ id, since })),
    ready: [...ready],
    dropped: dropped.map(({ id, since }) => ({ id, since })),
  };
  return w === undefined ? { kind: 'insert', key, set } : { kind: 'update', key, set, expect: { w } };
};

/** The conditions that count: those that are not deleted. */
export const livingIn = ({ preparing, ready }: ConditionList): readonly number[] => [
  ...ready,
  ...preparing.map(({ id }) => id),
];

/** The list with a new condition. */
export const withNew = (list: ConditionList, id: number): ConditionList => ({
  ...list,
  preparing: [...list.preparing, { id, since: null }],
});

/** The list without a deleted condition, which is left to be removed. */
export const withDropped = (list: ConditionList, id: number): ConditionList => ({
  preparing: list.preparing.filter((one) => one.id !== id),
  ready: list.ready.filter((one) => one !== id),
  dropped: [...list.dropped.filter((one) => one.id !== id), { id, since: null }],
});

/** Whether a look has seen the state of all conditions of a list. */
export const isSeen = ({ preparing, dropped }: ConditionList): boolean =>
  [...preparing, ...dropped].every(({ since }) => since !== null);

/** The list once a look has seen it, at a time (epoch milliseconds). */
export const withSeen = (list: ConditionList, now: number): ConditionList => ({
  ...list,
  preparing: list.preparing.map(({ id, since }) => ({ id, since: since ?? now })),
  dropped: list.dropped.map(({ id, since }) => ({ id, since: since ?? now })),
});

/** The list once the index has all members of these conditions. */
export const withReady = (list: ConditionList, ids: ReadonlySet<number>): ConditionList => ({
  ...list,
  preparing: list.preparing.filter(({ id }) => !ids.has(id)),
  ready: [...list.ready, ...list.preparing.flatMap(({ id }) => (ids.has(id) ? [id] : []))],
});

/** The list once nothing is left of a deleted condition. */
export const withoutDropped = (list: ConditionList, gone: number): ConditionList => ({
  ...list,
  dropped: list.dropped.filter(({ id }) => id !== gone),
});
