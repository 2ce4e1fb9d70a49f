/**
 * Mailboxes: the confirmed addresses for notices, by property. The owner of an address confirms it with the link in a
 * mail; the own address of the user who names it needs no mail. No address is stored: the keys have hashes, and the
 * items hold times only, and those of links the name of the account that asks.
 *
 * | item                | key                             | holds                                              |
 * |---------------------|---------------------------------|----------------------------------------------------|
 * | address of property | P#p#MAILBOX#hash                | when it was confirmed, and when it was last asked  |
 * | link                | CONFIRMATION#sha256             | property, account and hash, until it expires       |
 * | mails of a day      | P#p#MAILS#kind#day              | a counter                                          |
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { capabilityHash } from '../runtime/capability.ts';
import { DAY_SECONDS } from '../runtime/clock.ts';
import { sha256 } from '../runtime/hash.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { mailboxOf } from './mailbox.ts';

const mailboxItem = v.object({ confirmed: v.nullable(v.number()), asked: v.nullable(v.number()) });
const confirmationItem = v.object({
  property: v.number(),
  /** The name of the account that asks. Links of earlier releases have none. */
  asker: v.optional(v.string()),
  mailbox: v.string(),
  expires: v.number(),
});

/** The property and the address of a confirmation link. */
export type Confirmation = v.InferOutput<typeof confirmationItem>;

/** Who asks whom: the name of an account, for one of its properties, and an address. */
export interface Asking {
  readonly property: number;
  readonly asker: string;
  readonly address: string;
}

/** Kinds of mails. Each kind has a limit of its own for a property and a day. */
export type MailKind = 'notice' | 'confirmation';

/** Identifies an address: a hash of its mailbox, regardless of case. */
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
    /** Confirms an address without a link. */
    confirm: (property: number, address: string, now: number): Promise<void> =>
      confirm(keys.mailbox(property, hashOf(address)), now),
    /** Counts a mail of this day; `false` once the property has used up its mails of this kind. */
    mayMail: async (property: number, kind: MailKind, now: number): Promise<boolean> => {
      const day = Math.floor(now / DAY);
      const ttl = (day + 2) * DAY_SECONDS;
      return (await table.increment(keys.mailCount(property, kind, day), 1, { ttl })) <= mostADay[kind];
    },
    /**
     * Claims the next confirmation mail to an address; `false` when a mail went out lately, or another function sends
     * it.
     */
    claimAsking: async (property: number, address: string, now: number): Promise<boolean> => {
      const key = keys.mailbox(property, hashOf(address));
      const item = await table.get(key);
      if (!item) {
        return (
          (await table.write({ kind: 'insert', key, set: { confirmed: null, asked: now } })) === 'applied'
        );
      }
      const { confirmed, asked } = v.parse(mailboxItem, item);
      if (confirmed !== null || (asked !== null && now < asked + bounds.askAgainHours * 3_600_000))
        return false;
      return (
        (await table.write({ kind: 'update', key, set: { asked: now }, expect: { w: item.w } })) === 'applied'
      );
    },
    /** Releases the claim when no mail went out. */
    releaseAsking: async (property: number, address: string, claimed: number): Promise<void> => {
      const key = keys.mailbox(property, hashOf(address));
      await table.write({ kind: 'update', key, set: { asked: null }, expect: { asked: claimed } });
    },
    /** Stores a link under the hash of its capability. */
    addLink: async (capability: string, { property, asker, address }: Asking, now: number): Promise<void> => {
      const expires = now + bounds.confirmationHours * 3_600_000;
      const set = { property, asker, mailbox: hashOf(address), expires, ttl: Math.ceil(expires / 1000) };
      await table.write({ kind: 'insert', key: keys.confirmation(capabilityHash(capability)), set });
    },
    /** The link of a capability, until it expires. */
    link: async (capability: string, now: number): Promise<Confirmation | undefined> => {
      const item = await table.get(keys.confirmation(capabilityHash(capability)));
      const found = item && v.parse(confirmationItem, item);
      return found && found.expires > now ? found : undefined;
    },
    /** Confirms the address of a link, and removes the link: it works once. */
    useLink: async (capability: string, { property, mailbox }: Confirmation, now: number): Promise<void> => {
      await confirm(keys.mailbox(property, mailbox), now);
      await table.write({
        kind: 'delete',
        key: keys.confirmation(capabilityHash(capability)),
        expect: { mailbox },
      });
    },
  };
};
export type Mailboxes = ReturnType<typeof mailboxes>;
