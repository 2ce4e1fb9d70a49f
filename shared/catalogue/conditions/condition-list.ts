/**
 * The list of the conditions of a property: what every process that derives segments reads, and what is left to do about
 * each. One item, so that one small read tells whether anything has changed.
 */
import { hash } from 'node:crypto';
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { keys } from '../../table/keys.ts';
import type { StoredItem, Table, Write } from '../../table/table.ts';
import { DAY_CALENDARS, dayCalendarId } from '../calendars.ts';
import type { Rule } from './rule.ts';

const dated = v.object({
  id: v.number(),
  /**
   * Epoch milliseconds at which a look has seen it in this state; null before. Whoever stores a state cannot know when it is
   * stored: the write may be on its way for long.
   */
  since: v.nullable(v.number()),
});
const calendar = v.object({
  /** The hash of the key of the field, because a key may be long. */
  field: v.string(),
  /** Says which hidden segments it has. No later calendar gets them. */
  slot: v.number(),
  /** The index shows all people in it. */
  ready: v.boolean(),
  /** The conditions that it serves, by id: never empty. */
  of: v.array(v.number()),
});
const listItem = v.object({
  w: v.string(),
  /** Derived by writers; not all members are in the index yet. */
  preparing: v.array(dated),
  /** The index has all members. */
  ready: v.array(v.number()),
  /** Deleted, and no longer derived; their chunks may be there still. A calendar has the id of its first segment here. */
  dropped: v.array(dated),
  calendars: v.optional(v.array(calendar), []),
  /** The slot of the next calendar. */
  next_slot: v.optional(v.number(), 0),
});

/** A condition that waits for its preparation or for its removal. */
export type DatedCondition = Readonly<v.InferOutput<typeof dated>>;

/** The calendar of a field with conditions whose members change with time alone. */
export type ListedCalendar = Readonly<v.InferOutput<typeof calendar>>;

/** The list of a property. */
export interface ConditionList {
  readonly preparing: readonly DatedCondition[];
  readonly ready: readonly number[];
  readonly dropped: readonly DatedCondition[];
  readonly calendars: readonly ListedCalendar[];
  readonly next_slot: number;
}

/** The list as read. Without `w` the property never had a condition. */
export type SeenList = ConditionList & { readonly w?: string };

/** The list of a property that never had a condition. */
const noConditions: SeenList = { preparing: [], ready: [], dropped: [], calendars: [], next_slot: 0 };

/** A stored list. */
const parseList = (item: StoredItem | undefined): SeenList => (item ? v.parse(listItem, item) : noConditions);

/** Reads the list of a property. */
export const readConditions = async (table: Pick<Table, 'get'>, property: number): Promise<SeenList> =>
  parseList(await table.get(keys.conditions(property)));

/** The write of a changed list, refused when another writer has changed it since it was read. */
export const conditionsWrite = (
  property: number,
  { w }: SeenList,
  { preparing, ready, dropped, calendars, next_slot }: ConditionList,
): Write => {
  const key = keys.conditions(property);
  const set = {
    preparing: preparing.map(({ id, since }) => ({ id, since })),
    ready: [...ready],
    dropped: dropped.map(({ id, since }) => ({ id, since })),
    calendars: calendars.map((one) => ({ ...one, of: [...one.of] })),
    next_slot,
  };
  return w === undefined ? { kind: 'insert', key, set } : { kind: 'update', key, set, expect: { w } };
};

/** The conditions that count: those that are not deleted. */
export const livingIn = ({ preparing, ready }: ConditionList): readonly number[] => [
  ...ready,
  ...preparing.map(({ id }) => id),
];

/** The list with a new condition, and with the calendar that its rule needs. */
export const withNew = (list: ConditionList, id: number, rule: Rule): ConditionList => ({
  ...list,
  preparing: [...list.preparing, { id, since: null }],
  ...(needsCalendar(rule) && withCalendar(list, id, hash('sha256', rule.field.key))),
});

/** Birthdays have the calendar of birth months. */
const needsCalendar = ({ isTimed, field }: Rule): boolean => isTimed && field.comesOfAge !== true;

const withCalendar = (
  { calendars, next_slot }: ConditionList,
  id: number,
  field: string,
): Pick<ConditionList, 'calendars' | 'next_slot'> => {
  const known = calendars.find((one) => one.field === field);
  if (known) {
    const more = { ...known, of: [...known.of, id] };
    return { calendars: calendars.map((one) => (one === known ? more : one)), next_slot };
  }
  return {
    calendars: [...calendars, { field, slot: next_slot, ready: false, of: [id] }],
    next_slot: next_slot + 1,
  };
};

/** Whether the list takes another condition: a property has so many, and so many calendars one after another. */
export const isFull = (list: ConditionList): boolean => {
  const most = limits.segments.conditionsPerProperty;
  const living = livingIn(list).length;
  // Every process reads the list again and again, so what waits to be removed may not grow without bounds either.
  return living >= most || living + list.dropped.length >= 2 * most || list.next_slot >= DAY_CALENDARS;
};

/** The list without a deleted condition, which is left to be removed. The last one of a calendar takes it along. */
export const withDropped = (list: ConditionList, property: number, id: number): ConditionList => {
  const calendars = list.calendars.map((one) => ({ ...one, of: one.of.filter((other) => other !== id) }));
  const unused = calendars.filter(({ of }) => of.length === 0);
  const gone = [id, ...unused.map(({ slot }) => dayCalendarId(property, slot))];
  return {
    ...list,
    preparing: list.preparing.filter((one) => one.id !== id),
    ready: list.ready.filter((one) => one !== id),
    dropped: [
      ...list.dropped.filter((one) => !gone.includes(one.id)),
      ...gone.map((one) => ({ id: one, since: null })),
    ],
    calendars: calendars.filter((one) => !unused.includes(one)),
  };
};

/** Whether a look has seen the state of all conditions of a list. */
export const isSeen = ({ preparing, dropped }: ConditionList): boolean =>
  [...preparing, ...dropped].every(({ since }) => since !== null);

/** The list once a look has seen it, at a time (epoch milliseconds). */
export const withSeen = (list: ConditionList, now: number): ConditionList => ({
  ...list,
  preparing: list.preparing.map(({ id, since }) => ({ id, since: since ?? now })),
  dropped: list.dropped.map(({ id, since }) => ({ id, since: since ?? now })),
});

/** The slots of the calendars that these conditions need, and that are not ready. */
export const slotsFor = ({ calendars }: ConditionList, ids: readonly number[]): readonly number[] =>
  calendars.filter(({ ready, of }) => !ready && of.some((id) => ids.includes(id))).map(({ slot }) => slot);

/** The list once the index has all members of these conditions, and all people in the calendars with these slots. */
export const withReady = (
  list: ConditionList,
  { ids, slots }: { readonly ids: readonly number[]; readonly slots: readonly number[] },
): ConditionList => ({
  ...list,
  preparing: list.preparing.filter(({ id }) => !ids.includes(id)),
  ready: [...list.ready, ...list.preparing.flatMap(({ id }) => (ids.includes(id) ? [id] : []))],
  calendars: list.calendars.map((one) => ({ ...one, ready: one.ready || slots.includes(one.slot) })),
});

/** The list once nothing is left of a deleted condition. */
export const withoutDropped = (list: ConditionList, gone: number): ConditionList => ({
  ...list,
  dropped: list.dropped.filter(({ id }) => id !== gone),
});
