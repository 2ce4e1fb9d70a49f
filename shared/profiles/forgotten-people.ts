/**
 * Forgotten people of a property: a list of the ordinals that were forgotten while a file with them may still be kept. So
 * whoever gives a file away can ask who was forgotten since the file was begun. The list holds nothing else of a person.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { DAY_MS, ttlAt } from '../runtime/clock.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { pagesOf } from '../runtime/pages.ts';

const forgottenItem = v.object({
  /** People who are forgotten together. */
  ordinals: v.array(v.number()),
  /** The tombstones were written by this time (epoch milliseconds). */
  until: v.number(),
  /** Without it, the attempt is under way or has died: perhaps nobody was forgotten. */
  settled: v.optional(v.boolean(), false),
});

/** A person of the list. */
export interface ForgottenPerson {
  readonly ordinal: number;
  /** As in the item. */
  readonly until: number;
  readonly settled: boolean;
}

/** A forgetting that was announced. */
export interface AnnouncedForgetting {
  readonly key: Key;
}

/** The list of the forgotten people of each property. */
export interface ForgottenPeople {
  /**
   * Adds people to the list, before the forgetting begins: from now on nobody gets a file with one of them. Of an attempt
   * that dies, people may stay on the list without being forgotten: somebody asked for it, and will ask again. A rule does
   * not, once somebody is renewed.
   */
  announce(property: number, ordinals: readonly number[], now: number): Promise<AnnouncedForgetting>;
  /**
   * Notes that these people were forgotten by now: files that are begun later cannot have them. The others of the
   * announcement go off the list: there was nobody to forget.
   */
  settle(announced: AnnouncedForgetting, forgotten: readonly number[], now: number): Promise<void>;
  /** Pages of the people who may have been forgotten at or after a time. */
  since(property: number, time: number): AsyncIterable<readonly ForgottenPerson[]>;
}

const ATTEMPT_MS = limits.profiles.forgettingSeconds * 1_000;

/** A file is kept for `retentionDays`, and the bucket removes it within two more days. */
const KEPT_MS = (limits.exports.retentionDays + 2) * DAY_MS;

/** An erasure of a large segment has very many items: whoever finds one person in a page reads no further. */
const ITEMS_PER_PAGE = 1_000;

/** The list in the table. An item has the time by which its attempt has ended at the latest in its key. */
export const forgottenPeople = (table: Pick<Table, 'query' | 'write'>): ForgottenPeople => ({
  announce: async (property, ordinals, now) => {
    const set = { ordinals: [...ordinals] };
    // Two announcements of one millisecond may begin with the same person.
    for (let until = now + ATTEMPT_MS; ; until += 1) {
      const key = keys.forgottenPeople(property, until, ordinals[0] ?? 0);
      const ttl = ttlAt(until + KEPT_MS);
      const added = await table.write({ kind: 'insert', key, set: { ...set, until, ttl } });
      if (added === 'refused') continue;
      return { key };
    }
  },
  settle: async ({ key }, forgotten, now) => {
    await table.write(
      forgotten.length === 0
        ? { kind: 'delete', key, expect: {} }
        : { kind: 'update', key, set: { ordinals: [...forgotten], until: now, settled: true }, expect: {} },
    );
  },
  since: async function* (property, time) {
    const { pk, sk: from } = keys.forgottenPeople(property, time, 0);
    for await (const items of pagesOf((after) => table.query(pk, { from, after, limit: ITEMS_PER_PAGE }))) {
      yield items
        .map((item) => v.parse(forgottenItem, item))
        .flatMap(({ ordinals, until, settled }) =>
          until >= time ? ordinals.map((ordinal) => ({ ordinal, until, settled })) : [],
        );
    }
  },
});

/** The people whose forgetting was announced and has ended between two times. */
interface ForgottenBetween {
  readonly ordinals: readonly number[];
  /** People whose attempts may have died before their tombstones. */
  readonly unsure: readonly number[];
  /** Whether somebody was forgotten later. */
  readonly isMore: boolean;
}

/** The ordinals of people who were forgotten between two times, and whether somebody was forgotten later. */
export const forgottenBetween = async (
  people: Pick<ForgottenPeople, 'since'>,
  property: number,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<ForgottenBetween> => {
  const [ordinals, unsure]: [number[], number[]] = [[], []];
  let isMore = false;
  for await (const page of people.since(property, since)) {
    for (const one of page) {
      if (one.until > until) isMore = true;
      else (one.settled ? ordinals : unsure).push(one.ordinal);
    }
  }
  return { ordinals, unsure, isMore };
};
