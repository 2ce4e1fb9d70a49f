/**
 * Forgotten people of a property: a list of the ordinals that were forgotten while a file with them may still be kept. So
 * whoever gives a file away can ask who was forgotten since the file was begun. The list holds nothing else of a person.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { DAY_SECONDS } from '../runtime/clock.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const forgottenPerson = v.object({
  ordinal: v.number(),
  /** The tombstone was written by this time (epoch milliseconds). */
  until: v.number(),
});

/** A person of the list. */
export type ForgottenPerson = Readonly<v.InferOutput<typeof forgottenPerson>>;

/** A forgetting that was announced. */
export interface AnnouncedForgetting {
  readonly key: Key;
}

/** The list of the forgotten people of each property. */
export interface ForgottenPeople {
  /**
   * Adds a person to the list, before the forgetting begins: from now on nobody gets a file with the person. Of an attempt
   * that dies, the person may stay on the list without being forgotten: somebody asked for it, and will ask again.
   */
  announce(property: number, ordinal: number, now: number): Promise<AnnouncedForgetting>;
  /** Notes that the person was forgotten by now: files that are begun later cannot have the person. */
  settle(announced: AnnouncedForgetting, now: number): Promise<void>;
  /** Takes a person off the list: there was nobody to forget. */
  withdraw(announced: AnnouncedForgetting): Promise<void>;
  /** Notes that people who were forgotten since a time may be in what a property keeps for undos, unless that is noted already. */
  owe(property: number, since: number): Promise<void>;
  /** Pages of the people who may have been forgotten at or after a time. */
  since(property: number, time: number): AsyncIterable<readonly ForgottenPerson[]>;
}

const ATTEMPT_MS = limits.profiles.forgettingSeconds * 1_000;

/** A file is kept for `retentionDays`, and the bucket removes it within two more days. */
const KEPT_SECONDS = (limits.exports.retentionDays + 2) * DAY_SECONDS;

const owe = async (table: Pick<Table, 'write'>, property: number, since: number): Promise<void> => {
  const set = { property, since, until: null, block: 0, after: '' };
  await table.write({ kind: 'insert', key: keys.undoCleanup(property), set });
};

/** The list in the table. An item has the time by which its attempt has ended at the latest in its key. */
export const forgottenPeople = (table: Pick<Table, 'query' | 'write'>): ForgottenPeople => ({
  announce: async (property, ordinal, now) => {
    const until = now + ATTEMPT_MS;
    const key = keys.forgottenPerson(property, until, ordinal);
    const ttl = Math.ceil(until / 1_000) + KEPT_SECONDS;
    await table.write({ kind: 'insert', key, set: { ordinal, until, ttl } });
    await owe(table, property, now);
    return { key };
  },
  settle: async ({ key }, now) => {
    await table.write({ kind: 'update', key, set: { until: now }, expect: {} });
  },
  withdraw: async ({ key }) => {
    await table.write({ kind: 'delete', key, expect: {} });
  },
  owe: (property, since) => owe(table, property, since),
  since: async function* (property, time) {
    const { pk, sk: from } = keys.forgottenPerson(property, time, 0);
    for (let after: string | undefined; ;) {
      const page = await table.query(pk, { from, after });
      yield page.items.map((item) => v.parse(forgottenPerson, item)).filter(({ until }) => until >= time);
      if (page.next === undefined) return;
      after = page.next;
    }
  },
});

/** The ordinals of people who were forgotten between two times, and whether somebody was forgotten later. */
export const forgottenBetween = async (
  people: Pick<ForgottenPeople, 'since'>,
  property: number,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<{ readonly ordinals: readonly number[]; readonly isMore: boolean }> => {
  const ordinals: number[] = [];
  let isMore = false;
  for await (const page of people.since(property, since)) {
    for (const one of page) {
      if (one.until <= until) ordinals.push(one.ordinal);
      else isMore = true;
    }
  }
  return { ordinals, isMore };
};
