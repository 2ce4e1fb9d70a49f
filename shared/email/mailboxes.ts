/**
 * Addresses that notices may go to. An address counts once its owner has opened the link of a mail that went to it; the own
 * address of the user who names it counts at once. No address is stored: items are found by a hash, and hold times only.
 *
 * | item                | key                             | holds                                              |
 * |---------------------|---------------------------------|----------------------------------------------------|
 * | address of property | P#p#MAILBOX#hash                | when it was confirmed, and when it was last asked  |
 * | link                | CONFIRMATION#sha256             | property and hash of the address, until it expires |
 * | mails of a day      | P#p#MAILS#kind#day              | a counter                                          |
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { DAY_SECONDS } from '../runtime/clock.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { mailboxOf } from './mailbox.ts';

const mailboxItem = v.object({ confirmed: v.nullable(v.number()), asked: v.nullable(v.number()) });
const confirmationItem = v.object({ property: v.number(), mailbox: v.string(), expires: v.number() });
/** What a confirmation link stands for. */
export type Confirmation = v.InferOutput<typeof confirmationItem>;

/** Mails that are counted apart: each kind has a limit of its own for a property and a day. */
export type MailKind = 'notice' | 'confirmation';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** How an address is known: by a hash of its mailbox, ignoring case. */
const hashOf = (address: string): string => sha256((mailboxOf(address) ?? address).toLowerCase());

const DAY = DAY_SECONDS * 1000;
const { exports: bounds } = limits;
const mostADay: Readonly<Record<MailKind, number>> = {
  notice: bounds.mailsPerDay,
  confirmation: bounds.confirmationsPerDay,
};

/** Addresses of properties, and the links that confirm them. Times are epoch milliseconds. */
export const mailboxes = (table: Table) => {
  const confirm = async (key: Key, now: number): Promise<void> => {
    const set = { confirmed: now, asked: null };
    if ((await table.write({ kind: 'insert', key, set })) === 'refused')
      await table.write({ kind: 'update', key, set: { confirmed: now }, expect: { confirmed: null } });
  };
  return {
    isConfirmed: async (property: number, address: string): Promise<boolean> => {
      const item = await table.get(keys.mailbox(property, hashOf(address)));
      return item !== undefined && v.parse(mailboxItem, item).confirmed !== null;
    },
    /** Confirms an address without asking. */
    confirm: (property: number, address: string, now: number): Promise<void> =>
      confirm(keys.mailbox(property, hashOf(address)), now),
    /** Counts a mail of today; `false` when the property has had enough of its kind. */
    mayMail: async (property: number, kind: MailKind, now: number): Promise<boolean> => {
      const day = Math.floor(now / DAY);
      const ttl = (day + 2) * DAY_SECONDS;
      return (await table.increment(keys.mailCount(property, kind, day), 1, { ttl })) <= mostADay[kind];
    },
    /** Claims the next confirmation mail to an address; `false` when a mail went out lately, or somebody else sends it. */
    claimAsking: async (property: number, address: string, now: number): Promise<boolean> => {
      const key = keys.mailbox(property, hashOf(address));
      const item = await table.get(key);
      if (!item)
        return (
          (await table.write({ kind: 'insert', key, set: { confirmed: null, asked: now } })) === 'applied'
        );
      const { confirmed, asked } = v.parse(mailboxItem, item);
      if (confirmed !== null || (asked !== null && now < asked + bounds.askAgainHours * 3_600_000))
        return false;
      return (
        (await table.write({ kind: 'update', key, set: { asked: now }, expect: { w: item.w } })) === 'applied'
      );
    },
    /** Takes such a claim back: no mail went out. */
    releaseAsking: async (property: number, address: string, claimed: number): Promise<void> => {
      const key = keys.mailbox(property, hashOf(address));
      await table.write({ kind: 'update', key, set: { asked: null }, expect: { asked: claimed } });
    },
    /** Stores what a link stands for, under the hash of its capability. */
    addLink: async (capability: string, property: number, address: string, now: number): Promise<void> => {
      const expires = now + bounds.confirmationHours * 3_600_000;
      const set = { property, mailbox: hashOf(address), expires, ttl: Math.ceil(expires / 1000) };
      await table.write({ kind: 'insert', key: keys.confirmation(sha256(capability)), set });
    },
    /** What a capability stands for, while it does. */
    link: async (capability: string, now: number): Promise<Confirmation | undefined> => {
      const item = await table.get(keys.confirmation(sha256(capability)));
      const found = item && v.parse(confirmationItem, item);
      return found && found.expires > now ? found : undefined;
    },
    /** Confirms the address of a link, and takes the link away: it works once. */
    useLink: async (capability: string, { property, mailbox }: Confirmation, now: number): Promise<void> => {
      await confirm(keys.mailbox(property, mailbox), now);
      await table.write({ kind: 'delete', key: keys.confirmation(sha256(capability)), expect: { mailbox } });
    },
  };
};
export type Mailboxes = ReturnType<typeof mailboxes>;
