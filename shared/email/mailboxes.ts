/**
 * Mailboxes: the confirmed addresses for notices, by property. The owner of an address confirms it with the link in a
 * mail; the own address of the user who names it needs no mail. A confirmation may be withdrawn: then the address gets
 * nothing, not even a question, until a user names it anew. No address is stored: the keys have hashes, and the items hold
 * times only, and those of links the name of the account that asks.
 *
 * | item                | key                             | holds                                              |
 * |---------------------|---------------------------------|----------------------------------------------------|
 * | address of property | P#p#MAILBOX#hash                | when it was confirmed, last asked, and withdrawn   |
 * | link                | CONFIRMATION#sha256             | property, account and hash, until it expires       |
 * | mails of a day      | P#p#MAILS#kind#day              | a counter                                          |
 */
import { domainToASCII } from 'node:url';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { capabilityHash } from '../runtime/capability.ts';
import { UnavailableError } from '../runtime/aws-errors.ts';
import { DAY_MS, HOUR_MS, ttlAt } from '../runtime/clock.ts';
import { sha256 } from '../runtime/hash.ts';
import { keys, type Key } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { addToWindow } from '../rates/count-in-window.ts';

const mailboxItem = v.object({
  confirmed: v.nullable(v.number()),
  asked: v.nullable(v.number()),
  /** When the confirmation was last withdrawn: links that were sent before are closed for good. Items of 0.2.0 have none. */
  withdrawn: v.optional(v.nullable(v.number()), null),
  /** Whether nobody has named the address since: it is not asked. */
  barred: v.optional(v.boolean(), false),
});
type MailboxItem = v.InferOutput<typeof mailboxItem>;
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

/**
 * An address for notices: its owner has confirmed it, has not, or the confirmation was withdrawn and nobody has named the
 * address since.
 */
export const addressStatuses = ['confirmed', 'unconfirmed', 'withdrawn'] as const;
export interface AddressState {
  readonly status: (typeof addressStatuses)[number];
  /** When it was confirmed. */
  readonly confirmed: number | null;
}

const stateOf = (item: StoredItem | undefined): AddressState =>
  item ? stateOfItem(v.parse(mailboxItem, item)) : { status: 'unconfirmed', confirmed: null };

const stateOfItem = ({ confirmed, barred }: MailboxItem): AddressState => {
  if (confirmed !== null) return { status: 'confirmed', confirmed };
  return { status: barred ? 'withdrawn' : 'unconfirmed', confirmed: null };
};

/** Whether requests that began before a withdrawal may still be under way: they must not undo it. */
const isFresh = ({ withdrawn }: MailboxItem, now: number): boolean =>
  withdrawn !== null && now < withdrawn + limits.auth.quietSeconds * 1_000;

/** Whether a link was sent before the last withdrawal. */
const isClosed = ({ withdrawn }: MailboxItem, { expires }: Confirmation): boolean =>
  withdrawn !== null && withdrawn >= expires - LINK_MS;

/** Identifies an address: a hash of its mailbox, regardless of case. */
export const addressHash = (address: string): string => sha256((mailboxOf(address) ?? address).toLowerCase());

/** Tells addresses apart in the audit log, which holds no address: the beginning of the SHA-256 of its lower-case form. */
export const addressMark = (address: string): string => markOf(addressHash(address));

/** The mark of an address by its hash. */
export const markOf = (hash: string): string => hash.slice(0, 8);

/** Whether two addresses are one mailbox. */
export const isSameMailbox = (one: string, other: string): boolean => addressHash(one) === addressHash(other);

/** What a withdrawal leaves. */
const withdrawnAt = (now: number): MailboxItem => ({
  confirmed: null,
  asked: null,
  withdrawn: now,
  barred: true,
});

/** Tries to change an address: hardly two writers meet at one. */
const ATTEMPTS = 10;
const LINK_MS = limits.exports.confirmationHours * HOUR_MS;
const { exports: bounds } = limits;
const mostADay: Readonly<Record<MailKind, number>> = {
  notice: bounds.mailsPerDay,
  confirmation: bounds.confirmationsPerDay,
};

/** Changes an address under optimistic locking; `decide` returns no attributes to leave it. Returns whether it was changed. */
const changeAddress = async (
  table: Table,
  key: Key,
  decide: (seen: MailboxItem | undefined) => Partial<MailboxItem> | undefined,
): Promise<boolean> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const item = await table.get(key);
    const set = decide(item && v.parse(mailboxItem, item));
    if (!set) return false;
    const write: Write = item
      ? { kind: 'update', key, set, expect: { w: item.w } }
      : { kind: 'insert', key, set: { confirmed: null, asked: null, ...set } };
    if ((await table.write(write)) === 'applied') return true;
  }
  throw new UnavailableError('mailboxes: others keep changing an address');
};

const keyOf = (property: number, address: string): Key => keys.mailbox(property, addressHash(address));

/** A user names an address; with `isKept` in a definition that had it before. */
interface Naming {
  readonly address: string;
  readonly isOwn: boolean;
  readonly isKept?: boolean;
  readonly now: number;
}

/** The states of addresses. */
const states = (table: Table) => ({
  isConfirmed: async (property: number, address: string): Promise<boolean> =>
    stateOf(await table.get(keyOf(property, address))).status === 'confirmed',
  /** The states of addresses, in their order. */
  states: async (property: number, addresses: readonly string[]): Promise<readonly AddressState[]> =>
    (await table.getMany(addresses.map((address) => keyOf(property, address)))).map(stateOf),
  /**
   * Tells that a user has named an address: the own address is confirmed without a link, and another one may be asked
   * again after a withdrawal. A request that may have begun before a withdrawal does not undo it, and neither does one
   * that keeps (`isKept`) the address that a definition had.
   */
  name: async (property: number, { address, isOwn, isKept = false, now }: Naming): Promise<void> => {
    await changeAddress(table, keyOf(property, address), (seen) => {
      if (seen && (isFresh(seen, now) || (isKept && seen.barred))) return undefined;
      if (isOwn) return seen && seen.confirmed !== null ? undefined : { confirmed: now, barred: false };
      return seen?.barred === true ? { barred: false } : undefined;
    });
  },
  /**
   * Withdraws an address by its hash, as its owner wishes. False if it is withdrawn already: a link that somebody else has
   * got does not renew the withdrawal, which would keep the owner from confirming the address again.
   */
  unsubscribe: (
    { property, mailbox }: Pick<Confirmation, 'property' | 'mailbox'>,
    now: number,
  ): Promise<boolean> =>
    changeAddress(table, keys.mailbox(property, mailbox), (seen) =>
      seen?.barred === true ? undefined : withdrawnAt(now),
    ),
  /**
   * Withdraws the confirmation of an address, and closes the links that were sent to it. An address that nobody has
   * confirmed is barred as well. Returns its state before.
   */
  withdraw: async (property: number, address: string, now: number): Promise<AddressState> => {
    let before: AddressState = stateOf(undefined);
    await changeAddress(table, keyOf(property, address), (seen) => {
      before = seen ? stateOfItem(seen) : before;
      return withdrawnAt(now);
    });
    return before;
  },
});

/** The mails of a property, and the links in its questions. */
const questions = (table: Table) => ({
  /** Counts a mail of this day; `false` once the property has used up its mails of this kind. */
  mayMail: async (property: number, kind: MailKind, now: number): Promise<boolean> => {
    const key = (day: number): Key => keys.mailCount(property, kind, day);
    const { held } = await addToWindow(table, { key, amount: 1, milliseconds: DAY_MS, now });
    return held <= mostADay[kind];
  },
  /**
   * Claims the next confirmation mail to an address; `false` when a mail went out lately, another function sends it, or
   * the confirmation was withdrawn.
   */
  claimAsking: async (property: number, address: string, now: number): Promise<boolean> => {
    const key = keyOf(property, address);
    const item = await table.get(key);
    if (!item)
      return (await table.write({ kind: 'insert', key, set: { confirmed: null, asked: now } })) === 'applied';

    const { confirmed, asked, barred } = v.parse(mailboxItem, item);
    if (barred || confirmed !== null || (asked !== null && now < asked + bounds.askAgainHours * HOUR_MS))
      return false;
    return (
      (await table.write({ kind: 'update', key, set: { asked: now }, expect: { w: item.w } })) === 'applied'
    );
  },
  /** Releases the claim when no mail went out. */
  releaseAsking: async (property: number, address: string, claimed: number): Promise<void> => {
    const key = keyOf(property, address);
    await table.write({ kind: 'update', key, set: { asked: null }, expect: { asked: claimed } });
  },
  /** Stores a link under the hash of its capability. */
  addLink: async (capability: string, { property, asker, address }: Asking, now: number): Promise<void> => {
    const expires = now + LINK_MS;
    const set = { property, asker, mailbox: addressHash(address), expires, ttl: ttlAt(expires) };
    await table.write({ kind: 'insert', key: keys.confirmation(capabilityHash(capability)), set });
  },
  /** The link of a capability, until it expires or the address is withdrawn. */
  link: async (capability: string, now: number): Promise<Confirmation | undefined> => {
    const item = await table.get(keys.confirmation(capabilityHash(capability)));
    const found = item && v.parse(confirmationItem, item);
    if (!found || found.expires <= now) return undefined;
    const address = await table.get(keys.mailbox(found.property, found.mailbox));
    return address && isClosed(v.parse(mailboxItem, address), found) ? undefined : found;
  },
  /** Confirms the address of a link, and removes the link: it works once. `false` if the address was withdrawn meanwhile. */
  useLink: async (capability: string, link: Confirmation, now: number): Promise<boolean> => {
    const { property, mailbox } = link;
    let isOpen = true;
    await changeAddress(table, keys.mailbox(property, mailbox), (seen) => {
      isOpen = !seen || !isClosed(seen, link);
      return isOpen && (!seen || seen.confirmed === null)
        ? { confirmed: now, asked: null, barred: false }
        : undefined;
    });
    await removeLink(table, capability, link);
    return isOpen;
  },
  /** Withdraws the address of a link as its owner wishes, and removes the link. `true`: whoever declines gets no mail. */
  declineLink: async (capability: string, link: Confirmation, now: number): Promise<boolean> => {
    await changeAddress(table, keys.mailbox(link.property, link.mailbox), () => withdrawnAt(now));
    await removeLink(table, capability, link);
    return true;
  },
});

const removeLink = async (table: Table, capability: string, { mailbox }: Confirmation): Promise<void> => {
  const key = keys.confirmation(capabilityHash(capability));
  await table.write({ kind: 'delete', key, expect: { mailbox } });
};

/** Addresses of properties, and the links that confirm them. Times are epoch milliseconds. */
export const mailboxes = (table: Table) => ({ ...states(table), ...questions(table) });
export type Mailboxes = ReturnType<typeof mailboxes>;

/** ASCII without white space and controls: the characters that the mail service accepts before the @. */
const asciiOnly = /^[!-~]+$/;

/**
 * An address in the form of the mail service: ASCII before the @, and the domain in Punycode (RFC 5891). `undefined`
 * for an address that the service does not accept: SES does not support SMTPUTF8 (RFC 6531).
 */
export const mailboxOf = (address: string): string | undefined => {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), domainToASCII(address.slice(at + 1))];
  return at > 0 && domain !== '' && asciiOnly.test(local) ? `${local}@${domain}` : undefined;
};
